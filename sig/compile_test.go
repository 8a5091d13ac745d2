package sig

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compileSchema compiles a tool of that schema and returns its arguments and
// the problems, each as "code path".
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

// compileProperty compiles the schema as that of the property x, with a few
// definitions to refer to.
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

func TestTypes(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{}`, "_", nil},
		{`true`, "_", nil},
		{`{"description":"d"}`, "any", nil},
		{`false`, "never", []string{"contradiction"}},
		{`{"type":"string"}`, "string", nil},
		{`{"type":"number"}`, "number", nil},
		{`{"type":"integer"}`, "integer", nil},
		{`{"type":"boolean"}`, "boolean", nil},
		{`{"type":"null"}`, "null", nil},
		{`{"type":"array"}`, "[_]", nil},
		{`{"type":"object"}`, "{..._}", nil},
		{`{"type":["string","null"]}`, "null|string", nil},
		{`{"type":["integer","number"]}`, "number", nil},
		{`{"type":["object","array"]}`, "{..._}|[_]", nil},
		{`{"type":"string","nullable":true}`, "null|string", nil},
		{`{"type":"string","nullable":false}`, "string", nil},

		// Dirty.
		{`{"type":"String"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"OBJECT"}`, "{..._}", []string{"misspelt-type /type"}},
		{`{"type":"str"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"int"}`, "integer", []string{"misspelt-type /type"}},
		{`{"type":"float"}`, "number", []string{"misspelt-type /type"}},
		{`{"type":"bool"}`, "boolean", []string{"misspelt-type /type"}},
		{`{"type":"list"}`, "[_]", []string{"misspelt-type /type"}},
		{`{"type":"dict"}`, "{..._}", []string{"misspelt-type /type"}},
		{`{"type":"file"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"any"}`, "any", []string{"misspelt-type /type"}},
		{`{"type":"Pet"}`, "any", []string{"unknown-type /type"}},
		{`{"type":["string","None"]}`, "null|string", []string{"misspelt-type /type/1"}},
		{`{"type":[]}`, "_", []string{"invalid-keyword /type"}},
		{`{"type":7}`, "_", []string{"invalid-keyword /type"}},
		{`{"type":["string",7]}`, "string", []string{"invalid-keyword /type/1"}},
		{`{"nullable":"yes","type":"string"}`, "string", []string{"invalid-keyword /nullable"}},
		{`"string"`, "_", []string{"invalid-schema"}},
		{`null`, "_", []string{"invalid-schema"}},
		{`[]`, "_", []string{"invalid-schema"}},
		{`{"type":"string","type":"integer"}`, "integer", []string{"repeated-key /type"}},
	})
}

func TestEnums(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"enum":["a","b"]}`, `"a"|"b"`, nil},
		{`{"type":"string","enum":["a","b"]}`, `"a"|"b"`, nil},
		{`{"const":"a"}`, `"a"`, nil},
		{`{"const":null}`, `null`, nil},
		{`{"enum":["a",1,true,null,1.50]}`, `"a"|1|true|null|1.50`, nil},
		{`{"enum":[{"k" : 1},[1, 2]]}`, `{"k":1}|[1,2]`, nil},
		{`{"enum":["a","b","a"]}`, `"a"|"b"`, nil},
		{`{"enum":["a","b"],"const":"b"}`, `"b"`, nil},
		{`{"type":"number","enum":[1,2.5]}`, `1|2.5`, nil},
		{`{"type":["string","null"],"enum":["a",null]}`, `"a"|null`, nil},
		{`{"type":"string","nullable":true,"enum":["a"]}`, `null|"a"`, nil},
		{`{"type":"string","nullable":true,"enum":["a",null]}`, `null|"a"`, nil},
		{`{"type":"boolean","const":true}`, `true`, nil},

		// D20.
		{`{"type":"string","enum":["a",1]}`, `"a"`, []string{"enum-conflict"}},
		{`{"type":"integer","enum":[1,1.5,2.0]}`, `1|2.0`, []string{"enum-conflict"}},
		{`{"type":"integer","enum":["1","2"]}`, `"1"|"2"`, []string{"enum-conflict"}},
		{`{"type":["string","integer"],"enum":["a"]}`, `"a"`, []string{"enum-conflict"}},
		{`{"type":["string","null"],"enum":["a"]}`, `"a"`, []string{"enum-conflict"}},
		{`{"enum":["a"],"const":"b"}`, `"b"`, []string{"enum-conflict"}},
		{`{"enum":[]}`, `_`, []string{"invalid-keyword /enum"}},
		{`{"enum":"a"}`, `_`, []string{"invalid-keyword /enum"}},
		{`{"enum":{"a":1}}`, `_`, []string{"invalid-keyword /enum"}},
	})
}

