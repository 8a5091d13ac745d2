package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
)

// param is a parameter of the function that a target gives to f.Fuzz.
type param struct {
	name string
	kind string // its type, as it is written
}

// parameters reads the parameters of a target in the sources of the package in dir,
// all but the first, which is t.
func parameters(dir, function string) ([]param, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == function {
				if all := fuzzed(f); len(all) > 0 {
					return all, nil
				}
				return nil, fmt.Errorf("%s: %s calls no f.Fuzz with a function that is written there", name, function)
			}
		}
	}
	return nil, fmt.Errorf("no target %s in %s", function, dir)
}

// fuzzed returns the parameters of the function that f calls Fuzz with.
func fuzzed(f *ast.FuncDecl) []param {
	var all []param
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		lit, isLit := call.Args[0].(*ast.FuncLit)
		if !ok || !isLit || of.Sel.Name != "Fuzz" {
			return true
		}
		for _, field := range lit.Type.Params.List[1:] {
			for _, name := range field.Names {
				all = append(all, param{name.Name, types.ExprString(field.Type)})
			}
		}
		return false
	})
	return all
}

// folders returns the folder of each package of the module in which dir is.
func folders(ctx context.Context, dir string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all := map[string]string{}
	for line := range bytes.Lines(out) {
		if path, folder, ok := strings.Cut(strings.TrimSpace(string(line)), "\t"); ok {
			all[path] = folder
		}
	}
	return all, nil
}
