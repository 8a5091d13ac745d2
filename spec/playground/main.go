// Command playground writes the playground over wasm, and the specification beside it, into a
// folder that any file server can serve. Run it in a clone:
//
//	go run ./spec/playground --out site
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/callwire/callwire/spec/playground/site"
)

func main() {
	out := flag.String("out", "site", "the `folder` to write into")
	flag.Parse()
	if err := build(*out); err != nil {
		fmt.Fprintf(os.Stderr, "playground: %v\n", err)
		os.Exit(2)
	}
}

// build writes the site into a folder.
func build(out string) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	all := site.Pages()
	all["playground/wasm_exec.js"], err = os.ReadFile(
		filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	for name, text := range all {
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

// compile builds the engine for browsers. Without inlined functions the compressed size
// is a tenth smaller, and texts of the size that people type take the same time.
func compile(to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", to,
		"github.com/callwire/callwire/spec/playground/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the wasm: %w\n%s", err, text)
	}
	return nil
}
