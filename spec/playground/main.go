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
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/callwire/callwire/corpus/runner"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/spec/playground/site"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "playground: %v\n", err)
		os.Exit(2)
	}
}

// run reads the command line.
func run(args []string) error {
	var out string
	var reports []string
	cmd := &cobra.Command{
		Use: "playground --out DIR [--report FILE]...", Args: cobra.NoArgs, SilenceErrors: true,
		RunE: func(*cobra.Command, []string) error { return build(out, reports) },
	}
	cmd.Flags().StringVar(&out, "out", "", "the `folder` to write into")
	cmd.Flags().StringArrayVar(&reports, "report", nil, "a `file` of conform --report json")
	cmd.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	return errors.Join(cmd.MarkFlagRequired("out"), cmd.Execute())
}

// build builds the site into a folder.
func build(out string, reports []string) error {
	files, err := siteFiles(reports)
	if err != nil {
		return err
	}
	for name, text := range files {
		name = filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return compile(filepath.Join(out, "playground", "callwire.wasm"))
}

//go:embed pages
var pages embed.FS

// pageTemplate is every page of the site but the playground and the specification.
var pageTemplate = template.Must(template.ParseFS(pages, "pages/page.tmpl"))

// picture is in the benchmarks.
const picture = "internal/bench/live.svg"

// siteFiles returns the files of the site apart from the wasm.
func siteFiles(reports []string) (map[string][]byte, error) {
	root, err := output("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all := site.Pages()
	all["implementations.html"], err = implementations(reports)
	if err != nil {
		return nil, err
	}
	all["index.html"] = embedded("index.md")
	all["style.css"] = embedded("style.css")
	for name, from := range map[string]string{
		"benchmarks.html":         filepath.Join(root, "cmd", "callwire", "BENCHMARKS.md"),
		picture:                   filepath.Join(root, "cmd", "callwire", picture),
		"playground/wasm_exec.js": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
	} {
		all[name], err = os.ReadFile(from)
		if err != nil {
			return nil, err
		}
	}
	for name, title := range map[string]string{
		"index.html": "callwire", "benchmarks.html": "Benchmarks",
		"implementations.html": "Implementations",
	} {
		all[name], err = page(title, all[name])
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// embedded returns a file of the folder pages.
func embedded(name string) []byte {
	text, _ := pages.ReadFile("pages/" + name)
	return text
}

// compile builds the engine for browsers. Without inlined functions the compressed size
// is a tenth smaller, and texts of the size that people type take the same time.
func compile(to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", to,
		"github.com/callwire/callwire/spec/playground/wasm")
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

// implementations returns the matrix of the reports as Markdown. Without reports it lists the
// readers that anyone with a clone can judge.
func implementations(reports []string) ([]byte, error) {
	text := embedded("implementations.md")
	if len(reports) == 0 {
		return append(text, embedded("readers.md")...), nil
	}
	var files []io.Reader
	for _, name := range reports {
		report, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, bytes.NewReader(report))
	}
	var matrix strings.Builder
	err := runner.Compare(&matrix, files...)
	for line := range strings.Lines("\n" + matrix.String()) {
		text = append(text, unseen.Escape(strings.TrimSuffix(line, "\n"))+"\n"...)
	}
	return text, err
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
