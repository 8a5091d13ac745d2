package engine

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/spec"
	"github.com/callwire/callwire/spec/railroad"
)

// productions returns the grammar as the page has it.
func productions(t *testing.T) railroad.Grammar {
	t.Helper()
	diagrams, err := spec.Diagrams("#")
	if err != nil {
		t.Fatal(err)
	}
	g := railroad.Grammar{}
	for _, d := range diagrams {
		g[d.Name] = d.Node
	}
	return g
}

// TestPath: a call passes through the grammar, and a malformed one up to its fault.
func TestPath(t *testing.T) {
	a := Read(Request{Text: `<call> t a.b=[x, "y"] c=</call><call>t a=1 b = 2</call>`, Grammar: productions(t)})
	for i, want := range []string{
		"Call Name Argument Path Key Key Value Array Value Bare Value String Argument Path Key",
		"Call Name Argument Path Key Value Bare",
	} {
		var got []string
		for _, v := range a.Segments[i].Path {
			got = append(got, v.Production)
		}
		if fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("%s\ngoes through %q", a.Segments[i].Text, got)
		}
	}
	last := a.Segments[0].Path[0].Steps
	if len(last) == 0 || last[len(last)-1] != (railroad.Step{At: "1.end", Word: len(a.Segments[0].Tokens)}) {
		t.Errorf("the path of a call ends at its end: %+v", last)
	}
	if a := Read(Request{Text: "<call>t</call>"}); a.Segments[0].Path != nil {
		t.Errorf("without a grammar there is no path: %+v", a.Segments[0].Path)
	}
}

// TestPathIsTheTree: the path of every call of the corpus has the leaves of its syntax
// tree, in their order, each in its production.
func TestPathIsTheTree(t *testing.T) {
	diagrams := productions(t)
	oracle, err := grammar.New(grammar.DefaultDelims)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, c := range corpus.Cases() {
		if c.Op != corpus.Parse || c.Options != (corpus.Options{}) || len(c.Text) > 4000 || !utf8.Valid(c.Text) {
			continue
		}
		trees := map[int]*grammar.Call{}
		for _, s := range oracle.Read(c.Text, grammar.Options{}) {
			trees[s.Start] = s.Call
		}
		for _, s := range Read(Request{Text: string(c.Text), Grammar: diagrams}).Segments {
			tree := trees[s.Start]
			if s.Type != "tool-call" || tree == nil {
				continue
			}
			calls++
			want, got := leaves(reflect.ValueOf(tree)), []string(nil)
			for i, token := range s.Tokens {
				if v := innermost(s.Path, i); v != "" && slices.Contains([]string{"Name", "Key", "String", "Bare", "[", "]", "{", "}"}, named(token)) {
					got = append(got, fmt.Sprintf("%s %d", v, token.Start))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s\nhas the path %q\nand the tree %q", c.ID, s.Text, got, want)
			}
		}
	}
	if calls < 300 {
		t.Errorf("%d calls", calls)
	}
}

// leaves returns the tokens in a part of a tree except separators, each after its production.
func leaves(v reflect.Value) (all []string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			all = leaves(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, leaves(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			token, isToken := v.Field(i).Interface().(grammar.Token)
			name := v.Type().Name()
			switch {
			case !isToken:
				all = append(all, leaves(v.Field(i))...)
			case name != "Call" && name != "Argument" && name != "Member":
				all = append(all, fmt.Sprintf("%s %d", name, token.Pos.Offset))
			}
		}
	}
	return all
}

// named is the kind of a token, of brackets the bracket.
func named(t Token) string {
	if len(t.Text) == 1 && t.Kind != "Bare" && t.Kind != "Name" && t.Kind != "Key" {
		return t.Text
	}
	return t.Kind
}

// innermost returns the production in which a token is read, "" if it is not.
func innermost(path []railroad.Visit, token int) string {
	for i := len(path) - 1; i >= 0; i-- {
		for _, s := range path[i].Steps {
			if s.Word == token && s.Terminal {
				return path[i].Production
			}
		}
	}
	return ""
}
