package sig

import "testing"

func TestAccepts(t *testing.T) {
	const point = `{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x"]}`
	for _, c := range []struct {
		schema  string
		yes, no []string
	}{
		{`{}`, []string{`1`, `null`, `{"a":[]}`}, []string{`{`, ``}},
		{`{"type":"integer"}`, []string{`1`, `1.0`, `-1e2`}, []string{`1.5`, `"1"`, `null`}},
		{`{"type":["string","null"]}`, []string{`"a"`, `null`}, []string{`1`}},
		{`{"enum":["a",1,[1,{"b":2}]]}`, []string{`"a"`, `1.0`, `[1.0,{"b":2e0}]`}, []string{`"b"`, `2`, `[1]`}},
		{`{"type":"number","multipleOf":0.01}`, []string{`19.99`, `0`, `-0.07`, `1e50`}, []string{`19.999`, `1e-3`}},
		{`{"type":"integer","multipleOf":3}`, []string{`9`, `-3`, `0`}, []string{`10`}},
		{`{"type":"number","minimum":0,"exclusiveMaximum":1}`, []string{`0`, `0.999`, `1e-99`}, []string{`1`, `1.0`, `-0.1`, `1e99`}},
		{`{"type":"number","minimum":-1.5,"maximum":1e3}`, []string{`-1.5`, `-15e-1`, `1000`, `-1.4`}, []string{`-1.51`, `1000.1`}},
		{`{"type":"string","minLength":2,"maxLength":3}`, []string{`"ab"`, `"\u00e9é😀"`}, []string{`"a"`, `"abcd"`}},
		{`{"type":"string","pattern":"^a"}`, []string{`"ab"`}, []string{`"b"`}},
		{`{"type":"string","pattern":"(?=a)"}`, []string{`"b"`}, nil},
		{`{"type":"array","items":{"type":"integer"},"maxItems":2,"uniqueItems":true}`, []string{`[]`, `[1,2]`}, []string{`[1,1.0]`, `[1,2,3]`, `["a"]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":false}`, []string{`[1]`}, []string{`[1,2]`, `["a"]`}},
		{point, []string{`{"x":1}`, `{"x":1,"y":2}`}, []string{`{}`, `{"x":1,"z":2}`, `{"x":"1"}`, `{"x":1,"x":2}`}},
		{`{"type":"object","minProperties":1,"dependentRequired":{"a":["b"]}}`, []string{`{"b":1}`, `{"a":1,"b":2}`}, []string{`{}`, `{"a":1}`}},
		{`{"anyOf":[{"type":"string","maxLength":1},` + point + `]}`, []string{`"a"`, `{"x":1}`}, []string{`"ab"`, `{"y":1}`}},
	} {
		typ, _ := compileProperty(t, c.schema)
		for _, text := range c.yes {
			if !typ.Accepts([]byte(text)) {
				t.Errorf("%s refuses %s", c.schema, text)
			}
		}
		for _, text := range c.no {
			if typ.Accepts([]byte(text)) {
				t.Errorf("%s accepts %s", c.schema, text)
			}
		}
	}
	if (*Type)(nil).Accepts([]byte("1")) != true {
		t.Error("a place of which nothing is said refuses a value")
	}
}

// Alternatives within alternatives are tried once for each value.
func TestAcceptsIsLinear(t *testing.T) {
	args, _ := compileSchema(t, `{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"$defs":{"d":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/d"},"maxItems":5},{"type":"array","items":{"$ref":"#/$defs/d"},"maxItems":6},{"type":"null"}]}}}`)
	if args.Accepts([]byte(`{"x":` + nest(500, "[", "1", "]") + `}`)) {
		t.Error("a number is accepted")
	}
}
