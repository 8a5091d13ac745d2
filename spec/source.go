package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// A declaration is a type of package grammar, or something else whose comment
// names the rules that it states.
type declaration struct {
	name   string
	isType bool
	file   string
	doc    string // without the rules
	rules  []string
}

// readDeclarations returns the declarations of the Go files that are not tests.
func readDeclarations(source fs.FS) ([]declaration, error) {
	names, err := fs.Glob(source, "*.go")
	if err != nil {
		return nil, err
	}
	var all []declaration
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
		all = append(all, declarationsOf(file, name)...)
	}
	return all, nil
}

func declarationsOf(file *ast.File, name string) (all []declaration) {
	add := func(of string, isType bool, comment *ast.CommentGroup) {
		doc, rules := splitRules(comment.Text())
		if isType || len(rules) > 0 {
			all = append(all, declaration{of, isType, name, doc, rules})
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name, false, d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				add(t.Name.Name, true, d.Doc)
				if s, ok := t.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						if len(f.Names) == 1 {
							add(t.Name.Name+"."+f.Names[0].Name, false, f.Doc)
						}
					}
				}
			}
		}
	}
	return all
}

// splitRules takes the paragraph "Rule: a.b, c.d" from the end of a comment.
func splitRules(comment string) (doc string, rules []string) {
	doc, list, _ := strings.Cut(comment, "Rule: ")
	return strings.TrimSpace(doc), strings.FieldsFunc(list, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\n'
	})
}
