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
	"testing/fstest"
	"time"

	"github.com/callwire/callwire/corpus"
)

// archiveVersion is the version of the corpus as a package.
const archiveVersion = corpus.Version + ".0"

// Files that npm and pip want beside the corpus.
const (
	wheelInfo   = "callwire_corpus-" + archiveVersion + ".dist-info/"
	packageJSON = `{
  "name": "callwire-corpus",
  "version": "` + archiveVersion + `",
  "description": "Conformance cases of the callwire format",
  "license": "MIT"
}
`
	wheelMetadata = `Metadata-Version: 2.1
Name: callwire-corpus
Version: ` + archiveVersion + `
Summary: Conformance cases of the callwire format
License: MIT
`
	wheelFormat = `Wheel-Version: 1.0
Generator: callwire
Root-Is-Purelib: true
Tag: py3-none-any
`
	wheelInit = `"""Conformance cases of the callwire format, as files in this folder."""
`
)

// archives are the corpus in a folder of each archive, beside some files.
var archives = []struct {
	name, folder string
	more         map[string]string
	pack         func(fstest.MapFS) ([]byte, error)
}{
	{"callwire-corpus-" + corpus.Version + ".tar.gz", "callwire-corpus-" + corpus.Version, nil,
		tarball},
	{"callwire-corpus-" + archiveVersion + ".tgz", "package",
		map[string]string{"package/package.json": packageJSON}, tarball},
	{"callwire_corpus-" + archiveVersion + "-py3-none-any.whl", "callwire_corpus",
		map[string]string{
			"callwire_corpus/__init__.py": wheelInit,
			wheelInfo + "METADATA":        wheelMetadata,
			wheelInfo + "WHEEL":           wheelFormat,
		}, wheel},
}

// writeArchives writes the corpus into a folder, plain, for npm and for PyPI, and
// the checksums of the archives. The same corpus gives the same bytes.
func writeArchives(dir string) error {
	if err := makeFolder(dir); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, a := range archives {
		files := fstest.MapFS{}
		err := fs.WalkDir(corpus.Files(), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(corpus.Files(), name)
			files[path.Join(a.folder, name)] = file(text)
			return err
		})
		if err != nil {
			return err
		}
		for name, text := range a.more {
			files[name] = file([]byte(text))
		}
		data, err := a.pack(files)
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
	var record bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name].Data
		sum := sha256.Sum256(data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name,
			base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	}
	record.WriteString(wheelInfo + "RECORD,,\n")
	files[wheelInfo+"RECORD"] = file(record.Bytes())
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	err := errors.Join(w.AddFS(files), w.Close())
	return out.Bytes(), err
}
