package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/callwire/callwire/corpus"
)

// An archived file has its name within an archive.
type archived struct {
	name string
	text []byte
}

// archiveName is the corpus as an archive, without the ending.
const archiveName = "callwire-corpus-" + corpus.Version

// writeArchives writes the corpus into a folder, plain, for npm and for PyPI, and
// the checksums of the archives. The same corpus gives the same bytes.
func writeArchives(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", dir, pathless(err))
	}
	var plain []archived
	err := fs.WalkDir(corpus.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(corpus.Files(), name)
		plain = append(plain, archived{name, text})
		return err
	})
	if err != nil {
		return err
	}
	version := corpus.Version + ".0"
	npm := append(under("package", plain), archived{"package/package.json", fmt.Appendf(nil, `{
  "name": "callwire-corpus",
  "version": %q,
  "description": "Conformance cases of the callwire format",
  "license": "MIT"
}
`, version)})
	var sums bytes.Buffer
	for _, a := range []struct {
		name  string
		files []archived
		pack  func([]archived) ([]byte, error)
	}{
		{archiveName + ".tar.gz", under(archiveName, plain), tarball},
		{"callwire-corpus-" + version + ".tgz", npm, tarball},
		{"callwire_corpus-" + version + "-py3-none-any.whl", wheel(version, plain), zipped},
	} {
		data, err := a.pack(a.files)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, a.name), data, 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w", a.name, pathless(err))
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), a.name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o666)
}

// wheel lays files out as a Python package that pip installs as it is: without
// building anything, so without a network.
func wheel(version string, files []archived) []archived {
	info := "callwire_corpus-" + version + ".dist-info"
	files = append(under("callwire_corpus", files),
		archived{"callwire_corpus/__init__.py", []byte(`"""Conformance cases of the callwire format, as files in this folder."""
`)},
		archived{info + "/METADATA", fmt.Appendf(nil, `Metadata-Version: 2.1
Name: callwire-corpus
Version: %s
Summary: Conformance cases of the callwire format
License: MIT
`, version)},
		archived{info + "/WHEEL", []byte(`Wheel-Version: 1.0
Generator: callwire
Root-Is-Purelib: true
Tag: py3-none-any
`)})
	var record bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.text)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.text))
	}
	fmt.Fprintf(&record, "%s/RECORD,,\n", info)
	return append(files, archived{info + "/RECORD", record.Bytes()})
}

// under puts files into a folder.
func under(folder string, files []archived) []archived {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// tarball returns files as a compressed tar, without anything of the machine or
// the time.
func tarball(files []archived) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = compressed.Close()
	return out.Bytes(), err
}

// zipped returns files as a zip, likewise.
func zipped(files []archived) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		part, err := w.Create(f.name)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
