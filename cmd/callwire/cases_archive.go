package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/callwire/callwire/corpus"
)

// archiveName is the corpus as an archive, without the ending.
const archiveName = "callwire-corpus-" + corpus.Version

// writeArchives writes the corpus into a folder, plain, for npm and for PyPI, and
// the checksums of the archives. The same corpus gives the same bytes.
func writeArchives(dir string) error {
	if err := makeFolder(dir); err != nil {
		return err
	}
	const version = corpus.Version + ".0"
	plain, err := corpusUnder(archiveName)
	if err != nil {
		return err
	}
	npm, err := corpusUnder("package")
	if err != nil {
		return err
	}
	npm["package/package.json"] = file(fmt.Sprintf(`{
  "name": "callwire-corpus",
  "version": %q,
  "description": "Conformance cases of the callwire format",
  "license": "MIT"
}
`, version))
	wheel, err := wheelOf(version)
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, a := range []struct {
		name  string
		files fs.FS
		pack  func(fs.FS) ([]byte, error)
	}{
		{archiveName + ".tar.gz", plain, tarball},
		{"callwire-corpus-" + version + ".tgz", npm, tarball},
		{"callwire_corpus-" + version + "-py3-none-any.whl", wheel, zipped},
	} {
		data, err := a.pack(a.files)
		if err != nil {
			return err
		}
		if err := writeTo(filepath.Join(dir, a.name), data); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), a.name)
	}
	return writeTo(filepath.Join(dir, "SHA256SUMS"), sums.Bytes())
}

// file returns a file that is the same on every machine and at any time.
func file(text string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(text), Mode: 0o644, ModTime: time.Unix(0, 0)}
}

// corpusUnder returns the files of the corpus in a folder.
func corpusUnder(folder string) (fstest.MapFS, error) {
	files := fstest.MapFS{}
	err := fs.WalkDir(corpus.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(corpus.Files(), name)
		files[path.Join(folder, name)] = file(string(text))
		return err
	})
	return files, err
}

// wheelOf returns the corpus as a Python wheel, which pip installs without a build or a network.
func wheelOf(version string) (fstest.MapFS, error) {
	info := "callwire_corpus-" + version + ".dist-info/"
	files, err := corpusUnder("callwire_corpus")
	if err != nil {
		return nil, err
	}
	const about = "Conformance cases of the callwire format, as files in this folder."
	files["callwire_corpus/__init__.py"] = file(`"""` + about + `"""` + "\n")
	files[info+"METADATA"] = file(`Metadata-Version: 2.1
Name: callwire-corpus
Version: ` + version + `
Summary: Conformance cases of the callwire format
License: MIT
`)
	files[info+"WHEEL"] = file(`Wheel-Version: 1.0
Generator: callwire
Root-Is-Purelib: true
Tag: py3-none-any
`)
	var record strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name].Data
		sum := sha256.Sum256(data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name,
			base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	}
	files[info+"RECORD"] = file(record.String() + info + "RECORD,,\n")
	return files, nil
}

// tarball returns files as a compressed tar.
func tarball(files fs.FS) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	err = errors.Join(w.AddFS(files), w.Close(), compressed.Close())
	return out.Bytes(), err
}

// zipped returns files as a zip.
func zipped(files fs.FS) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	err := errors.Join(w.AddFS(files), w.Close())
	return out.Bytes(), err
}
