// Command release builds what is published of a version: for each platform the program,
// whole and slim, each in an archive; what each is made of; and the sums of all files.
//
//	go run ./cmd/callwire/release --version v1.0.0 --out dist
//
// The same source and the same Go give the same bytes: programs carry no paths, and
// archives no times.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// targets are the platforms that are built for.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// programs are what is built: the slim one has at most 12 MB, without the commands that
// carry the corpus, the specification and vocabularies with them.
var programs = []program{{"callwire", ""}, {"callwire-slim", "slim"}}

type program struct{ name, tags string }

func main() {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the `version`, as in v1.0.0")
	out := flags.String("out", "dist", "the `folder` to write into")
	only := flags.String("target", "", "only this platform, as in `linux/amd64`")
	err := flags.Parse(os.Args[1:])
	if err == nil {
		err = release(*version, *out, *only)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
}

var versionForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// release writes archives, what the programs are made of, and the sums of both.
func release(version, out, only string) error {
	if !versionForm.MatchString(version) {
		return fmt.Errorf("--version is one like v1.0.0, not %q", version)
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("this is no clone of callwire: %w", err)
	}
	b := builder{root: strings.TrimSpace(string(root)), version: version, out: out}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	built := 0
	for _, target := range targets {
		if only != "" && only != target {
			continue
		}
		for _, p := range programs {
			if err := b.build(target, p); err != nil {
				return fmt.Errorf("%s for %s: %w", p.name, target, err)
			}
			built++
		}
	}
	if built == 0 {
		return fmt.Errorf("--target is one of %s, not %q", strings.Join(targets, ", "), only)
	}
	return b.sums()
}

// builder builds one version.
type builder struct {
	root, version, out string
	files              []string // that were written
}

// build builds a program for a platform, and writes its archive and what it is made of.
func (b *builder) build(target string, p program) error {
	system, machine, _ := strings.Cut(target, "/")
	dir, err := os.MkdirTemp("", "callwire-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := "callwire"
	if system == "windows" {
		name += ".exe"
	}
	file := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags="+p.tags, "-ldflags=-s -w -buildid= -X main.tagged="+b.version, "-o", file, "./cmd/callwire")
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	parts := []part{{name, file, 0o755}, {"LICENSE", filepath.Join(b.root, "LICENSE"), 0o644}, {"README.md", filepath.Join(b.root, "README.md"), 0o644}}
	base := fmt.Sprintf("%s_%s_%s_%s", p.name, strings.TrimPrefix(b.version, "v"), system, machine)
	pack, ending := tarball, ".tar.gz"
	if system == "windows" {
		pack, ending = zipped, ".zip"
	}
	archive, err := pack(parts)
	if err != nil {
		return err
	}
	if err := b.write(base+ending, archive); err != nil {
		return err
	}
	bill, err := billOf(file, b.version)
	if err != nil {
		return err
	}
	return b.write(base+".cdx.json", bill)
}

func (b *builder) write(name string, text []byte) error {
	b.files = append(b.files, name)
	return os.WriteFile(filepath.Join(b.out, name), text, 0o666)
}

// sums writes the sums of all files, in the form that sha256sum checks.
func (b *builder) sums() error {
	slices.Sort(b.files)
	var sums strings.Builder
	for _, name := range b.files {
		text, err := os.ReadFile(filepath.Join(b.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), name)
	}
	return os.WriteFile(filepath.Join(b.out, "checksums.txt"), []byte(sums.String()), 0o666)
}

// part is a file of an archive.
type part struct {
	name, file string
	mode       int64
}

// tarball packs files for systems that have tar.
func tarball(parts []part) ([]byte, error) {
	var out bytes.Buffer
	zipper, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zipper)
	for _, p := range parts {
		text, err := os.ReadFile(p.file)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: p.name, Mode: p.mode, Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), zipper.Close())
	return out.Bytes(), err
}

// zipped packs files for Windows.
func zipped(parts []part) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		f, err := os.Open(p.file)
		if err != nil {
			return nil, err
		}
		header := &zip.FileHeader{Name: p.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		header.SetMode(os.FileMode(p.mode))
		to, err := w.CreateHeader(header)
		if err == nil {
			_, err = io.Copy(to, f)
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