// The kinds of an enum are those of its members, but a number stays allowed as
// a type where the schema says number, so that 1.5 is not in the enum [1, 2]
// and no mismatch of types.
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

func TestObjects(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"type":"object","properties":{}}`, "{}", nil},
		{`{"type":"object","properties":{"b":{"type":"string"},"a":{}},"required":["a"]}`, "{b string, a! _}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":true}`, "{a _, ..._}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":{}}`, "{a _, ..._}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, "{a _}", nil},
		{`{"type":"object","additionalProperties":false}`, "{}", nil},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, "{...string}", nil},
		{`{"type":"object","unevaluatedProperties":false}`, "{}", nil},
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}}}`, "{/^x-/ integer, ..._}", nil},
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}`, "{/^x-/ integer}", nil},
		{`{"type":"object","properties":{"__proto__":{"type":"string"},"a\"b":{},"é":{},"a.b":{}}}`, `{__proto__ string, a"b _, é _, a.b _}`, nil},
		{`{"type":["object","null"],"properties":{"a":{"type":"string"}}}`, "null|{a string}", nil},
		{`{"type":"object","properties":{"a":false}}`, "{a never}", []string{"contradiction /properties/a"}},

		// Dirty.
		{`{"properties":{"a":{}}}`, "{a _}", []string{"implied-type"}},
		{`{"additionalProperties":{"type":"string"}}`, "{...string}", []string{"implied-type"}},
		{`{"properties":{"a":{}},"items":{"type":"string"}}`, "{a _}|[string]", []string{"implied-type"}},
		{`{"type":"object","properties":["a"]}`, "{..._}", []string{"invalid-keyword /properties"}},
		{`{"type":"object","properties":{"a":"string","b":null}}`, "{a _, b _}", []string{"invalid-schema /properties/a", "invalid-schema /properties/b"}},
		{`{"type":"object","properties":{"a":{}},"required":["b"]}`, "{a _}", []string{"undeclared-required /required"}},
		{`{"type":"object","properties":{"a":{}},"required":"a"}`, "{a! _}", []string{"invalid-keyword /required"}},
		{`{"type":"object","properties":{"a":{}},"required":["a",1]}`, "{a! _}", []string{"invalid-keyword /required/1"}},
		{`{"type":"object","properties":{"a":{"type":"string","required":true}}}`, "{a! string}", []string{"misplaced-required /properties/a/required"}},
		{`{"type":"object","properties":{"a":{"type":"string","required":false}}}`, "{a string}", []string{"misplaced-required /properties/a/required"}},
		{`{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"null"}}}`, "{a null}", []string{"repeated-key /properties/a"}},
		{`{"type":"object","patternProperties":{"(?!x)":{"type":"integer"}},"additionalProperties":false}`, "{/<nil>/ integer}", []string{"bad-pattern /patternProperties/(?!x)"}},
		{`{"type":"object","patternProperties":[]}`, "{..._}", []string{"invalid-keyword /patternProperties"}},
		{`{"type":"object","additionalProperties":"no"}`, "{..._}", []string{"invalid-keyword /additionalProperties"}},

		// Conditions: what they declare is accepted.
		{`{"type":"object","properties":{"a":{}},"if":{"properties":{"a":{"const":1},"t":{"const":2}}},"then":{"properties":{"b":{"type":"string"}},"required":["b"]},"else":{"properties":{"b":{"type":"integer"}}}}`,
			"{a _, t _, b integer|string}", []string{"unsupported-keyword /if", "unsupported-keyword /then", "unsupported-keyword /else"}},
		{`{"type":"object","properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{"type":"string"}}}}}`,
			"{a _, b string}", []string{"unsupported-keyword /dependentSchemas/a"}},
		{`{"type":"object","properties":{"a":{}},"dependencies":{"a":["b"]}}`, "{a _}", nil},
		{`{"not":{"type":"string"}}`, "_", []string{"unsupported-keyword /not"}},
	})
}

