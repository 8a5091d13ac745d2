package sig

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The kinds of an enum are those of its members, but if the schema says number,
// numbers stay allowed as a type: 1.5 is then not in the enum [1, 2], rather than of
// the wrong type.
func TestEnumKinds(t *testing.T) {
	for _, c := range []struct {
		schema      string
		kinds, free Kinds
	}{
		{`{"enum":[1,2]}`, numeric, 0},
		{`{"enum":[1.5]}`, numeric, 0},
		{`{"type":"integer","enum":[1,2]}`, Integer, 0},
		{`{"type":"number","enum":[1,2]}`, numeric, 0},
		{`{"enum":["a",null]}`, String | Null, 0},
		{`{"type":"string","nullable":true,"enum":["a"]}`, String | Null, Null},
		{`{"anyOf":[{"type":"string"},{"enum":["a",1]}]}`, String | numeric, String},
		{`{"anyOf":[{"type":"integer"},{"enum":[1.5]}]}`, numeric, Integer},
		{`{"type":"number"}`, numeric, numeric},
		{`{}`, 0, 0},
	} {
		got, _ := compileProperty(t, c.schema)
		if got == nil {
			got = new(Type)
		}
		if got.Kinds != c.kinds || got.Free != c.free {
			t.Errorf("%s: kinds %v, free %v; want %v, %v", c.schema, got.Kinds, got.Free, c.kinds, c.free)
		}
	}
}

func TestAnnotations(t *testing.T) {
	got, _ := compileProperty(t, `{"title":"T","description":"D","format":"date","default": {"a":1},"examples":[1, "x"],"type":"string"}`)
	want := Type{Kinds: String, Free: String, Description: "D", Default: []byte(`{"a":1}`)}
	want.Limits = newLimits()
	want.Limits.Formats = []string{"date"}
	want.Examples = []json.RawMessage{[]byte("1"), []byte(`"x"`)}
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(Type{})); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ schema, description string }{
		{`{"description":"own","$ref":"#/properties/d"}`, "own"},
		{`{"$ref":"#/properties/d"}`, "theirs"},
		{`{"anyOf":[{"$ref":"#/properties/d"},{"type":"null","description":"none"}]}`, "theirs"},
		{`{"$ref":"#/properties/d","nullable":true}`, "theirs"},
		{`{"anyOf":[{"type":"string","description":"a"},{"type":"integer","description":"b"}]}`, ""},
		{`{"description":"own","anyOf":[{"type":"string","description":"a"},{"type":"integer","description":"b"}]}`, "own"},
	} {
		args, _ := compileSchema(t, `{"type":"object","properties":{"x":`+c.schema+`,"d":{"type":"string","description":"theirs"}}}`)
		if got := args.Field([]byte("x")).Type.Description; got != c.description {
			t.Errorf("%s: %q, want %q", c.schema, got, c.description)
		}
	}
}

func TestRoot(t *testing.T) {
	for _, c := range []schemaCase{
		{``, "_", []string{"missing-schema"}},
		{`null`, "_", []string{"missing-schema"}},
		{`{}`, "_", []string{"missing-schema"}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#"}`, "_", []string{"missing-schema"}},
		{`{"description":"d"}`, "_", []string{"missing-schema"}},
		{`true`, "_", []string{"invalid-schema"}},
		{`[]`, "_", []string{"invalid-schema"}},
		{`{"type":`, "_", []string{"invalid-schema"}},
		{`{"type":"string"}`, "_", []string{"not-an-object"}},
		{`{"type":"array","items":{}}`, "_", []string{"not-an-object"}},
		{`{"type":"object"}`, "{..._}", nil},
		{`{"type":["object","null"],"properties":{"a":{}}}`, "null|{a _}", nil},
		{`{"properties":{"a":{"type":"string"}}}`, "{a string}", []string{"implied-type"}},
		{`{"type":"object","$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{"type":"string"}}}}}`, "{a string}", nil},
		{`{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}`, "{a _, b _}", nil},
		{`{"type":"object","properties":{"self":{"$ref":"#"}}}`, "{self ^#}", nil},
	} {
		got, problems := compileSchema(t, c.schema)
		if d := describe(got); d != c.want || !slices.Equal(problems, c.problems) {
			t.Errorf("%s\n got %s %q\nwant %s %q", c.schema, d, problems, c.want, c.problems)
		}
	}
}
