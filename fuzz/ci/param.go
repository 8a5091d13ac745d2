package main

import (
	"fmt"
	"go/ast"
	"go/types"
)

// param is a parameter of the function that a target gives to f.Fuzz.
type param struct {
	name string
	kind string // its type, as it is written
}

// parameters returns the parameters of what the target calls Fuzz with, all but the
// first, which is t. It may call it by a function of the same package that it gives f.
func (t target) parameters() ([]param, error) {
	all := fuzzed(t.funcs[t.Target])
	ast.Inspect(t.funcs[t.Target], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(all) == 0 {
			if name, ok := call.Fun.(*ast.Ident); ok && t.funcs[name.Name] != nil {
				all = fuzzed(t.funcs[name.Name])
			}
		}
		return true
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("%s of %s calls no f.Fuzz with a function that is written there", t.Target, t.Package)
	}
	return all, nil
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
