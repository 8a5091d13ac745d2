package fuzz

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

//go:embed README.md
var readme string

// properties is the number of properties that hold for every input.
const properties = 24

var (
	row  = regexp.MustCompile(`(?m)^\| (\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|`)
	name = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`)
)

// TestReadme fails if the table lacks a property, or names a test or target that does not
// exist, or if a target of the module or a test of this folder is not named.
func TestReadme(t *testing.T) {
	exist := functions(t, ".")
	elsewhere := map[string]bool{}
	for dir, targets := range targetsElsewhere(t) {
		for _, n := range targets {
			elsewhere[n] = true
			if !regexp.MustCompile("(?m)^\\| `" + dir + "` \\|.*\\b" + n + "\\b").MatchString(readme) {
				t.Errorf("README.md does not name %s of %s", n, dir)
			}
		}
	}
	listed := map[string]bool{}
	for _, n := range name.FindAllString(readme, -1) {
		if !exist[n] && !elsewhere[n] {
			t.Errorf("%s does not exist", n)
		}
		listed[n] = true
	}
	next := 1
	for _, r := range row.FindAllStringSubmatch(readme, -1) {
		if n, _ := strconv.Atoi(r[1]); n != next {
			t.Errorf("property %d is where %d should be", n, next)
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

// targetsElsewhere returns the targets of the other packages of the module, by folder.
func targetsElsewhere(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case d.Name() == "node_modules" || d.Name() == "testdata" || filepath.Base(path) == "fuzz":
			return fs.SkipDir
		}
		dir, _ := filepath.Rel("..", path)
		for n := range functions(t, path) {
			if strings.HasPrefix(n, "Fuzz") {
				found[filepath.ToSlash(dir)] = append(found[filepath.ToSlash(dir)], n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no package has a target")
	}
	return found
}

// functions returns the names of the tests and targets of a folder.
func functions(t *testing.T, dir string) map[string]bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
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
