package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed returns a file of the package p with the declarations.
func parsed(t *testing.T, decls string) *source {
	t.Helper()
	s := &source{pkg: "p", name: "p/p.go", text: []byte("package p\n" + decls), fset: token.NewFileSet()}
	var err error
	if s.tree, err = parser.ParseFile(s.fset, s.name, s.text, 0); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOperators lists, for each operator, all of its mutants of a line. Other operators
// may have more.
func TestOperators(t *testing.T) {
	for _, c := range []struct {
		operator, line string
		want           []string
	}{
		{"remove", "x = 1", []string{"if false { x = 1 }"}},
		{"remove", "x := 1", nil},
		{"remove", "x++", []string{"if false { x++ }"}},
		{"remove", "f(x)", []string{"if false { f(x) }"}},
		{"remove", "for { break }", []string{"for { if false { break } }"}},
		{"remove", "if x > 1 { return }", nil},
		{"remove", "switch { default: return }", []string{"switch { default: if false { return } }"}},
		{"compare", "_ = x < y", []string{"_ = x <= y", "_ = x >= y"}},
		{"compare", "_ = x <= y", []string{"_ = x < y", "_ = x > y"}},
		{"compare", "_ = x > y", []string{"_ = x >= y", "_ = x <= y"}},
		{"compare", "_ = x >= y", []string{"_ = x > y", "_ = x < y"}},
		{"compare", "_ = x == y", []string{"_ = x != y"}},
		{"compare", "_ = x != y", []string{"_ = x == y"}},
		{"case", "switch x { case 1, 2, 3: f() }", []string{"switch x {  }", "switch x { case 2, 3: f() }", "switch x { case 1, 3: f() }", "switch x { case 1, 2: f() }"}},
		{"case", "switch { case x > y: f() }", []string{"switch { case false && (x > y): f() }", "switch { case !(x > y): f() }"}},
		{"case", "switch x { default: f() }", []string{"switch x {  }"}},
		{"case", "switch { default: f() }", []string{"switch {  }"}},
		{"case", "switch x := y.(type) { case T, U: f(x) }", []string{"switch x := y.(type) {  }", "switch x := y.(type) { case U: f(x) }", "switch x := y.(type) { case T: f(x) }"}},
		{"case", "switch x.(type) { default: f() }", []string{"switch x.(type) {  }"}},
		{"const", "_ = 0", []string{"_ = 1"}},
		{"const", "_ = 0x80", []string{"_ = (0x80 + 1)", "_ = (0x80 - 1)"}},
		{"const", "_ = 'a'", []string{"_ = ('a' + 1)", "_ = ('a' - 1)"}},
		{"const", "_ = true", []string{"_ = false"}},
		{"const", "_ = false", []string{"_ = true"}},
		{"const", `_ = "a"`, nil},
		{"bool", "_ = x && y", []string{"_ = x || y"}},
		{"bool", "_ = x || y", []string{"_ = x && y"}},
		{"bool", "_ = !x", []string{"_ = x"}},
		{"bool", "if x := f(); x { f() }", []string{"if x := f(); false && (x) { f() }", "if x := f(); true || x { f() }"}},
		{"arith", "_ = x + y", []string{"_ = x - y"}},
		{"arith", "_ = x - y", []string{"_ = x + y"}},
		{"arith", "_ = x &^ y", []string{"_ = x & y"}},
		{"arith", "_ = x << y", []string{"_ = x >> y"}},
		{"arith", "x |= y", []string{"x &= y"}},
		{"arith", "x--", []string{"x++"}},
		{"arith", "_ = -x", nil},
		{"delims", "_ = '['", []string{"_ = '{'"}},
		{"delims", `_ = '"'`, []string{`_ = '\''`}},
		{"delims", `_ = "}"`, []string{`_ = "]"`}},
		{"delims", "f(l.open)", []string{"f(l.close)"}},
		{"delims", "_ = ObjectClose", []string{"_ = ArrayClose"}},
		{"escape", `b = append(b, '\\', c)`, []string{`b = append(b, c)`}},
		{"escape", `_ = "\\n\\"`, []string{`_ = "n\\"`}},
		{"escape", "_ = `\\u0000`", []string{"_ = `u0000`"}},
		{"escape", `_ = '\n'`, []string{`_ = 'n'`}},
		{"escape", `_ = "\n"`, nil},
		{"early", "l.emit(k, from, to)", []string{"l.emit(k, from, (to) - 1)"}},
		{"early", "f(from, to)", nil},
		{"early", "_ = b[i:j]", []string{"_ = b[i:(j) - 1]"}},
		{"early", "_ = b[i:]", nil},
		{"early", "s.Start, s.End = i, j+1", []string{"s.Start, s.End = i, (j+1) - 1"}},
		{"early", "_ = span{End: n}", []string{"_ = span{End: (n) - 1}"}},
	} {
		s := parsed(t, "func f() {\n"+c.line+"\n}\n")
		var got []string
		for _, m := range s.mutants() {
			if m.operator == c.operator {
				line := strings.TrimSuffix(strings.TrimPrefix(string(m.apply()), "package p\nfunc f() {\n"), "\n}\n")
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(toSet(c.want), toSet(got)); diff != "" {
			t.Errorf("%s %s (-want +got)\n%s", c.operator, c.line, diff)
		}
	}
}

func toSet(lines []string) map[string]bool {
	set := map[string]bool{}
	for _, l := range lines {
		set[l] = true
	}
	return set
}

// Go can parse every mutant of this package itself.
func TestMutantsParse(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &source{pkg: "p", name: name, text: text, fset: token.NewFileSet()}
		if s.tree, err = parser.ParseFile(s.fset, name, text, 0); err != nil {
			t.Fatal(err)
		}
		for _, m := range s.mutants() {
			if _, err := parser.ParseFile(token.NewFileSet(), name, m.apply(), parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", m, err)
			}
		}
	}
}
