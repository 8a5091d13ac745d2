package spec

import (
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/callwire/callwire/grammar"
)

const small = `(* A comment = "x" . *)
Text = (Prose | Call)* .
Call = <open> Key ("." Key)* (Key (?= "," | "]") ","?)* <close> .
<open> = /x/ .
`

func TestReadProductions(t *testing.T) {
	all := readProductions(small, "Signature = <name>+ .", map[string]declaration{
		"Call":      {doc: "A Call is a Key.", rules: []string{"body.path"}},
		"Signature": {},
	})
	type row struct{ name, grammar, doc, outline string }
	var got []row
	for _, p := range all {
		got = append(got, row{p.Name, p.Grammar, p.Doc, outline(p.Diagram())})
	}
	want := []row{
		{"Text", "framing", "", "((({n:Prose}|{n:Call})<)|)"},
		{"Call", "calls", "A Call is a Key.", "{t:<call>}({n:Key}<{t:.})(({n:Key}{p:then , or ]}({t:,}|)<)|){t:</call>}"},
		{"Signature", "signatures", "", "({c:name}<)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !slices.Equal(all[1].rules, []string{"body.path"}) {
		t.Errorf("rules %q", all[1].rules)
	}
}

// A token belongs to the first production that refers to it, and the tags and
// whitespace to none.
func TestGiveTokens(t *testing.T) {
	all := readProductions("A = <open> <key>? <word> .\nB = (<key> | <item>)* .", "", map[string]declaration{"A": {}, "B": {}})
	giveTokens(all, []grammar.TokenRule{{Name: "Open"}, {Name: "Key"}, {Name: "Word"}, {Name: "Item"}})
	for i, want := range [][]string{{"Key", "Word"}, {"Item"}} {
		var got []string
		for _, t := range all[i].Tokens {
			got = append(got, t.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", all[i].Name, got, want)
		}
	}
}

func TestReadDeclarations(t *testing.T) {
	got := readDeclarations(fstest.MapFS{"a.go": {Data: []byte(`package a

// A T is a type.
// It has two lines.
//
// Rule: x.one, x.two,
// x.three
type T struct {
	// F is a field.
	//
	// Rule: x.field
	F int
}

// U states nothing.
type U int

// f does it.
//
// Rule: x.four
func f() {}
`)}})
	want := map[string]declaration{
		"T": {"A T is a type.\nIt has two lines.", []string{"x.one", "x.two", "x.three"}},
		"U": {"U states nothing.", []string{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
