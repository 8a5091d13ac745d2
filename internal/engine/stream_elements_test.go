package engine_test

import (
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// Deltas of elements come as soon as the schema settles what they are.
func TestElementsStream(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name": "note", "inputSchema": {"type": "object", "properties": {
		"text": {"type": "string"}, "n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}, "any": {},
		"rows": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "number"}}}},
		"at": {"type": "object", "properties": {"lat": {"type": "number"}, "name": {"type": "string"}}},
		"free": {"type": "array", "items": {"type": "object"}},
		"open": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "additionalProperties": true}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"<note><text>a b", `{"text":"a b`},
		{"<note><text>a &am", `{"text":"a `},
		{"<note><text>a </tex", `{"text":"a `},
		{"<note><n>1</n>", `{"n":1`},
		{"<note><at><lat>1</lat>", `{"at":{"lat":1`},
		{"<note><at> <name>x &amp; y", `{"at":{"name":"x & y`},
		{"<note><tags><item>a</item><item>b", `{"tags":["a","b`},
		{"<note><rows><k>abc", `{"rows":[{"k":"abc`},
		{"<note><rows><k>a</k></rows><rows><v>1</v><k>b", `{"rows":[{"k":"a"},{"v":1,"k":"b`},
		{"<note><rows><row><k>a</k></row><row><k>b", `{"rows":[{"k":"a"},{"k":"b`},
		{"<note><free><item><k>a</k>", `{"free":[{"k":`},
		{"<note><open><k>a</k><x>1</x>", `{"open":[{"k":"a","x":`},
		{"<note><free><row><k>a</k></row>", `{"free":`}, // it may be a property
		{"<note><tags>a</tags>", `{"tags":`},            // another one may follow
		{"<note><any><a>1</a>", `{"any":`},              // so it may of any
		{"<note><at>x<lat>1</lat>", `{"at":`},           // it is not an object
	} {
		p := newParser(catalog, engine.Options{Format: format.MorphXML})
		var got []byte
		for i := range len(c.text) {
			for _, e := range p.Feed([]byte(c.text[i : i+1])) {
				if e.Kind == engine.InputDelta {
					got = append(got, e.Bytes...)
				}
			}
		}
		if string(got) != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}
