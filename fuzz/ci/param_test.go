package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParameters(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", `package p

func FuzzTwo(f *testing.F) {
	f.Add("", nil, 1)
	f.Fuzz(func(t *testing.T, name string, in, cuts []byte, n int) { f.Log(n) })
}

func FuzzShared(f *testing.F) { strings.ToLower(""); fuzzOne(f, "x") }

func fuzzOne(f *testing.F, of string) { f.Fuzz(func(t *testing.T, in string) { f.Log(of) }) }

func FuzzNone(f *testing.F) { f.Fuzz(check) }
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]*ast.FuncDecl{}
	for _, d := range file.Decls {
		f := d.(*ast.FuncDecl)
		funcs[f.Name.Name] = f
	}
	for function, want := range map[string][]param{
		"FuzzTwo":    {{"name", "string"}, {"in", "[]byte"}, {"cuts", "[]byte"}, {"n", "int"}},
		"FuzzShared": {{"in", "string"}},
		"FuzzNone":   nil,
	} {
		got, err := target{Target: function, funcs: funcs}.parameters()
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(param{})); diff != "" || (err != nil) != (want == nil) {
			t.Errorf("%s: error %v (-want +got)\n%s", function, err, diff)
		}
	}
}
