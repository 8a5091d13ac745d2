package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/callwire/callwire/corpus"
)

// archiveVersion is the version of the corpus as a package.
const archiveVersion = corpus.Version + ".0"

// packaging has what npm and pip want beside the corpus; VERSION is replaced by the version.
//
//go:embed all:archive
var packaging embed.FS

// archives are the corpus in a folder of each archive, with the files in a folder of packaging.
var archives = []struct {
	name, folder    string
	more, moreUnder string
	pack            func(fstest.MapFS) ([]byte, error)
}{
	{"callwire-corpus-" + corpus.Version + ".tar.gz", "callwire-corpus-" + corpus.Version,
		"", "", tarball},
	{"callwire-corpus-" + archiveVersion + ".tgz", "package", "archive/npm", "package", tarball},
	{"callwire_corpus-" + archiveVersion + "-py3-none-any.whl", "callwire_corpus",
		"archive/pypi", "", wheel},
}

// writeArchives writes the corpus into a folder, plain, for npm and for PyPI, and
// the checksums of the archives. The same corpus gives the same bytes.
func writeArchives(dir string) error {
	written := map[string][]byte{}
	sums := ""
	for _, a := range archives {
		files := fstest.MapFS{}
		err := add(files, a.folder, corpus.Files(), ".")
		if err == nil && a.more != "" {
			err = add(files, a.moreUnder, packaging, a.more)
		}
		if err == nil {
			written[a.name], err = a.pack(files)
		}
		if err != nil {
			return err
		}
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(written[a.name]), a.name)
	}
	written["SHA256SUMS"] = []byte(sums)
	return writeFiles(dir, written)
}

// add adds the files below root to a folder of an archive. They are the same on every machine
// and at any time.
func add(files fstest.MapFS, folder string, from fs.FS, root string) error {
	return fs.WalkDir(from, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, name)
		name = strings.TrimPrefix(name, root+"/")
		if from == packaging {
			name = strings.ReplaceAll(name, "VERSION", archiveVersion)
			data = bytes.ReplaceAll(data, []byte("VERSION"), []byte(archiveVersion))
		}
		files[path.Join(folder, name)] = file(data)
		return err
	})
}

func file(data []byte) *fstest.MapFile {
	return &fstest.MapFile{Data: data, Mode: 0o644, ModTime: time.Unix(0, 0)}
}

// tarball returns files as a compressed tar.
func tarball(files fstest.MapFS) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	err = errors.Join(w.AddFS(files), w.Close(), compressed.Close())
	return out.Bytes(), err
}

// wheel returns files as a Python wheel, which pip installs without a build or a network.
func wheel(files fstest.MapFS) ([]byte, error) {
	const list = "callwire_corpus-" + archiveVersion + ".dist-info/RECORD"
	record := ""
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name].Data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", name,
			base64.RawURLEncoding.EncodeToString(sum[:]), len(files[name].Data))
	}
	files[list] = file([]byte(record + list + ",,\n"))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	err := errors.Join(w.AddFS(files), w.Close())
	return out.Bytes(), err
}
