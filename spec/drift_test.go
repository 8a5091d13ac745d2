package spec

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// This file compares things that are written in several places. Package corpus itself
// tests that every rule has a case and that every rule of a case exists.

// Every code of the table is in some case, and every code of a case in the table.
func TestCodes(t *testing.T) {
	d := theDocument()
	known := map[string]bool{}
	for _, c := range d.Codes {
		known[string(c.Code)] = true
		if len(c.cases) == 0 {
			t.Errorf("no case has the code %s", c.Code)
		}
	}
	for _, c := range d.Cases {
		for _, e := range c.Want.Events {
			for _, i := range append(e.Issues, corpus.Issue{Code: e.Code}) {
				if i.Code != "" && !known[i.Code] {
					t.Errorf("%s has the code %s, which is not in the table", c.ID, i.Code)
				}
			}
		}
		if e := c.Want.Error; e != nil && !known[e.Code] {
			t.Errorf("%s has the code %s, which is not in the table", c.ID, e.Code)
		}
	}
}

// Every production is reached by some case, and so is every part of it.
func TestProductionsAreReached(t *testing.T) {
	d := theDocument()
	reached := map[string]bool{}
	for _, c := range d.Cases {
		for _, line := range c.Want.Lines {
			signature, err := grammar.ReadSignature(line)
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
			}
			reach(reflect.ValueOf(signature), reached)
		}
		if c.Op != corpus.Parse {
			continue
		}
		for _, s := range d.grammar.Read(c.Text, grammar.Options{AcceptAtEnd: c.Options.AcceptAtEnd}) {
			reached["Text"] = true
			switch s.Kind {
			case grammar.TextSegment:
				reached["Prose"] = true
			case grammar.MalformedSegment:
				reached["Malformed"], reached["Damage"] = true, true
			}
			reach(reflect.ValueOf(s.Call), reached)
		}
	}
	for _, p := range d.productions {
		if !reached[p.Name] {
			t.Errorf("no case reaches the production %s", p.Name)
		}
	}
	checkFields(t, reflect.TypeFor[grammar.Call](), reached)
	checkFields(t, reflect.TypeFor[grammar.Signature](), reached)
}

// Every rule that a comment of this module names is one of the corpus.
func TestRulesOfComments(t *testing.T) {
	known := map[string]bool{}
	for _, r := range corpus.Rules() {
		known[r.ID] = true
	}
	named := 0
	for _, dir := range []string{"grammar", "lexer", "sig", "parse", "stream", "manual", "internal"} {
		err := fs.WalkDir(os.DirFS(".."), dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.ParseComments)
			if err != nil {
				return err
			}
			for _, c := range file.Comments {
				if name == "grammar/doc.go" {
					continue // it explains how rules are named
				}
				_, rules := splitRules(c.Text())
				for _, id := range rules {
					if named++; !known[strings.TrimSuffix(id, ".")] {
						t.Errorf("%s names %s, which is no rule", name, id)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if named < 100 {
		t.Errorf("only %d rules are named", named)
	}
}

// reach notes the productions of a tree, and the fields in which they have
// something.
func reach(v reflect.Value, reached map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			if v.Kind() == reflect.Interface {
				reached[v.Type().Name()] = true
			}
			reach(v.Elem(), reached)
		}
	case reflect.Slice:
		for i := range v.Len() {
			reach(v.Index(i), reached)
		}
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[grammar.Call]().PkgPath() {
			return
		}
		reached[v.Type().Name()] = true
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				reached[v.Type().Name()+"."+v.Type().Field(i).Name] = true
			}
			reach(v.Field(i), reached)
		}
	}
}

// checkFields complains of the fields of a production, and of those below it,
// that were not reached.
func checkFields(t *testing.T, production reflect.Type, reached map[string]bool) {
	t.Helper()
	seen := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || typ.PkgPath() != production.PkgPath() || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			if name := typ.Name() + "." + f.Name; !reached[name] {
				t.Errorf("no case reaches %s", name)
			}
			check(f.Type)
		}
	}
	check(production)
}

