package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestArchive writes the corpus twice: the same bytes, with the checksums of what
// is there, and every file in each layout.
func TestArchive(t *testing.T) {
	var sums [2]string
	for i := range sums {
		dir := t.TempDir()
		if got := callwire("", "cases", "--archive", dir); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
		lines := strings.Split(strings.TrimSpace(sums[i]), "\n")
		for _, line := range lines {
			sum, name, _ := strings.Cut(line, "  ")
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || fmt.Sprintf("%x", sha256.Sum256(data)) != sum {
				t.Errorf("%s: %v", line, err)
			}
			found := contents(t, name, data)
			for _, want := range []string{"framing.json", "rules.json", "schema.json", "ids.txt", "README.md", "LICENSE"} {
				if !found[want] {
					t.Errorf("%s has no %s", name, want)
				}
			}
		}
		if len(lines) != 3 {
			t.Errorf("%d archives", len(lines))
		}
	}
	if sums[0] != sums[1] {
		t.Errorf("%s and %s", sums[0], sums[1])
	}
	if got := callwire("", "cases", "--archive", "main.go/folder"); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
}

// contents returns the names of the files in an archive, without their folders.
func contents(t *testing.T, name string, data []byte) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	if strings.HasSuffix(name, ".whl") {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			found[path.Base(f.Name)] = true
		}
		return found
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unpacked); ; {
		h, err := r.Next()
		if err != nil {
			return found
		}
		found[path.Base(h.Name)] = true
	}
}

// TestInstall has pip and npm install the archives, with no network to help, and
// reads a case where they put it.
func TestInstall(t *testing.T) {
	if !*long {
		t.Skip("-long starts pip and npm")
	}
	readme, err := fs.ReadFile(corpus.Files(), "README.md")
	dir := t.TempDir()
	if got := callwire("", "cases", "--archive", dir); got.code != exitOK || err != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, c := range []struct{ archive, command, into string }{
		{"*.whl", "python3 -m pip install --no-index --no-deps --target .", "callwire_corpus"},
		{"*.tgz", "npm install --offline --no-audit --no-fund --prefix .", "node_modules/callwire-corpus"},
	} {
		command := strings.Fields(c.command)
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Log(err)
			continue
		}
		archives, err := filepath.Glob(filepath.Join(dir, c.archive))
		if err != nil || len(archives) != 1 {
			t.Fatal(archives, err)
		}
		if name := filepath.Base(archives[0]); !strings.Contains(string(readme), name) {
			t.Errorf("corpus/README.md does not name %s", name)
		}
		cmd := exec.Command(command[0], append(command[1:], archives[0])...)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", c.command, err, out)
			continue
		}
		for _, name := range []string{"cases/framing.json", "cases/more/tags.json", "LICENSE"} {
			if _, err := os.Stat(filepath.Join(cmd.Dir, c.into, name)); err != nil {
				t.Error(err)
			}
		}
	}
}
