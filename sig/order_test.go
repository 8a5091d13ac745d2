package sig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawSchema returns a schema as a list of keywords, so that their order can
// be changed; keys of properties and definitions keep theirs.
func drawSchema(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		keywords := []string{}
		add := func(format string, args ...any) { keywords = append(keywords, fmt.Sprintf(format, args...)) }
		some := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) == 0 }
		inner := func(label string) string {
			if depth == 0 {
				return rapid.SampledFrom([]string{`{}`, `true`, `false`, `{"type":"string"}`, `{"$ref":"#"}`, `{"$ref":"#/$defs/d"}`}).Draw(t, label)
			}
			return drawSchema(depth-1).Draw(t, label)
		}
		list := func(label string) string {
			var all []string
			for i := range rapid.IntRange(1, 3).Draw(t, label) {
				all = append(all, inner(fmt.Sprintf("%s %d", label, i)))
			}
			return strings.Join(all, ",")
		}
		if rapid.Bool().Draw(t, "type") {
			add(`"type":%s`, rapid.SampledFrom([]string{`"string"`, `"object"`, `"array"`, `"integer"`, `["string","null"]`, `["object","array"]`, `"Str"`}).Draw(t, "name"))
		}
		if some("enum") {
			add(`"enum":[%s]`, rapid.SampledFrom([]string{`"a","b"`, `1,2.5`, `null,"a"`, `{"a":1}`}).Draw(t, "literals"))
		}
		if some("const") {
			add(`"const":"a"`)
		}
		if some("nullable") {
			add(`"nullable":true`)
		}
		if rapid.Bool().Draw(t, "properties") {
			add(`"properties":{"a":%s,"b.c":%s}`, inner("a"), inner("b.c"))
		}
		if some("required") {
			add(`"required":["a","z"]`)
		}
		if some("additionalProperties") {
			add(`"additionalProperties":%s`, inner("additional"))
		}
		if some("patternProperties") {
			add(`"patternProperties":{"^x":%s}`, inner("pattern"))
		}
		if some("items") {
			add(`"items":%s`, inner("items"))
		}
		if some("prefixItems") {
			add(`"prefixItems":[%s]`, list("prefix"))
		}
		if some("description") {
			add(`"description":"d"`)
		}
		if some("$ref") {
			add(`"$ref":%s`, rapid.SampledFrom([]string{`"#"`, `"#/$defs/d"`, `"#/properties/a"`, `"#/none"`}).Draw(t, "ref"))
		}
		for _, k := range []string{"allOf", "anyOf", "oneOf"} {
			if some(k) {
				add(`"%s":[%s]`, k, list(k))
			}
		}
		keywords = rapid.Permutation(keywords).Draw(t, "order")
		return "{" + strings.Join(keywords, ",") + "}"
	})
}

// The order of keywords and the whitespace of a schema do not matter.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := `{"type":"object","properties":{"a":` + drawSchema(1).Draw(t, "a") + `,"b":` + drawSchema(1).Draw(t, "b") +
			`},"$defs":{"d":` + drawSchema(1).Draw(t, "d") + `}}`
		want, ok := summary(t, schema)
		if again, _ := summary(t, schema); again != want {
			t.Errorf("%s\n%s\n%s", schema, want, again)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(schema), "\t", "   "); err != nil {
			t.Fatal(err)
		}
		other := shuffled(t, indented.Bytes())
		if got, alsoOK := summary(t, other); ok && alsoOK && got != want {
			t.Errorf("%s\n%s\n%s\n%s", schema, want, other, got)
		}
	})
}

// summary describes what was compiled. It is not ok if the schema was too complex,
// since what is left out then depends on the order.
func summary(t *rapid.T, schema string) (text string, ok bool) {
	c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range c.Problems() {
		lines = append(lines, p.Code+" "+p.Path)
	}
	slices.Sort(lines)
	args := c.Tools()[0].Args
	for i := range args.Fields {
		lines = append(lines, describeAlts(args.Fields[i].Type))
	}
	lines = append(lines, describe(args))
	text = strings.Join(lines, "\n")
	return text, !strings.Contains(text, TooComplex)
}

// shuffled writes a JSON text with the members of each object in another order,
// except where the order matters.
func shuffled(t *rapid.T, text []byte) string {
	doc, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	var write func(v *value) string
	write = func(v *value) string {
		var parts []string
		switch {
		case v.kind == Object && v.parent != nil && v.parent.token == "enum":
			return string(v.raw)
		case v.kind == Object:
			for _, m := range v.members {
				parts = append(parts, fmt.Sprintf("%q : %s", m.key, write(m.value)))
			}
			if v.token != "properties" && len(parts) > 1 {
				parts = rapid.Permutation(parts).Draw(t, "members")
			}
			return "{\n" + strings.Join(parts, " ,") + "}"
		case v.kind == Array:
			for _, e := range v.elements {
				parts = append(parts, write(e))
			}
			return "[ " + strings.Join(parts, ",\t") + "]"
		}
		return string(v.raw)
	}
	return write(doc.root)
}
