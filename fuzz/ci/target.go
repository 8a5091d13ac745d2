package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// target is a native fuzz target.
type target struct {
	Package string                   `json:"package"` // its import path
	Target  string                   `json:"target"`  // the function
	Name    string                   `json:"name"`    // of both, for files: lexer_fuzz_text
	dir     string                   // of the package
	funcs   map[string]*ast.FuncDecl // of its tests
}

// targets lists the targets of all packages of the module in which dir is. It reads
// them in the sources, as go test does: nothing is compiled for it.
func targets(ctx context.Context, dir string) ([]target, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
		}
		return nil, err
	}
	var all []target
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := in.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		funcs := map[string]*ast.FuncDecl{}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil {
					continue
				}
				funcs[f.Name.Name] = f
				if fuzzes(f.Name.Name) {
					all = append(all, target{p.ImportPath, f.Name.Name, nameOf(p.ImportPath, f.Name.Name), p.Dir, funcs})
				}
			}
		}
	}
}

// fuzzes reports whether go test takes a function of that name for a target.
func fuzzes(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	return ok && (rest == "" || rest[0] < 'a' || 'z' < rest[0])
}

// selected returns the targets that pattern, a regular expression, finds in the name,
// in the function, or in both package and function; it is an error if there are none.
func selected(all []target, pattern string) (some []target, err error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if re.MatchString(t.Name) || re.MatchString(t.Target) || re.MatchString(t.Package+"."+t.Target) {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("no target matches %q", pattern)
	}
	return some, nil
}

// nameOf returns a name for files: the last part of the package, and the target
// in lower case with underscores.
func nameOf(pkg, function string) string {
	name := path.Base(pkg)
	for _, c := range function {
		if 'A' <= c && c <= 'Z' {
			name += "_" + string(c-'A'+'a')
		} else {
			name += string(c)
		}
	}
	return name
}
