package grammar

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every production states at least one rule, and every rule has an id of the form
// topic.name.
func TestRules(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+$`)
	stated := map[string]bool{}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), entry.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range file.Comments {
			_, rules, _ := strings.Cut(comment.Text(), "\nRule: ")
			for _, rule := range strings.FieldsFunc(rules, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
				if !id.MatchString(rule) {
					t.Errorf("%s: %q is not the id of a rule", entry.Name(), rule)
				}
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			declaration, ok := node.(*ast.GenDecl)
			if !ok || declaration.Tok != gotoken.TYPE {
				return true
			}
			name := declaration.Specs[0].(*ast.TypeSpec).Name.Name
			stated[name] = strings.Contains(declaration.Doc.Text(), "\nRule: ")
			return false
		})
	}
	for _, production := range productionTypes {
		if !stated[production.Name()] {
			t.Errorf("%s states no rule", production.Name())
		}
	}
}
