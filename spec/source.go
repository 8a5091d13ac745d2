package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// A declaration is a type of package grammar. Its comment describes a production and names the
// rules that it states.
type declaration struct {
	doc   string // without the rules
	rules []string
}

// readDeclarations returns the types in the Go files that are not tests, by their names.
func readDeclarations(source fs.FS) (map[string]declaration, error) {
	names, err := fs.Glob(source, "*.go")
	if err != nil {
		return nil, err
	}
	all := map[string]declaration{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			types, ok := d.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			doc, rules := splitRules(types.Doc.Text())
			for _, s := range types.Specs {
				all[s.(*ast.TypeSpec).Name.Name] = declaration{doc, rules}
			}
		}
	}
	return all, nil
}

// splitRules takes the paragraph "Rule: a.b, c.d" from the end of a comment.
func splitRules(comment string) (doc string, rules []string) {
	doc, list, _ := strings.Cut(comment, "Rule: ")
	return strings.TrimSpace(doc), strings.FieldsFunc(list, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\n'
	})
}