func TestArrays(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"type":"array","items":{"type":"string"}}`, "[string]", nil},
		{`{"type":"array","items":{"type":"array","items":{"enum":[1]}}}`, "[[1]]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, "[string, integer, ..._]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, "[string, ...integer]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, "[string, ...never]", nil},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, "[string, ...integer]", nil},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":false}`, "[string, ...never]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":false}`, "[string, ...never]", nil},
		{`{"items":{"type":"string"}}`, "[string]", []string{"implied-type"}},
		{`{"type":"array","items":"string"}`, "[_]", []string{"invalid-keyword /items"}},
		{`{"type":"array","prefixItems":{}}`, "[_]", []string{"invalid-keyword /prefixItems"}},
		{`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"null"}}]}`,
			"[integer|string, ...null|string]", nil},
		{`{"anyOf":[{"type":"array"},{"type":"array","items":{"type":"string"}}]}`, "[string]", nil},
	})
}

func TestAllOf(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"allOf":[{"type":"string"}]}`, "string", nil},
		{`{"allOf":[{"type":["string","null"]},{"type":["string","integer"]}]}`, "string", nil},
		{`{"type":"number","allOf":[{"type":"integer"}]}`, "integer", nil},
		{`{"allOf":[{"enum":["a","b","c"]},{"enum":["c","b"]}]}`, `"b"|"c"`, nil},
		{`{"allOf":[{"enum":[1,2]},{"enum":[2.0,3]}]}`, `2`, nil},
		{`{"allOf":[{"enum":["a",1]},{"type":"string"}]}`, `"a"`, nil},
		{`{"allOf":[{"type":"string"},{"type":"integer"}]}`, "never", []string{"contradiction /allOf/0"}},
		{`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{}}}],"properties":{"c":{}},"required":["b"]}`,
			"{c _, a! string, b! _}", nil},
		{`{"allOf":[{"type":"object","properties":{"a":{"type":["string","null"]}}},{"properties":{"a":{"type":"string"}}}]}`, "{a string}", nil},
		{`{"allOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"properties":{"b":{}},"additionalProperties":true}]}`, "{a _, b _}", nil},
		{`{"allOf":[{"type":"object","properties":{"a":{}}},{"properties":{"b":{}},"additionalProperties":true}]}`, "{a _, b _, ..._}", nil},
		{`{"allOf":[{"type":"object","additionalProperties":{"type":["string","null"]}},{"additionalProperties":{"type":"string"}}]}`, "{...string}", nil},
		{`{"allOf":[{"type":"array","items":{"type":["string","null"]}},{"items":{"type":"string"}}]}`, "[string]", nil},
		{`{"allOf":[{"type":"string"}],"nullable":true}`, "null|string", nil},
		{`{"allOf":[]}`, "_", []string{"invalid-keyword /allOf"}},
		{`{"allOf":{}}`, "_", []string{"invalid-keyword /allOf"}},
		{`{"allOf":[7]}`, "_", []string{"invalid-schema /allOf/0"}},
		{`{"type":"string","allOf":[true,{}]}`, "string", nil},
	})
}

