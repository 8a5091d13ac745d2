package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// source is one file that is mutated.
type source struct {
	pkg  string // the package's folder in the module, with slashes
	name string // the file's path in the module, with slashes
	path string // where it is
	text []byte
	tree *ast.File
	fset *token.FileSet
}

// mutants returns all mutants of the package in the folder pkg of the module at root, in
// source order.
func mutants(root, pkg string) ([]*mutant, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(pkg)))
	if err != nil {
		return nil, err
	}
	var all []*mutant
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		s := &source{pkg: pkg, name: path.Join(pkg, e.Name()), fset: token.NewFileSet()}
		s.path = filepath.Join(root, filepath.FromSlash(s.name))
		if s.text, err = os.ReadFile(s.path); err != nil {
			return nil, err
		}
		if s.tree, err = parser.ParseFile(s.fset, s.path, s.text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		all = append(all, s.mutants()...)
	}
	number(all)
	if len(all) == 0 {
		return nil, fmt.Errorf("no mutants in package %s", pkg)
	}
	return all, nil
}

// mutants returns the mutants of one file.
func (s *source) mutants() []*mutant {
	var all []*mutant
	for _, d := range s.tree.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.PreorderStack(d, nil, func(n ast.Node, parents []ast.Node) bool {
			for _, o := range operators {
				for _, e := range o.find(s, n, parents) {
					all = append(all, &mutant{file: s, function: function(d, n, parents), operator: o.name, from: e.from, to: e.to, text: e.text})
				}
			}
			return true
		})
	}
	slices.SortStableFunc(all, func(a, b *mutant) int {
		return cmp.Or(a.from-b.from, a.to-b.to, strings.Compare(a.text, b.text))
	})
	return slices.CompactFunc(all, func(a, b *mutant) bool { return a.from == b.from && a.to == b.to && a.text == b.text })
}

// function returns the name of the function or declaration that n belongs to.
func function(d ast.Decl, n ast.Node, parents []ast.Node) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		for _, p := range append(parents[:len(parents):len(parents)], n) {
			switch p := p.(type) {
			case *ast.ValueSpec:
				return p.Names[0].Name
			case *ast.TypeSpec:
				return p.Name.Name
			}
		}
		return "-"
	}
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if of, ok := t.(*ast.IndexExpr); ok { // a generic type
		t = of.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// offset returns the offset of p in the text.
func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// of returns the text of n.
func (s *source) of(n ast.Node) string { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }

// sample returns n of the mutants, all for n <= 0, in an order that depends on the seed:
// a prefix of a sample is a sample.
func sample(all []*mutant, n int, seed uint64) []*mutant {
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b *mutant) int { return cmp.Compare(a.rank(seed), b.rank(seed)) })
	if n > 0 && n < len(ranked) {
		ranked = ranked[:n]
	}
	return ranked
}
