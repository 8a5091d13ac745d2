package sig

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	for _, n := range []int{0, 1, manyFields - 1, manyFields, 70} {
		var properties, required []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"p%d":{"const":%d}`, i, i))
			if i%3 == 0 || i == 64 {
				required = append(required, fmt.Sprintf(`"p%d"`, i))
			}
		}
		args, problems := compileSchema(t, fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`,
			strings.Join(properties, ","), strings.Join(required, ",")))
		if len(problems) > 0 {
			t.Errorf("problems %q", problems)
		}
		if len(args.Fields) != n {
			t.Fatalf("%d fields, want %d", len(args.Fields), n)
		}
		for i := range n {
			name := []byte(fmt.Sprintf("p%d", i))
			f := args.Field(name)
			if f == nil || f != &args.Fields[i] || f.Index != i || f.Name != string(name) || f.Required != (i%3 == 0 || i == 64) {
				t.Fatalf("field %s of %d: %+v", name, n, f)
			}
			if bit := args.Required>>i&1 == 1; bit != (i < 64 && f.Required) || slices.Contains(args.AlsoRequired, f) != (i >= 64 && f.Required) {
				t.Errorf("field %d: Required %b, AlsoRequired %v", i, args.Required, args.AlsoRequired)
			}
			if allocs := testing.AllocsPerRun(10, func() { args.Field(name) }); allocs != 0 {
				t.Errorf("%v allocations", allocs)
			}
		}
		if args.Field([]byte("p")) != nil || args.Field([]byte("p071")) != nil || args.Field(nil) != nil {
			t.Error("a field that is not declared")
		}
	}
}

func TestProperty(t *testing.T) {
	args, _ := compileSchema(t, `{"type":"object","properties":{
		"closed":{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"},"^x":{"type":"null"}},"additionalProperties":false},
		"open":{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":{"type":"boolean"}},
		"silent":{"type":"object"}}}`)
	for _, c := range []struct {
		in, name, want string
		declared       bool
		known          bool
	}{
		{"closed", "a", "string", true, true},
		{"closed", "x-1", "integer", false, true},
		{"closed", "xx", "null", false, true},
		{"closed", "b", "_", false, false},
		{"open", "a", "string", true, true},
		{"open", "x-1", "integer", false, true},
		{"open", "b", "boolean", false, true},
		{"silent", "b", "_", false, true},
	} {
		typ, field, known := args.Field([]byte(c.in)).Type.Property([]byte(c.name))
		if describe(typ) != c.want || (field != nil) != c.declared || known != c.known {
			t.Errorf("%s.%s: %s %v %v", c.in, c.name, describe(typ), field, known)
		}
	}
}

func TestPatterned(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","patternProperties":{"^x-":{}}}`:             true,
		`{"type":"object","additionalProperties":true}`:                false,
		`{"type":"object","properties":{"a":{}}}`:                      false,
		`{"allOf":[{"patternProperties":{"a":{}}},{"type":"object"}]}`: true,
	} {
		c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Tools()[0].Args.Patterned(); got != want {
			t.Errorf("%s: %t", schema, got)
		}
	}
	if (*Type)(nil).Patterned() {
		t.Error("a nil type has patterns")
	}
}

func TestItem(t *testing.T) {
	got, _ := compileProperty(t, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"null"}}`)
	for i, want := range map[int]string{0: "string", 1: "integer", 2: "null", 3: "null", -1: "_", math.MinInt: "_"} {
		if d := describe(got.Item(i)); d != want {
			t.Errorf("%d: %s, want %s", i, d, want)
		}
	}
}

func TestNilType(t *testing.T) {
	var none *Type
	if typ, field, known := none.Property([]byte("a")); typ != nil || field != nil || !known {
		t.Error("a nil type knows a property")
	}
	if none.Field([]byte("a")) != nil || none.Item(0) != nil || none.Says() {
		t.Error("a nil type says something")
	}
}

func TestSays(t *testing.T) {
	for schema, want := range map[string]bool{
		`{}`:                  false,
		`{"description":"d"}`: false,
		`{"type":"string"}`:   true,
		`{"enum":[1]}`:        true,
		`{"type":"any"}`:      false,
		`{"anyOf":[{},{}]}`:   false,
		`false`:               true,
		`{"type":["string","number","boolean","null","array","object"]}`: false,
	} {
		if got, _ := compileProperty(t, schema); got.Says() != want {
			t.Errorf("%s: %v", schema, !want)
		}
	}
}

func TestDotted(t *testing.T) {
	for name, want := range map[string]bool{"a": false, "a.b": true, ".": true} {
		args, _ := compileSchema(t, fmt.Sprintf(`{"type":"object","properties":{"x":{},%q:{}}}`, name))
		if args.Dotted != want {
			t.Errorf("%s: %v", name, args.Dotted)
		}
	}
}

func TestJSONKey(t *testing.T) {
	args, _ := compileSchema(t, `{"type":"object","properties":{"a\u0022\u00e9":{}}}`)
	if got := string(args.Fields[0].JSONKey); got != `"a\"é":` {
		t.Error(got)
	}
}