func TestAnyOf(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, "null|string", nil},
		{`{"oneOf":[{"type":"string"},{"type":"integer"}]}`, "integer|string", nil},
		{`{"anyOf":[{"type":"string"},{}]}`, "_", nil},
		{`{"anyOf":[{"type":"string"},false]}`, "string", nil},
		{`{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}`, `"a"|"b"`, nil},
		{`{"anyOf":[{"enum":["a"]},{"type":"integer"}]}`, `integer|"a"`, nil},
		{`{"anyOf":[{"enum":["a"]},{"type":"string"}]}`, `string|"a"`, nil},
		{`{"anyOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`, `"a"|"b"|"c"`, nil},
		{`{"type":"string","anyOf":[{"const":"a"},{"const":1}]}`, `"a"`, nil},
		{`{"type":"string","anyOf":[{"type":"null"}]}`, `never`, []string{"contradiction"}},
		{`{"type":["string","null","integer"],"anyOf":[{"type":"string"},{"type":"null"}]}`, "null|string", nil},
		{`{"anyOf":[{"type":"string"},{"type":"null"}],"oneOf":[{"type":"string"},{"type":"integer"}]}`, "string", nil},
		{`{"anyOf":[{"anyOf":[{"type":"string"},{"type":"null"}]},{"type":"integer"}]}`, "null|integer|string", nil},
		{`{"anyOf":[]}`, "_", []string{"invalid-keyword /anyOf"}},

		// Objects.
		{`{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "{a _, b _}", nil},
		{`{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["a","b"]}]}`, "{a! _, b _}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"k":{"const":1}},"required":["a","k"]},{"type":"object","properties":{"a":{"type":"integer"},"b":{}},"required":["a"]}]}`,
			"{a! integer|string, k 1, b _}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"string"}]}`, "string|{a! string}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":true}]}`, "{a string, b string, ..._}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","additionalProperties":{"type":"integer"}}]}`, "{a integer|string, ...integer}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{}}}]}`, "{a _}", nil},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","patternProperties":{"^a":{"type":"integer"}}}]}`, "{a integer|string, /^a/ integer, ..._}", nil},
		{`{"properties":{"t":{"type":"string"}},"type":"object","oneOf":[{"properties":{"t":{"const":"a"},"a":{}}},{"properties":{"t":{"const":"b"},"b":{}}}]}`, `{t "a"|"b", a _, b _}`, nil},
	})
}

func TestAlternatives(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"string"}`, "string"},
		{`{"type":["string","null"]}`, "string / null"},
		{`{"type":["null","array"],"items":{"type":"string"}}`, "null / [string]"},
		{`{"type":["string","null"],"enum":["a",null]}`, `"a" / null`},
		{`{"type":["integer","number"]}`, "integer / number"},
		{`{"type":"string","nullable":true}`, "string / null"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, "string / null"},
		{`{"anyOf":[{"type":"string"},false]}`, "string"},
		{`{"anyOf":[{"type":"string"},{"type":"string"}]}`, "string"},
		{`{"anyOf":[{"$ref":"#/$defs/name"},{"$ref":"#/$defs/name"}]}`, "string"},
		{`{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}`, "{value string, children [^tree]} / null"},
		{`{"description":"d","anyOf":[{"const":1},{"const":2}]}`, "1 / 2"},
		{`{"type":"object","properties":{"a":{}},"oneOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`, "{a _, b _} / {a _, c _}"},
		{`{"anyOf":[{"anyOf":[{"const":1},{"const":2}]},{"const":3}]}`, "1|2 / 3"},
		{`{"$ref":"#/$defs/point","nullable":true}`, "{x! number, y! number} / null"},
	} {
		got, _ := compileProperty(t, c.schema)
		if d := describeAlts(got); d != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.schema, d, c.want)
		}
	}
	// Properties that alternatives share are told apart by what they say.
	got, _ := compileProperty(t, `{"oneOf":[
		{"type":"object","properties":{"id":{"type":"string","description":"d"},"k":{"const":1}}},
		{"type":"object","properties":{"id":{"description":"d", "type":"string"},"k":{"const":2}}}]}`)
	for name, want := range map[string]string{"id": "string", "k": "1 / 2"} {
		if d := describeAlts(got.Field([]byte(name)).Type); d != want {
			t.Errorf("%s: got %s, want %s", name, d, want)
		}
	}
}

func TestAnnotations(t *testing.T) {
	got, _ := compileProperty(t, `{"title":"T","description":"D","format":"date","default": {"a":1},"type":"string"}`)
	want := Type{Kinds: String, Free: String, Title: "T", Description: "D", Format: "date", Default: []byte(`{"a":1}`)}
	want.Source = got.Source
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(Type{})); diff != "" {
		t.Error(diff)
	}
	if s := string(got.Source); s != `{"title":"T","description":"D","format":"date","default": {"a":1},"type":"string"}` {
		t.Errorf("source %s", s)
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
