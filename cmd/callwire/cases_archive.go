package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
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

// writeArchives writes the corpus into a folder, in the layouts of npm and of
// PyPI and plain, and the checksums of the archives. The same corpus gives the
// same bytes.
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
  "license": "MIT",
  "files": ["cases", "rules.json", "schema.json", "ids.txt"]
}
`, version)})
	top := "callwire_corpus-" + version
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: callwire-corpus\nVersion: %s\nSummary: Conformance cases of the callwire format\n", version)
	pypi := append(under(top+"/callwire_corpus", plain),
		archived{top + "/PKG-INFO", []byte(metadata)},
		archived{top + "/callwire_corpus/__init__.py", []byte(`"""Conformance cases of the callwire format, as files in this folder."""
`)},
		archived{top + "/pyproject.toml", fmt.Appendf(nil, `[build-system]
requires = ["setuptools>=62.3"]
build-backend = "setuptools.build_meta"

[project]
name = "callwire-corpus"
version = %q
description = "Conformance cases of the callwire format"

[tool.setuptools.package-data]
callwire_corpus = ["**/*.json", "*.txt", "*.md"]
`, version)})
	var sums bytes.Buffer
	for _, a := range []struct {
		name  string
		files []archived
	}{
		{archiveName + ".tar.gz", under(archiveName, plain)},
		{"callwire-corpus-" + version + ".tgz", npm},
		{top + ".tar.gz", pypi},
	} {
		data, err := archive(a.files)
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

// under puts files into a folder.
func under(folder string, files []archived) []archived {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// archive returns files as a tar, compressed, without anything of the machine or
// the time.
func archive(files []archived) ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zip)
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
	err = zip.Close()
	return out.Bytes(), err
}
