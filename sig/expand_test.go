package sig

import (
	"strings"
	"testing"
)

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
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{}]}`, "null|boolean|number|string|{a string, ..._}|[_]", nil},
		{`{"anyOf":[true,{"type":"array","items":{"type":"string"}}]}`, "null|boolean|number|string|{..._}|[string]", nil},
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
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"allOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"additionalProperties":false}]}]}`, "{a string}", nil},
		{`{"properties":{"t":{"type":"string"}},"type":"object","oneOf":[{"properties":{"t":{"const":"a"},"a":{}}},{"properties":{"t":{"const":"b"},"b":{}}}]}`, `{t "a"|"b", a _, b _}`, nil},
	})
}

// Unions that multiply to the maximum number of variants are typed by all of them;
// with one more, the place is untyped.
func TestVariantsWithinTheBound(t *testing.T) {
	of := func(n int) string {
		return `{"anyOf":[{"type":"string"}` + strings.Repeat(`,{"type":"string"}`, n-1) + `]}`
	}
	for _, c := range []struct {
		n, m     int
		want     string
		problems int
	}{{32, 32, "string", 0}, {25, 41, "_", 1}} {
		got, problems := compileProperty(t, `{"allOf":[`+of(c.n)+`,`+of(c.m)+`]}`)
		if d := describe(got); d != c.want || len(problems) != c.problems {
			t.Errorf("%d times %d: %s and %v, want %s", c.n, c.m, d, problems, c.want)
		}
	}
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
		{`{"anyOf":[{"anyOf":[{"const":1},{"const":2}]},{"const":3}]}`, "1 / 2 / 3"},
		{`{"$ref":"#/$defs/point","nullable":true}`, "{x! number, y! number} / null"},
	} {
		got, _ := compileProperty(t, c.schema)
		if d := describeAlts(got); d != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.schema, d, c.want)
		}
	}
	// Alternatives keep their own types for shared properties.
	got, _ := compileProperty(t, `{"oneOf":[
		{"type":"object","properties":{"id":{"type":"string","description":"d"},"k":{"const":1}}},
		{"type":"object","properties":{"id":{"description":"d", "type":"string"},"k":{"const":2}}}]}`)
	for name, want := range map[string]string{"id": "string", "k": "1 / 2"} {
		if d := describeAlts(got.Field([]byte(name)).Type); d != want {
			t.Errorf("%s: got %s, want %s", name, d, want)
		}
	}
}
