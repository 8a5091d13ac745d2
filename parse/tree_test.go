package parse_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
)

// Paths build objects; where they meet, and where they cannot.
func TestPaths(t *testing.T) {
	const declared = `{"properties":{"a":{"properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"]},"b":{"type":"integer"},"a.z":{"type":"integer"},"c.d.e":{"type":"integer"},"c":{"properties":{"d":{"properties":{"f":{"type":"integer"}}}}}},"additionalProperties":true}`
	for _, c := range []struct{ rule, schema, text, want string }{
		{"a group that is gone back to", "", "<call>t a.x=1 b=2 a.y=3</call>", `tool-call[0:30]t{"a":{"x":1,"y":3},"b":2}`},
		{"the same, declared", declared, "<call>t a.x=1 b=2 a.y=3</call>", `tool-call[0:30]t{"a":{"x":1,"y":3},"b":2}`},
		{"twice and below", "", "<call>t a.x.p=1 b=2 a.y=3 c=4 a.x.q=5</call>", `tool-call[0:44]t{"a":{"x":{"p":1,"q":5},"y":3},"b":2,"c":4}`},
		{"a declared key with a dot", declared, "<call>t a.x=1 a.z=2</call>", `tool-call[0:26]t{"a":{"x":1},"a.z":2}`},
		{"the longest declared key", declared, "<call>t c.d.e=1 c.d.f=2</call>", `tool-call[0:30]t{"c.d.e":1,"c":{"d":{"f":2}}}`},
		{"what a group lacks", declared, "<call>t a.y=1</call>", `tool-call[0:20]t{"a":{"y":1}} missing-argument(a.x)@13`},
		{"a repeated key", "", "<call>t a=1 a=2</call>", `malformed[0:22]duplicate-key@12`},
		{"a repeated key, declared", declared, "<call>t b=1 b=2</call>", `malformed[0:22]duplicate-key@12`},
		{"a repeated path", "", "<call>t a.b=1 a.b=2</call>", `malformed[0:26]duplicate-key@14`},
		{"a repeated path with others between", declared, "<call>t a.x=1 b=2 a.x=3</call>", `malformed[0:30]duplicate-key@18`},
		{"a value, then a parent", "", "<call>t a=1 a.b=2</call>", `malformed[0:24]path-conflict@12`},
		{"a parent, then a value", "", "<call>t a.b=1 a=2</call>", `malformed[0:24]path-conflict@14`},
		{"an object written whole takes no paths", "", "<call>t a={b:1} a.c=2</call>", `malformed[0:28]path-conflict@16`},
		{"a repeated key of an object", "", "<call>t a={k:1,k:2}</call>", `malformed[0:26]duplicate-key@15`},
		{"a key repeated in other words", "", `<call>t {"k":1,"\u006b":2}</call>`, `malformed[0:33]duplicate-key@15`},
		{"keys of other objects do not count", "", `<call>t a={k:1} b={k:2} c=[{k:3},{k:4}]</call>`, `tool-call[0:46]t{"a":{"k":1},"b":{"k":2},"c":[{"k":3},{"k":4}]}`},
		{"keys of a JSON body never split", "", `<call>t {"a":1,"a.b":2}</call>`, `tool-call[0:30]t{"a":1,"a.b":2}`},
		{"a duplicate stands before a later fault", "", "<call>t a=1 a=2 b</call>", `malformed[0:24]duplicate-key@12`},
		{"but not before an earlier one", "", "<call>t a b=1 b=2</call>", `malformed[0:24]expected-equals@9`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if c.schema == "" {
				reads(t, nil, parse.Options{}, c.text, c.want)
				return
			}
			reads(t, schemaCatalog(t, c.schema), parse.Options{}, c.text, c.want)
		})
	}
}
