package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// schemaCatalog returns a catalog of one tool, t, with that schema.
func schemaCatalog(tb testing.TB, schema string) *sig.Catalog {
	tb.Helper()
	c, err := sig.Compile([]sig.Tool{{Name: "t", Schema: []byte(schema)}})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// describe returns the input and issues of the only call in text.
func describe(tb testing.TB, text string, catalog *sig.Catalog) string {
	tb.Helper()
	segs := parse.Text(text, catalog)
	if len(segs) != 1 || segs[0].Kind != parse.Call {
		tb.Fatalf("%q: %+v", text, segs)
	}
	s := string(segs[0].Input)
	for _, i := range segs[0].Issues {
		s += fmt.Sprintf(" %s(%s)@%d", i.Code, i.Path, i.At)
	}
	return s
}

func TestTypingCorners(t *testing.T) {
	const endless = `{"properties":{"a":{"$ref":"#/$defs/l"}},"$defs":{"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}}`
	const nested = `{"properties":{"l":{"$ref":"#/$defs/l"}},"$defs":{"l":{"type":"array","items":{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/l"}]}}}}`
	const nulls = `{"properties":{"a":{"type":"array","items":{"$ref":"#/$defs/l"}}},"$defs":{"l":{"type":["array","null"],"items":{"$ref":"#/$defs/l"}}}}`
	const flat = `{"properties":{"a":{"type":"string"},"rows":{"type":"array"},"o":{"properties":{"x":{"type":"integer"}}}}}`
	const compound = `{"properties":{"e":{"enum":[[1,2],{"k":"v","l":1}]}}}`
	for _, c := range []struct{ schema, text, want string }{
		// A type that is an array of itself takes no scalar, however wrapped.
		{endless, `<call>t a=1</call>`, `{"a":1} type-mismatch(a)@10`},
		{endless, `<call>t a="x"</call>`, `{"a":"x"} type-mismatch(a)@10`},
		{endless, `<call>t a=[[],[[]]]</call>`, `{"a":[[],[[]]]}`},
		// One whose elements may be integers takes an integer.
		{nested, `<call>t l=5</call>`, `{"l":[5]} coerced(l)@10`},
		{nested, `<call>t l="5"</call>`, `{"l":[5]} coerced(l)@10 coerced(l[0])@10`},
		{nulls, `<call>t a=null</call>`, `{"a":[null]} coerced(a)@10`},
		{nested, `<call>t l=x</call>`, `{"l":"x"} type-mismatch(l)@10`},
		// An array of arrays wraps twice.
		{`{"properties":{"m":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}}`, `<call>t m=x</call>`, `{"m":[["x"]]} coerced(m)@10 coerced(m[0])@10`},
		// It is wrapped four times at most.
		{nestedArrays(4), `<call>t a=x</call>`, `{"a":[[[["x"]]]]} coerced(a)@10 coerced(a[0])@10 coerced(a[0][0])@10 coerced(a[0][0][0])@10`},
		{nestedArrays(5), `<call>t a=x</call>`, `{"a":"x"} type-mismatch(a)@10`},
		{nestedArrays(60), `<call>t a=[x,"y",5,null,true]</call>`, `{"a":["x","y",5,null,true]} type-mismatch(a[0])@11 type-mismatch(a[1])@13 type-mismatch(a[2])@17 type-mismatch(a[3])@19 type-mismatch(a[4])@24`},
		// A path builds an object where the schema wants none.
		{flat, `<call>t a.b=1</call>`, `{"a":{"b":1}} type-mismatch(a)@8`},
		{flat, `<call>t rows.k=1</call>`, `{"rows":{"k":1}} type-mismatch(rows)@8`},
		{flat, `<call>t o.x.y=1</call>`, `{"o":{"x":{"y":1}}} type-mismatch(o.x)@8`},
		{flat, `<call>t o.x=1 a.b=1 o.z=2</call>`, `{"o":{"x":1,"z":2},"a":{"b":1}} type-mismatch(a)@14 unknown-argument(o.z)@20`},
		// Values of an enum that are arrays or objects are equal by value.
		{compound, `<call>t e=[1.0,2]</call>`, `{"e":[1.0,2]}`},
		{compound, `<call>t e={"l":1,"k":"v"}</call>`, `{"e":{"l":1,"k":"v"}}`},
		{compound, `<call>t e=[2,1]</call>`, `{"e":[2,1]} not-in-enum(e)@10`},
		// No number is equal to a member that is none.
		{`{"properties":{"e":{"enum":["",false,5]}}}`, `<call>t e=0</call>`, `{"e":0} not-in-enum(e)@10`},
		{`{"properties":{"e":{"enum":["",false,5]}}}`, `<call>t e=5.0</call>`, `{"e":5.0}`},
		// What is required is missed, declared or not.
		{`{"properties":{"a":{"type":"string"}},"required":["a","b"]}`, `<call>t a=x</call>`, `{"a":"x"} missing-argument(b)@11`},
		{`{"properties":{"a":{"type":"string"}},"required":["a","b"]}`, `<call>t a=x b=[1]</call>`, `{"a":"x","b":[1]}`},
	} {
		if got := describe(t, c.text, schemaCatalog(t, c.schema)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// mostWraps is the four of D26.
const mostWraps = 4

// nestedArrays returns the schema whose property a is n arrays around a string.
func nestedArrays(n int) string {
	return `{"properties":{"a":` + strings.Repeat(`{"type":"array","items":`, n) + `{"type":"string"}` + strings.Repeat("}", n) + `}}`
}

// TestWrapsWithinTheDepth: a scalar is wrapped as deep as a call may nest, and no
// deeper.
func TestWrapsWithinTheDepth(t *testing.T) {
	for levels := 1; levels <= mostWraps; levels++ {
		catalog := schemaCatalog(t, nestedArrays(levels))
		for depth := 1; depth <= mostWraps+1; depth++ {
			for _, value := range []string{`x`, `"x"`, `[x]`, `'["x"]'`} {
				segs := parse.Options{Limits: lexer.Limits{Depth: depth}}.Text("<call>t a="+value+"</call>", catalog)
				want := `{"a":` + strings.Repeat("[", levels) + `"x"` + strings.Repeat("]", levels) + `}`
				if got := string(segs[0].Input); (got == want) != (depth >= levels) {
					t.Errorf("%d arrays, depth %d, %s: %s", levels, depth, value, got)
				}
			}
		}
	}
}
