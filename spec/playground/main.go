// Command playground builds the site of callwire into a folder: the playground over
// wasm, the specification, the benchmarks and the list of implementations. Run it in a
// clone; any file server can serve the result:
//
//	go run ./spec/playground --out site
//
// Reports of callwire conform --report json make the list of implementations:
//
//	go run ./spec/playground --out site --report mine.json
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/callwire/callwire/corpus/runner"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/spec"
	"github.com/callwire/callwire/spec/playground/site"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(2)
	}
}

// run reads the command line and builds the site.
func run(args []string) error {
	flags := flag.NewFlagSet("playground", flag.ContinueOnError)
	out := flags.String("out", "", "the `folder` to write into")
	var reports []string
	addReport := func(name string) error {
		reports = append(reports, name)
		return nil
	}
	flags.Func("report", "a `file` of callwire conform --report json; can be repeated", addReport)
	flags.SetOutput(io.Discard)
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(os.Stdout)
		flags.Usage()
		return err
	} else if err != nil {
		return fmt.Errorf("%w; as in: go run ./spec/playground --out site --report mine.json", err)
	}
	if *out == "" {
		return errors.New("give the folder to write into: --out site")
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s has no flag; use --report for a report", flags.Arg(0))
	}
	return build(*out, reports)
}

// build writes the site into the folder.
func build(out string, reports []string) error {
	matrix, err := implementations(reports)
	if err != nil {
		return err
	}
	root, err := output("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	written, err := spec.Files()
	if err != nil {
		return err
	}
	for _, f := range written {
		if err := write(out, "spec/"+f.Name, f.Text); err != nil {
			return err
		}
	}
	files, err := site.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := write(out, "playground/"+f.Name, f.Text); err != nil {
			return err
		}
	}
	start, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := write(out, "playground/wasm_exec.js", start); err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Join(out, "playground"))
	if err != nil {
		return err
	}
	if err := compile(root, filepath.Join(folder, "callwire.wasm")); err != nil {
		return err
	}
	if err := pages(root, out, matrix); err != nil {
		return err
	}
	return write(out, "style.css", siteCSS)
}

// compile builds the engine for browsers. Without inlined functions the compressed size
// is a tenth smaller, and texts of the size that people type take the same time.
func compile(root, to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", to,
		"./spec/playground/wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the wasm: %w\n%s", err, text)
	}
	return nil
}

// output returns what a command prints.
func output(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}

// write writes a file of the site.
func write(out, name string, text []byte) error {
	name = filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// pages writes the first page, the benchmarks and the implementations.
func pages(root, out string, matrix []byte) error {
	numbers, err := os.ReadFile(filepath.Join(root, "cmd", "callwire", "BENCHMARKS.md"))
	if err != nil {
		return err
	}
	const picture = "internal/bench/live.svg"
	text, err := os.ReadFile(filepath.Join(root, "cmd", "callwire", filepath.FromSlash(picture)))
	if err != nil {
		return err
	}
	if err := write(out, picture, text); err != nil {
		return err
	}
	for _, p := range []struct {
		file, title string
		text        []byte
	}{
		{"index.html", "callwire", []byte(firstPage)},
		{"benchmarks.html", "Benchmarks", numbers},
		{"implementations.html", "Implementations", matrix},
	} {
		text, err := page(p.title, p.text)
		if err != nil {
			return err
		}
		if err := write(out, p.file, text); err != nil {
			return err
		}
	}
	return nil
}

// implementations returns the matrix of the reports as Markdown.
func implementations(reports []string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(implementationsHead)
	if len(reports) == 0 {
		b.WriteString(shippedReaders)
		return b.Bytes(), nil
	}
	var files []io.Reader
	for _, name := range reports {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		files = append(files, f)
	}
	var matrix strings.Builder
	err := runner.Compare(&matrix, files...)
	for line := range strings.Lines("\n" + matrix.String()) {
		b.WriteString(sig.Visible(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.Bytes(), err
}

var converter = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithRendererOptions(html.WithUnsafe()))

// page returns Markdown as a page of the site.
func page(title string, text []byte) ([]byte, error) {
	var body, out bytes.Buffer
	if err := converter.Convert(text, &body); err != nil {
		return nil, err
	}
	// Elements that are wider than a phone can be scrolled with the keyboard.
	focusable := strings.NewReplacer(
		"<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)
	written := focusable.Replace(body.String())
	err := pageTemplate.Execute(&out,
		map[string]any{"Title": title, "Body": template.HTML(written)})
	return out.Bytes(), err
}
