package fuzz

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

//go:embed README.md
var readme string

// properties are those that hold for every input.
const properties = 24

var (
	row  = regexp.MustCompile(`(?m)^\| (\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|`)
	name = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`)
)

// TestReadme fails where the table lacks a property, or names a test or target
// that does not exist, or where a target or a test of this folder is named
// nowhere.
func TestReadme(t *testing.T) {
	exist := functions(t)
	listed := map[string]bool{}
	for _, n := range name.FindAllString(readme, -1) {
		if !exist[n] {
			t.Errorf("%s does not exist", n)
		}
		listed[n] = true
	}
	next := 1
	for _, r := range row.FindAllStringSubmatch(readme, -1) {
		if n, _ := strconv.Atoi(r[1]); n != next {
			t.Errorf("property %d stands where %d should", n, next)
		}
		tests := name.FindAllString(r[3], -1)
		if len(tests) == 0 {
			t.Errorf("property %d has no test", next)
		}
		next++
	}
	if next != properties+1 {
		t.Errorf("%d properties are listed, want %d", next-1, properties)
	}
	for n := range exist {
		if helper := n == "TestMain" || n == "TestReadme" || n == "TestMeasure"; !listed[n] && !helper {
			t.Errorf("README.md does not name %s", n)
		}
	}
}

// functions returns the names of the tests and targets of this folder.
func functions(t *testing.T) map[string]bool {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && name.MatchString(f.Name.Name) {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}
