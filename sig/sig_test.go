package sig

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// compileSchema compiles a tool with that schema and returns its arguments and the
// problems, each as "code path".
func compileSchema(t testing.TB, schema string) (*Type, []string) {
	t.Helper()
	c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Len() != 1 {
		t.Fatalf("%d tools", c.Len())
	}
	var problems []string
	for _, p := range c.Problems() {
		problems = append(problems, strings.TrimSpace(p.Code+" "+p.Path))
		if p.Tool != "t" || p.Message == "" {
			t.Errorf("incomplete problem: %+v", p)
		}
	}
	return c.Tools()[0].Args, problems
}

// compileProperty compiles the schema of the property x, with a few definitions to
// refer to.
func compileProperty(t testing.TB, schema string) (*Type, []string) {
	t.Helper()
	args, problems := compileSchema(t, `{"type":"object","properties":{"x":`+schema+`},"$defs":{
		"name":{"type":"string"},
		"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]},
		"tree":{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}`)
	return args.Field([]byte("x")).Type, problems
}

type schemaCase struct {
	schema   string
	want     string
	problems []string
}

func checkProperties(t *testing.T, cases []schemaCase) {
	t.Helper()
	for _, c := range cases {
		got, problems := compileProperty(t, c.schema)
		if d := describe(got); d != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.schema, d, c.want)
		}
		var want []string
		for _, p := range c.problems {
			code, path, _ := strings.Cut(p, " ")
			want = append(want, code+" /properties/x"+path)
		}
		if !slices.Equal(problems, want) {
			t.Errorf("%s\nproblems %q\n    want %q", c.schema, problems, want)
		}
	}
}

// describe writes a type in the short notation of the tables in these tests: kinds as
// "string|null", literals as JSON, objects as {a! string, b _} with "!" for required
// and "..." before the type of undeclared properties, arrays as [integer] or
// [string, ...integer], nil as "_", "^name" for an enclosing type, "never" if nothing
// is allowed. Free kinds come first.
func describe(t *Type) string {
	return describeIn(t, nil)
}

func describeIn(t *Type, around []*Type) string {
	if t == nil {
		return "_"
	}
	for _, a := range around {
		if a == t {
			return "^" + t.Ref
		}
	}
	around = append(around, t)
	var parts []string
	const structured = Array | Object
	switch scalars := t.Free &^ structured; {
	case t.Kinds == 0:
		parts = append(parts, "never")
	case t.Free == Any && len(t.Fields)+len(t.Prefix) == 0 && t.Items == nil && t.Extra == nil && !t.Closed:
		parts = append(parts, "any")
	default:
		if scalars != 0 {
			parts = append(parts, scalars.String())
		}
		if t.Free&Object != 0 {
			parts = append(parts, describeObject(t, around))
		}
		if t.Free&Array != 0 {
			parts = append(parts, describeArray(t, around))
		}
	}
	for _, m := range t.Enum {
		parts = append(parts, string(m.JSON))
	}
	return strings.Join(parts, "|")
}

func describeObject(t *Type, around []*Type) string {
	var parts []string
	for _, f := range t.Fields {
		mark := ""
		if f.Required {
			mark = "!"
		}
		parts = append(parts, fmt.Sprintf("%s%s %s", f.Name, mark, describeIn(f.Type, around)))
	}
	for _, p := range t.patterns {
		parts = append(parts, fmt.Sprintf("/%v/ %s", p.matches, describeIn(p.typ, around)))
	}
	if !t.Closed {
		parts = append(parts, "..."+describeIn(t.Extra, around))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func describeArray(t *Type, around []*Type) string {
	var parts []string
	for _, e := range t.Prefix {
		parts = append(parts, describeIn(e, around))
	}
	rest := describeIn(t.Items, around)
	if len(parts) > 0 {
		rest = "..." + rest
	}
	return "[" + strings.Join(append(parts, rest), ", ") + "]"
}

// describeAlts writes the alternatives of a type, or the type if it has none.
func describeAlts(t *Type) string {
	if t == nil || len(t.Alts) == 0 {
		return describe(t)
	}
	var parts []string
	for _, a := range t.Alts {
		parts = append(parts, describe(a))
	}
	return strings.Join(parts, " / ")
}
