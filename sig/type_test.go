package sig

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFields(t *testing.T) {
	for _, n := range []int{0, 1, manyNames - 1, manyNames, 70} {
		isRequired := func(i int) bool { return i%3 == 0 || i == 64 }
		var properties, required []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"p%d":{"const":%d}`, i, i))
			if isRequired(i) {
				required = append(required, fmt.Sprintf(`"p%d"`, i))
			}
		}
		args := argumentsOf(t, fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`,
			strings.Join(properties, ","), strings.Join(required, ",")))
		if len(args.Fields) != n || args.Field([]byte("p")) != nil || args.Field([]byte("p071")) != nil || args.Field(nil) != nil {
			t.Fatalf("%d fields, want %d", len(args.Fields), n)
		}
		for i := range n {
			f := args.Field([]byte(fmt.Sprintf("p%d", i)))
			if f == nil || f != &args.Fields[i] || f.Index != i || f.Required != isRequired(i) {
				t.Fatalf("field %d of %d: %+v", i, n, f)
			}
			if lacks := args.Lacks(^(1 << i)); lacks != (n > 64 || f.Required) {
				t.Errorf("without field %d of %d: lacks %t", i, n, lacks)
			}
		}
	}
	args := argumentsOf(t, `{"type":"object","properties":{"a\u0022\u00e9":{},"a.b":{}}}`)
	if got := string(args.Fields[0].JSONKey); got != `"a\"é":` {
		t.Error(got)
	}
}

func TestProperty(t *testing.T) {
	args := argumentsOf(t, `{"type":"object","properties":{
		"closed":{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"},"^x":{"type":"null"}},"additionalProperties":false},
		"open":{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-|\\u00e9\\s":{"type":"integer"}},"additionalProperties":{"type":"boolean"}},
		"silent":{"type":"object"}}}`)
	for _, c := range []struct {
		in, name, want  string
		declared, known bool
	}{
		{"closed", "a", "string", true, true},
		{"closed", "x-1", "integer", false, true},
		{"closed", "xx", "null", false, true},
		{"closed", "b", "_", false, false},
		{"open", "a", "string", true, true},
		{"open", "x-1", "integer", false, true},
		{"open", "é\u00a0", "integer", false, true},
		{"open", "b", "boolean", false, true},
		{"silent", "b", "_", false, true},
	} {
		in := args.Field([]byte(c.in)).Type
		typ, field, known := in.Property([]byte(c.name))
		if describe(typ) != c.want || (field != nil) != c.declared || known != c.known || in.Patterned() != (c.in != "silent") {
			t.Errorf("%s.%s: %s %v %v", c.in, c.name, describe(typ), field, known)
		}
	}
	var none *Type
	if typ, field, known := none.Property([]byte("a")); typ != nil || field != nil || !known {
		t.Error("a nil type knows a property")
	}
	if none.Field([]byte("a")) != nil || none.Item(0) != nil || none.Restricts() || none.Patterned() || none.Member(String, nil) != nil {
		t.Error("a nil type says something")
	}
	tuple := typeOf(t, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"null"}}`)
	for i, want := range map[int]string{0: "string", 1: "integer", 2: "null", 3: "null", -1: "_", math.MinInt: "_"} {
		if d := describe(tuple.Item(i)); d != want {
			t.Errorf("%d: %s, want %s", i, d, want)
		}
	}
}

// Patterns that would take too long for each byte of a key, alone or together, match every
// key; real patterns are run.
func TestPatternsAreBounded(t *testing.T) {
	many := func(n int, pattern string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%s":{"const":%d}`, strings.ReplaceAll(pattern, "N", fmt.Sprint(i)), i))
		}
		return strings.Join(list, ",")
	}
	a := func(n int) string { return strings.Repeat("a", n) }
	for _, c := range []struct {
		patterns string
		bad      string   // the first pattern that is not run, if any
		keys     []string // each with its type, "-" for an unknown key
	}{
		{`"^x-":{"const":1},"y$":{"const":2}`, "", []string{"x-a 1", "ay 2", "x-y 1", "ax- -"}},
		{`"^[a-zA-Z0-9_.-]{1,255}$":{"const":1},"^.{2,20}!":{"const":2}`, "", []string{a(255) + " 1", a(256) + " -", "a! -", "?a! 2"}},
		{`"^(?:arn|[a-z][a-z0-9-]{0,126}[a-z0-9])$":{"const":1}`, "", []string{"arn 1", a(128) + " 1", a(129) + " -"}},
		{`"^[a-z]{1,200}[a-z]{1,200}$":{"const":1},"^x":{"const":2}`, "^[a-z]{1,200}[a-z]{1,200}$", []string{"X 1", a(81) + " 1"}},
		{`"^(a|ab){1,200}$":{"const":1}`, "^(a|ab){1,200}$", []string{"b 1"}},
		{`"[a-z]{1,30}$":{"const":1}`, "", []string{"a 1", "A -"}},
		{`"[a-z]{1,400}$":{"const":1}`, "[a-z]{1,400}$", []string{"a 1", "A 1"}},
		{`"((a{1,10}){1,10}){1,10}":{"const":1}`, "((a{1,10}){1,10}){1,10}", []string{"b 1"}},
		{`"` + a(maxPattern+1) + `":{"const":1}`, a(maxPattern + 1), []string{"b 1"}},
		{`"^z":{"const":1},"a{1,2000}":{"const":2},"^y":{"const":3}`, "a{1,2000}", []string{"z 1", "b 2", "y 2"}},
		{many(100, "^xN-"), "^x87-", []string{"x23-a 23", "x0- 0", "x99- 87", "b 87"}},
		{many(24, "^xN-"), "", []string{"x23-a 23", "x0- 0", "x31- -", "b -"}},
	} {
		schema := `{"type":"object","patternProperties":{` + c.patterns + `},"additionalProperties":false}`
		catalog := compileTools(t, Tool{Name: "t", Schema: []byte(schema)})
		bad := ""
		for _, p := range catalog.Problems() {
			bad = cmp.Or(bad, strings.TrimPrefix(p.Path, "/patternProperties/"))
		}
		if bad != c.bad {
			t.Errorf("%.60s: bad %.200s, want %.200s", c.patterns, bad, c.bad)
		}
		for _, key := range c.keys {
			name, want, _ := strings.Cut(key, " ")
			typ, _, known := catalog.Tools()[0].Args.Property([]byte(name))
			if got := describe(typ); known != (want != "-") || known && got != want {
				t.Errorf("%.60s: %.40s is %s, known: %v", c.patterns, name, got, known)
			}
		}
	}
}