// The examples in the table of typing match the reader.
func TestTypingTable(t *testing.T) {
	d := theDocument()
	table := d.table("typing")
	row := regexp.MustCompile("(?m)\\| (.*) \\| `(.*)`: `v=(.*)` is `(.*)` \\| \\[\\[(.*)]] \\|$")
	issue := regexp.MustCompile(`\[\[issue\.(.*)]]`)
	named := map[string]bool{}
	rows := row.FindAllStringSubmatch(table, -1)
	if n := strings.Count(table, "\n| "); len(rows) != n {
		t.Errorf("%d of %d rows have an example and a rule", len(rows), n)
	}
	for _, m := range rows {
		schema, value, want := m[2], m[3], m[4]
		named[m[5]] = true
		catalog, err := sig.Compile([]byte(fmt.Sprintf(`[{"name":"t","inputSchema":{"type":"object","properties":{"v":%s}}}]`, schema)))
		if err != nil {
			t.Fatal(err)
		}
		segments, err := parse.Message(catalog, "<call>t v="+value+"</call>", nil)
		if err != nil || len(segments) != 1 || segments[0].Call == nil {
			t.Fatalf("v=%s isn't a call: %+v, %v", value, segments, err)
		}
		call := segments[0].Call
		if got, want := string(call.Input), `{"v":`+want+`}`; got != want {
			t.Errorf("v=%s under %s: %s, want %s", value, schema, got, want)
		}
		var got, issues []string
		for _, i := range call.Issues {
			got = append(got, string(i.Code))
		}
		if m := issue.FindStringSubmatch(m[1]); m != nil {
			issues = m[1:]
		}
		if !slices.Equal(got, issues) {
			t.Errorf("v=%s under %s: issues %q, want %q", value, schema, got, issues)
		}
	}
	for _, id := range []string{"typing.untyped", "typing.bare-string", "typing.bare-literal", "typing.enum", "typing.quoted", "typing.quoted-literal",
		"typing.quoted-json", "typing.source-text", "typing.wrap", "typing.boolean-case", "typing.misfit"} {
		if !named[id] {
			t.Errorf("no row of the table belongs to %s", id)
		}
	}
}

// The default limits are those of the grammar too.
func TestDefaultLimits(t *testing.T) {
	g := theDocument().grammar
	limits := lexer.Limits{}.OrDefault()
	name := strings.Repeat("n", limits.Name)
	nested := strings.Repeat("[", limits.Depth)
	word := strings.Repeat("x", limits.Bytes-len("<call>t a=")) // it fills a call
	for text, want := range map[string]grammar.Code{
		"<call>" + name + "</call>":               "",
		"<call>" + name + "n</call>":              grammar.NameTooLong,
		"<call>t a=" + nested + "[":               grammar.TooDeep,
		"<call>t a=" + nested:                     grammar.UnterminatedCall,
		"<call>t" + arguments(limits.Arguments):   "",
		"<call>t" + arguments(limits.Arguments+1): grammar.TooManyArguments,
		"<call>t a=" + word + "x":                 grammar.CallTooLong,
		"<call>t a=" + word[:1]:                   grammar.UnterminatedCall,
		"<call>t a=" + word:                       grammar.UnterminatedCall,
	} {
		if s := g.Read([]byte(text), grammar.Options{}); s[0].Code != want {
			t.Errorf("%.40s…: %q, want %q", text, s[0].Code, want)
		}
	}
}

// arguments returns n arguments and the closing tag.
func arguments(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d=", i)
	}
	return b.String() + "</call>"
}

// Repairs are of the extended level in their section, its rules and the cases.
func TestRepairsAreExtended(t *testing.T) {
	d := theDocument()
	section, repairs := "", 0
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Heading != nil {
				section = p.Heading.ID
			}
			if p.Rule == nil || section != "repairs" {
				continue
			}
			if repairs++; p.Rule.Level != corpus.Extended {
				t.Errorf("%s is a repair, and of the level %s", p.Rule.ID, p.Rule.Level)
			}
		}
	}
	if repairs == 0 {
		t.Error("no repairs")
	}
	for _, c := range d.Cases {
		for _, e := range c.Want.Events {
			coerced := slices.ContainsFunc(e.Issues, func(i corpus.Issue) bool { return i.Code == "coerced" })
			if c.Level == corpus.Core && (coerced || e.Code == "coerced") {
				t.Errorf("%s needs a repair, and is of the core level", c.ID)
			}
		}
	}
}

// Every rule has examples that show it: one that passes and one that fails, if its cases
// have them. One example is enough for the rule of a code, since the rules that it restates
// have their own.
func TestRulesHaveExamples(t *testing.T) {
	d := theDocument()
	for _, r := range d.Rules {
		p := r.part
		if len(p.Examples) == 0 {
			t.Errorf("%s has no example", r.ID)
		}
		var has, shows [bad + 1]bool
		for _, c := range r.cases {
			if c.Topic() != tablesTopic && (c.Level == corpus.Core || r.Level != corpus.Core) {
				has[newExample(c).result] = true
			}
		}
		for _, e := range p.Examples {
			shows[e.result] = true
			if r.Level == corpus.Core && e.Level != corpus.Core {
				t.Errorf("%s is of core, and its example %s of extended", r.ID, e.ID)
			}
		}
		missesPass := has[good] && !shows[good] && !strings.HasPrefix(r.ID, "error.")
		missesFail := (has[noted] || has[bad]) && !shows[noted] && !shows[bad]
		if missesPass || missesFail {
			t.Errorf("%s: its examples do not show what its cases do", r.ID)
		}
	}
}
