package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "build a release twice, and compare: a minute")

// TestRelease: what is built is complete, says its version, is no larger than it may
// be, and is the same when it is built again.
func TestRelease(t *testing.T) {
	if !*long {
		t.Skip("-long builds it")
	}
	target := runtime.GOOS + "/" + runtime.GOARCH
	first, second := t.TempDir(), t.TempDir()
	for _, out := range []string{first, second} {
		if err := release("v9.8.7-test", out, target); err != nil {
			t.Fatal(err)
		}
	}
	sums := read(t, first, "checksums.txt")
	if !bytes.Equal(sums, read(t, second, "checksums.txt")) {
		t.Error("built twice it is not the same")
	}
	// Whatever looks methods up by name, as text/template does, makes them 3 MB larger.
	for name, most := range map[string]struct{ archive, program int }{"callwire": {9 << 20, 21 << 20}, "callwire-slim": {5 << 20, 12e6}} {
		base := name + "_9.8.7-test_" + strings.Replace(target, "/", "_", 1)
		complete(t, first, base, string(sums))
		archive := read(t, first, base+".tar.gz")
		program := unpack(t, archive)
		if size := len(read(t, "", program)); len(archive) > most.archive || size > most.program {
			t.Errorf("%s: %d bytes to download, %d unpacked", name, len(archive), size)
		}
		if out, err := exec.Command(program, "version").Output(); err != nil || !strings.HasPrefix(string(out), "callwire v9.8.7-test ") {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// complete fails the test where an archive has no sum, or no bill.
func complete(t *testing.T, dir, base, sums string) {
	t.Helper()
	for _, name := range []string{base + ".tar.gz", base + ".cdx.json"} {
		if want := fmt.Sprintf("%x  %s\n", sha256.Sum256(read(t, dir, name)), name); !strings.Contains(sums, want) {
			t.Errorf("no %q in %s", want, sums)
		}
	}
	var b bill
	if err := json.Unmarshal(read(t, dir, base+".cdx.json"), &b); err != nil || b.Format != "CycloneDX" || len(b.Components) < 5 {
		t.Errorf("%v: %+v", err, b)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// unpack returns the program of an archive, which has the licence beside it.
func unpack(t *testing.T, archive []byte) string {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	program := filepath.Join(t.TempDir(), "callwire")
	for r := tar.NewReader(zipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names += h.Name + " "
		if h.Name == "callwire" {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(program, text, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if names != "callwire LICENSE README.md " {
		t.Errorf("the archive has %s", names)
	}
	return program
}

// TestParts: archives of the same files are the same, whenever they are made, and the
// bill of a program names what it is made of.
func TestParts(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parts := []part{{"callwire", "main.go", 0o755}, {"LICENSE", "../../../LICENSE", 0o644}, {"README.md", "README.md", 0o644}}
	for _, pack := range []func([]part) ([]byte, error){tarball, zipped} {
		first, err := pack(parts)
		second, err2 := pack(parts)
		if err != nil || err2 != nil || !bytes.Equal(first, second) || len(first) < 1000 {
			t.Errorf("%v %v: %d and %d bytes", err, err2, len(first), len(second))
		}
	}
	packed, _ := tarball(parts)
	unpack(t, packed)
	text, err := billOf(program, "v1.0.0")
	if err != nil || !strings.Contains(string(text), `"name": "std"`) || !strings.Contains(string(text), `"version": "v1.0.0"`) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestRefuses: a version has a form, and a platform is one of those.
func TestRefuses(t *testing.T) {
	if err := release("1.0", t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "--version") {
		t.Error(err)
	}
	if err := release("v1.0.0", t.TempDir(), "plan9/mips"); err == nil || !strings.Contains(err.Error(), "--target") {
		t.Error(err)
	}
}

// TestWorkflow: the workflow and the container file build with commands that exist.
func TestWorkflow(t *testing.T) {
	workflow := string(read(t, "../../../.github/workflows", "release.yml"))
	container := string(read(t, ".", "Containerfile"))
	for _, want := range []string{"bash .ci/run", "go run ./cmd/callwire/release --version", "checksums.txt"} {
		if !strings.Contains(workflow, want) {
			t.Errorf("the workflow has no %q", want)
		}
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(read(t, "../../..", "go.mod")))
	if version == nil || !strings.Contains(container, "golang:") || !strings.Contains(container, `"proxy"`) {
		t.Errorf("%v %s", version, container)
	}
}