func TestMember(t *testing.T) {
	got := typeOf(t, `{"enum":["a\u00e9\"","1",1.0,-2.50,true,null,{"k" : [1, 2]},[ ]]}`)
	for _, c := range []struct {
		kind Kinds
		text string
		want string // "" for none
	}{
		{String, `aé"`, `"a\u00e9\""`}, {String, `b`, ""}, {String, `1`, `"1"`}, {String, `1.0`, ""},
		{Integer, `1`, "1.0"}, {Number, `1`, "1.0"}, {Integer, `10e-1`, "1.0"}, {Integer, `2`, ""}, {Number, `-25E-1`, "-2.50"},
		{Boolean, `true`, "true"}, {Boolean, `false`, ""}, {Null, `null`, "null"}, {String, `null`, ""},
		{Object, `{"k":[1,2]}`, `{"k":[1,2]}`}, {Array, `[]`, "[]"}, {Object, `[]`, ""}, {Array, `{"k":[1,2]}`, ""},
		{Object, ` { "\u006b" : [ 1.0 , 20e-1 ] } `, `{"k":[1,2]}`}, {Object, `{"k":[2,1]}`, ""}, {Object, `{"k":[1,2],"l":1}`, ""},
		// Text that is not JSON is not a member.
		{Number, ``, ""}, {Number, `-`, ""}, {Integer, `1.`, ""}, {Array, ``, ""}, {Array, `[`, ""}, {Array, `]`, ""}, {Array, `1`, ""},
		{Object, `1`, ""}, {Object, `{"`, ""}, {Object, `{"\`, ""}, {Array, `[é]`, ""}, {Array, `[[]]`, ""}, {Object, `{}`, ""},
	} {
		text := ""
		if m := got.Member(c.kind, []byte(c.text)); m != nil {
			text = string(m.JSON)
		}
		if text != c.want {
			t.Errorf("%v %s: got %s", c.kind, c.text, text)
		}
	}
	number, field, name := []byte("10e-1"), argumentsOf(t, `{"properties":{"a":{}}}`), []byte("a")
	if n := testing.AllocsPerRun(100, func() { got.Member(Integer, number); field.Field(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// plainly decodes a JSON text so that equal values are deeply equal.
func plainly(t rapid.TB, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var plain func(any) any
	plain = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			r, _ := new(big.Rat).SetString(string(v))
			return "number " + r.RatString()
		case string:
			return "string " + v
		case []any:
			for i := range v {
				v[i] = plain(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = plain(v[k])
			}
		}
		return v
	}
	return plain(v)
}

// drawJSON draws a value that often equals another one, written in one of many ways.
func drawJSON(t *rapid.T, depth int) string {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "text") }
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 {
		kind %= 2
	}
	switch kind {
	case 0:
		return pick("1", "1.0", "10e-1", "0.1E1", "2", "-0", "0", "0e9", "1.5", "15e-1", "null", "true", "false")
	case 1:
		return pick(`"a"`, `"\u0061"`, `"1"`, `""`, `"é"`, `"\u00e9"`, `"\n"`, `"\u000a"`, `"[1]"`, `"\""`, `"\u0022"`, `"😀"`, `"\ud83d\ude00"`)
	case 2:
		var all []string
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			all = append(all, drawJSON(t, depth-1))
		}
		return "[" + strings.Join(all, pick(",", " , ")) + "]"
	}
	var all []string
	for _, key := range rapid.Permutation([][]string{{`"a"`, `"\u0061"`}, {`"b"`, `"\u0062"`}, {`"1"`}}).Draw(t, "keys")[:rapid.IntRange(0, 3).Draw(t, "members")] {
		all = append(all, pick(key...)+pick(":", " : ")+drawJSON(t, depth-1))
	}
	return "{" + strings.Join(all, ",\n") + "}"
}

// An array or object is a member of an enum exactly if it equals one of its values.
func TestMembersByValue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		listed, text := "["+drawJSON(rt, 3)+"]", "["+drawJSON(rt, 3)+"]"
		typ := typeOf(t, `{"enum":[`+listed+`]}`)
		same := reflect.DeepEqual(plainly(rt, listed), plainly(rt, text))
		if got := typ.Member(Array, []byte(text)) != nil; got != same {
			rt.Fatalf("%s in [%s]: %t", text, listed, got)
		}
	})
}

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
		{`{"type":"number","minimum":0,"exclusiveMaximum":1}`, []string{`0`, `0.999`, `1e-99`}, []string{`1`, `1.0`, `-0.1`, `1e99`}},
		{`{"type":"number","minimum":-1.5,"maximum":1e3}`, []string{`-1.5`, `-15e-1`, `1000`, `-1.4`}, []string{`-1.51`, `1000.1`}},
		{`{"type":"string","minLength":2,"maxLength":3}`, []string{`"ab"`, `"\u00e9é😀"`}, []string{`"a"`, `"abcd"`}},
		{`{"type":"string","pattern":"^a"}`, []string{`"ab"`}, []string{`"b"`}},
		{`{"type":"string","pattern":"^[\\u0041\\s]\\s\\S$"}`, []string{`"A\u00a0b"`, `"\ufeff\u000bé"`}, []string{`"u b"`, `"Abb"`, `"A \u2003"`}},
		{`{"type":"object","patternProperties":{"^a":{"type":"integer"},"b$":{"maximum":5},"(?=a)":{}}}`, []string{`{"ab":5,"a":6}`}, []string{`{"ab":6}`, `{"ab":"b"}`}},
		{`{"anyOf":[{"type":"object","patternProperties":{"^a":{"type":"integer"}}},{"type":"object","patternProperties":{"b$":{"type":"null"}}}]}`, []string{`{"ab":5}`}, []string{`{"ab":"b"}`}},
		{`{"type":"string","pattern":"^[\\w\\s-']+$"}`, []string{`"a-b'\u00a0"`}, []string{`"a.b"`}},
		{`{"type":"string","pattern":"(?=a)"}`, []string{`"b"`}, nil},
		{`{"type":"array","items":{"type":"integer"},"maxItems":2,"uniqueItems":true}`, []string{`[]`, `[1,2]`}, []string{`[1,1.0]`, `[1,2,3]`, `["a"]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":false}`, []string{`[1]`}, []string{`[1,2]`, `["a"]`}},
		{point, []string{`{"x":1}`, `{"x":1,"y":2}`}, []string{`{}`, `{"x":1,"z":2}`, `{"x":"1"}`, `{"x":1,"x":2}`}},
		{`{"type":"object","minProperties":1,"dependentRequired":{"a":["b"]}}`, []string{`{"b":1}`, `{"a":1,"b":2}`}, []string{`{}`, `{"a":1}`}},
		{`{"anyOf":[{"const":["x"]},{"type":"array","items":{"type":"integer"}}]}`, []string{`["x"]`, `[1]`}, []string{`["x",1]`, `["y"]`}},
		// A property or element has the types of the alternatives that declare it, as a reader sees it.
		{`{"anyOf":[{"type":"array"},{"type":"array","items":{"type":"boolean"}}]}`, []string{`[true]`}, []string{`["x"]`}},
		{`{"enum":[{"x":1},{"x":"1"},{"z":"1"}],"anyOf":[{"type":"object"},` + point + `]}`, []string{`{"x":1}`, `{"z":"1"}`}, []string{`{"x":"1"}`}},
		{`{"anyOf":[{"type":"string","maxLength":1},` + point + `]}`, []string{`"a"`, `{"x":1}`}, []string{`"ab"`, `{"y":1}`}},
	} {
		typ := typeOf(t, c.schema)
		for _, text := range append(c.yes, c.no...) {
			if got, want := typ.Accepts([]byte(text)), slices.Contains(c.yes, text); got != want {
				t.Errorf("%s accepts %s: %t", c.schema, text, got)
			}
		}
	}
	// Alternatives within alternatives are tried once for each value.
	args := argumentsOf(t, `{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"$defs":{"d":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/d"},"maxItems":5},{"type":"array","items":{"$ref":"#/$defs/d"},"maxItems":6},{"type":"null"}]}}}`)
	if args.Accepts([]byte(`{"x":` + nest(500, "[", "1", "]") + `}`)) {
		t.Error("a number is accepted")
	}
	for schema, want := range map[string]bool{
		`{"type":"string","pattern":"^a","format":"date","minLength":1}`: true,
		`{"type":"string","pattern":"(?=a)"}`:                            false,
		`{"type":"array","contains":{"type":"integer"}}`:                 false,
	} {
		if typeOf(t, schema).Limits.Checkable() != want {
			t.Errorf("%s: all limits are checked: %t", schema, !want)
		}
	}
}
