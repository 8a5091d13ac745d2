package sig

import (
	"slices"
	"strings"
	"testing"
)

func TestRefs(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"$ref":"#/$defs/name"}`, "string", nil},
		{`{"$ref":"#/$defs/name","description":"d"}`, "string", nil},
		{`{"$ref":"#/$defs/name","enum":["a"]}`, `"a"`, nil},
		{`{"$ref":"#/$defs/name","nullable":true}`, `null|string`, nil},
		{`{"$ref":"#/$defs/point/properties/x"}`, "number", nil},
		{`{"$ref":"#/$defs/point","properties":{"z":{"type":"number"}},"required":["z"]}`, "{z! number, x! number, y! number}", nil},
		{`{"allOf":[{"$ref":"#/$defs/point"}],"description":"d"}`, "{x! number, y! number}", nil},
		{`{"$recursiveRef":"#/$defs/name"}`, "string", nil},
		{`{"$ref":"#/$defs/tree"}`, "{value string, children [^tree]}", nil},
		{`{"$ref":"#"}`, "{x ^#}", nil},

		{`{"$ref":"#/$defs/none"}`, "_", []string{"unresolved-ref /$ref"}},
		{`{"$ref":"https://example.org/schema.json"}`, "_", []string{"unresolved-ref /$ref"}},
		{`{"$ref":"#none"}`, "_", []string{"unresolved-ref /$ref"}},
		{`{"$ref":"#/$defs/none","type":"string"}`, "string", []string{"unresolved-ref /$ref"}},
		{`{"$ref":"#/components/schemas/point"}`, "{x! number, y! number}", []string{"misdirected-ref /$ref"}},
		{`{"$ref":"#/definitions/name"}`, "string", []string{"misdirected-ref /$ref"}},
		{`{"$ref":"name"}`, "string", []string{"misdirected-ref /$ref"}},
		{`{"$ref":7}`, "_", []string{"invalid-keyword /$ref"}},
	})
}

func TestRefTargets(t *testing.T) {
	const schema = `{"$id":"https://example.org/s","type":"object","properties":{
		"root":{"$ref":"https://example.org/s#/$defs/a"},
		"anchor":{"$ref":"#the-b"},
		"id":{"$ref":"item.json"},
		"within":{"$ref":"item.json#/properties/n"},
		"old":{"$ref":"#old"},
		"slash":{"$ref":"#/$defs/a~1b"},
		"tilde":{"$ref":"#/$defs/a~0b"},
		"both":{"$ref":"#/$defs/a~01b"},
		"percent":{"$ref":"#/$defs/a%20b"},
		"list":{"$ref":"#/$defs/list/anyOf/1"},
		"alias":{"$ref":"#/$defs/alias"},
		"wrapped":{"$ref":"#/$defs/wrapped"},
		"beyond":{"$ref":"#/$defs/list/anyOf/2"}
	},"$defs":{
		"a":{"type":"string"},
		"b":{"$anchor":"the-b","type":"integer"},
		"c":{"$id":"item.json","type":"object","properties":{"n":{"type":"null"}}},
		"d":{"$id":"#old","type":"boolean"},
		"a/b":{"const":1},"a~b":{"const":2},"a~1b":{"const":3},"a b":{"const":4},
		"alias":{"$ref":"#/$defs/a"},
		"wrapped":{"allOf":[{"type":"string"}]},
		"list":{"anyOf":[{"const":5},{"const":6}]}
	}}`
	args, problems := compileSchema(t, schema)
	const want = "{root string, anchor integer, id {n null}, within null, old boolean, slash 1, tilde 2, both 3, percent 4, list 6, alias string, wrapped string, beyond _}"
	if d := describe(args); d != want {
		t.Errorf("\n got %s\nwant %s", d, want)
	}
	if want := []string{"unresolved-ref /properties/beyond/$ref"}; !slices.Equal(problems, want) {
		t.Errorf("problems %q", problems)
	}
	for name, want := range map[string]string{"root": "a", "anchor": "b", "list": "#/$defs/list/anyOf/1", "slash": "a/b", "alias": "a", "wrapped": "wrapped"} {
		if got := args.Field([]byte(name)).Type.Ref; got != want {
			t.Errorf("%s: Ref %q, want %q", name, got, want)
		}
	}
}

// Recursive schemas become cyclic graphs, and places with the same definition share
// a type.
func TestRecursion(t *testing.T) {
	args, problems := compileSchema(t, `{"type":"object","properties":{
		"one":{"$ref":"#/$defs/node"},"two":{"allOf":[{"$ref":"#/$defs/node"}]},"many":{"type":"array","items":{"$ref":"#/$defs/node"}}},
		"$defs":{"node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"v":{}}}}}`)
	if len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
	node := args.Fields[0].Type
	if args.Fields[1].Type != node || args.Fields[2].Type.Items != node {
		t.Error("one definition has several types")
	}
	next := node.Field([]byte("next")).Type
	if got := next.Alts[0]; got != node {
		t.Errorf("alternative is %s", describe(got))
	}
	if next.Kinds != Object|Null || next.Field([]byte("next")).Type != next {
		t.Errorf("next is %s", describe(next))
	}
	if node.Ref != "node" || next.Ref != "" {
		t.Errorf("Ref %q and %q", node.Ref, next.Ref)
	}
}

// A schema that recurs within itself at the same place adds nothing there: only what
// is next to the repetition counts.
func TestLoops(t *testing.T) {
	for _, c := range []struct{ schema, want, problems string }{
		{`{"type":"object","allOf":[{"$ref":"#"}],"properties":{"a":{}}}`, "{a _}", "ref-loop"},
		{`{"$ref":"#","type":"object","properties":{"a":{}}}`, "{a _}", "ref-loop"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "{a _}", "ref-loop /$defs/a"},
		{`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, "{a _}", "ref-loop /properties/a"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"string"}]}}}`, "{a _}", "ref-loop /$defs/a/anyOf"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"allOf":[{"$ref":"#/$defs/a"},{"type":"null"}]},{"type":"string"}]}}}`, "{a null|string}", "ref-loop /$defs/a/anyOf"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`, "{a _}", "ref-loop /$defs/a/anyOf"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/b"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"type":"string"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer"}]}}}`,
			"{a _, b _}", "ref-loop /$defs/a/anyOf,ref-loop /$defs/b/anyOf"},
		{`{"type":"object","nullable":true,"$ref":"#","properties":{"a":{"type":"integer"}}}`, "null|{a integer}", "ref-loop"},
		{`{"type":"object","nullable":true,"allOf":[{"$ref":"#"}],"properties":{"a":{"type":"integer"}},"required":["a"]}`, "null|{a! integer}", "ref-loop"},
		{`{"type":"object","anyOf":[{"$ref":"#"}],"properties":{"a":{"type":"integer"}}}`, "{a integer}", "ref-loop /anyOf"},
		{`{"type":"object","oneOf":[{"$ref":"#"},{"$ref":"#"}],"properties":{"a":{"type":"integer"}}}`, "{a integer}", "ref-loop /oneOf"},
		{`{"type":"object","anyOf":[{"$ref":"#"},{"required":["a"]}],"properties":{"a":{"type":"integer"}}}`, "{a integer}", "ref-loop /anyOf"},
		{`{"type":"object","anyOf":[{"$ref":"#"},{"properties":{"b":{"type":"boolean"}}}],"properties":{"a":{"type":"integer"}}}`, "{a integer, b boolean}", "ref-loop /anyOf"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","oneOf":[{"$ref":"#/$defs/b"},{"enum":["x"]}]},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"const":"y"}]}}}`,
			`{a string|"y"|"x"}`, "ref-loop /$defs/a/oneOf"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"integer","nullable":true,"allOf":[{"$ref":"#/$defs/a"}]}}}`, "{a null|integer}", "ref-loop /$defs/a"},
	} {
		args, problems := compileSchema(t, c.schema)
		if d := describe(args); d != c.want || strings.Join(problems, ",") != c.problems {
			t.Errorf("%s\n got %s %q\nwant %s %q", c.schema, d, problems, c.want, c.problems)
		}
	}
}
