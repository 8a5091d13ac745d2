package spec

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/grammar"
)

const small = `(* A comment = "x" . *)
Text = (Prose | Call)* .
Call = <open> Key ("." Key)* (Key (?= "," | "]") ","?)* <close> .
<open> = /x/ .
`

func TestReadProductions(t *testing.T) {
	all, err := readProductions(small, "Signature = <name>+ .", map[string]declaration{
		"Call":      {doc: "A Call is a *Key.", rules: []string{"body.path"}},
		"Signature": {},
	})
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ name, grammar, doc, outline string }
	var got []row
	for _, p := range all {
		got = append(got, row{p.Name, p.grammar, p.Doc, outline(p.node())})
	}
	want := []row{
		{"Text", "framing", "", "(n:Prose | n:Call)+?"},
		{"Call", "call", "A Call is a Key.", "(t:<call> n:Key+/t:. (n:Key p:then , or ] t:,?)+? t:</call>)"},
		{"Signature", "signature", "", "c:name+"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !slices.Equal(all[1].rules, []string{"body.path"}) {
		t.Errorf("rules %q", all[1].rules)
	}
	if _, err := readProductions("Text = ( .", "", nil); err == nil {
		t.Error("a broken production is read")
	}
}

// A token belongs to the first production that refers to it, and the tags and
// whitespace to none.
func TestGiveTokens(t *testing.T) {
	all, err := readProductions("A = <open> <key>? <word> .\nB = (<key> | <item>)* .", "", map[string]declaration{"A": {}, "B": {}})
	if err != nil {
		t.Fatal(err)
	}
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
