package sig

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// FuzzCompile compiles any text as tools and as a schema, and checks what must
// hold for every catalog.
func FuzzCompile(f *testing.F) {
	for _, schema := range []string{
		``, `{}`, `null`, `true`, weatherSchema,
		`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[{"$ref":"#/$defs/x"},{"type":["string","null"]}]}}}`,
		`{"type":"object","allOf":[{"$ref":"#"},{"properties":{"a":{"enum":[1,1.0,"a",null,{"b":[]}],"nullable":true}},"required":["a","b"]}]}`,
		`{"oneOf":[{"properties":{"k":{"const":1},"a.b":{"type":"int"}}},{"properties":{"k":{"const":2}},"additionalProperties":{"type":"array","items":[{"type":"null"}],"additionalItems":false}}]}`,
		`{"type":"object","patternProperties":{"^x":{},"(?!)":false},"if":{"properties":{"c":true}},"then":{"$ref":"#"},"dependentSchemas":{"q":{"properties":{"z":false}}}}`,
		`{"type":"object","properties":{"a":{"type":["object","array","null"],"properties":{"x":1},"prefixItems":[{}],"items":false,"required":true}},"properties":{}}`,
		`[{"name":"a","inputSchema":{}},{"name":"a"},{"type":"function","function":{"name":"b","parameters":{"type":"object"}}}]`,
		`{"tools":{"a":{"inputSchema":{"jsonSchema":{"type":"object"}}},"b":{"description":"x"}}}`,
	} {
		f.Add(schema)
	}
	for _, text := range jsonSeeds {
		f.Add(text)
	}
	for i, c := range corpus.Cases() { // some of each topic
		if c.Tools != nil && i%4 == 0 {
			f.Add(string(c.Tools))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 50_000 {
			return // an execution stays short
		}
		if c, err := Compile(text); err == nil {
			checkCatalog(t, c, len(text))
		}
		if strings.Count(text, "[")+strings.Count(text, "{") < 5000 { // which encoding/json reads
			checkDecode(t, text)
		}
		c, err := Compile([]Tool{{Name: "t", Schema: []byte(text)}})
		if err != nil || len(c.Tools()) != 1 {
			t.Fatalf("%v %v", c, err)
		}
		checkCatalog(t, c, len(text))
	})
}

// checkCatalog checks a catalog compiled from a text of that size.
func checkCatalog(t *testing.T, c *Catalog, size int) {
	for _, tool := range c.Tools() {
		if c.Lookup([]byte(tool.Name)) != tool {
			t.Errorf("%q is not found", tool.Name)
		}
		if tool.Args != nil && tool.Args.Kinds&Object == 0 {
			t.Errorf("%q: arguments that are not an object", tool.Name)
		}
		types := make(map[*Type]bool)
		walk(tool.Args, types)
		if limit := toolWork/8 + byteWork*size/8; len(types) > limit {
			t.Errorf("%q: %d types, more than %d", tool.Name, len(types), limit)
		}
		for typ := range types {
			checkType(t, typ)
		}
	}
	for _, p := range c.Problems() {
		if p.Code == "" || p.Message == "" || p.Path != "" && p.Path[0] != '/' {
			t.Errorf("incomplete problem: %+v", p)
		}
	}
}

func checkType(t *testing.T, typ *Type) {
	if typ.Free&^typ.Kinds != 0 {
		t.Errorf("free kinds %v that are not allowed", typ.Free)
	}
	if typ.Kinds&numeric == Number || typ.Free&numeric == Number {
		t.Errorf("a number without integers: %v, %v", typ.Kinds, typ.Free)
	}
	if typ.Kinds&Object == 0 && (len(typ.Fields) > 0 || typ.Closed || typ.Extra != nil) {
		t.Errorf("fields of %v", typ.Kinds)
	}
	if typ.Kinds&Array == 0 && (len(typ.Prefix) > 0 || typ.Items != nil) {
		t.Errorf("items of %v", typ.Kinds)
	}
	if typ.Closed && typ.Extra != nil {
		t.Error("a type of unknown properties")
	}
	var restricted Kinds
	for i := range typ.Enum {
		m := &typ.Enum[i]
		restricted |= m.Kind
		if bits.OnesCount8(uint8(m.Kind)) != 1 || m.Kind&typ.Kinds == 0 {
			t.Errorf("the literal %s of kind %v in %v", m.JSON, m.Kind, typ.Kinds)
		}
		if found := typ.Member(m.Kind, []byte(m.Text)); found == nil || string(found.JSON) != string(m.JSON) {
			t.Errorf("the literal %s is not found", m.JSON)
		}
	}
	if restricted&numeric != 0 {
		restricted |= numeric
	}
	if typ.Kinds&^typ.Free&^restricted != 0 {
		t.Errorf("kinds %v without a value", typ.Kinds&^typ.Free&^restricted)
	}
	if len(typ.Alts) == 1 || slices.Contains(typ.Alts, nil) {
		t.Errorf("alternatives %v", typ.Alts)
	}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if typ.Field([]byte(f.Name)) != f || f.Index != i {
			t.Errorf("the field %q is not found", f.Name)
		}
		if i < 64 && f.Required && !typ.Lacks(^(1 << i)) {
			t.Errorf("the field %q may be missing", f.Name)
		}
		if got, field, known := typ.Property([]byte(f.Name)); got != f.Type || field != f || !known {
			t.Errorf("the property %q is not the field", f.Name)
		}
	}
}
