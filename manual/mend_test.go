package manual

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// What a malformed call was meant to be is read where each value begins and ends beyond
// doubt.
func TestMended(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":"integer"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object"}}}}]`)
	for body, want := range map[string]string{
		`t(a="x", b=1)`: `{"a":"x","b":1}`, `t(a="x"; b=1)`: `{"a":"x","b":1}`, `t (a="x")`: `{"a":"x"}`, `t(a="x"`: ``, `t()`: `{}`, `t( )`: `{}`, `t`: `{}`, `t:`: `{}`, `t: a=x`: `{"a":"x"}`, `t : a=x`: `{"a":"x"}`, `t:: a=x`: `{"a":"x"}`,
		`t a: "x"`: `{"a":"x"}`, `t a = "x"`: `{"a":"x"}`, `t "a": "x"`: `{"a":"x"}`, `t 'a'='x'`: `{"a":"x"}`, `t a b="x"`: ``, `t a`: ``, `t a=`: ``, `t a= , b=1`: ``, `t ="x"`: ``, `t a.b="x"`: `{"a":{"b":"x"}}`, `t a..b=1`: ``, `t .a=1`: ``,
		`t a="say "hi" now" b=1`: `{"a":"say \"hi\" now","b":1}`, `t a="it's" b=1`: `{"a":"it's","b":1}`, `t a='it\'s' b=1`: `{"a":"it's","b":1}`, `t a="x`: ``, `t a="" b=1`: `{"a":"","b":1}`, `t a=""`: `{"a":""}`, `t a="x" y`: ``, `t a="x" y z=1`: ``, `t a="x\"`: ``, `t a="x\\"`: `{"a":"x\\"}`, `t a="x\ny"`: `{"a":"x\ny"}`, `t a="<x> & y"`: `{"a":"<x> & y"}`,
		`t l=["x", "y"], b=1`: `{"l":["x","y"],"b":1}`, `t l=["x"`: ``, `t o={"k":1} b=2`: `{"o":{"k":1},"b":2}`, `t l=[x,y]`: ``, `t a=x,b=1`: `{"a":"x","b":1}`, `t a=x;b=1`: `{"a":"x;b=1"}`, `t a=,`: ``,
		`t {"a":"x"}`: `{"a":"x"}`, `t({"a":"x"})`: `{"a":"x"}`, `t: {"a":"x"}`: `{"a":"x"}`, `t {"a":"x"} b=1`: `{"a":"x"}`, `t {a="x"}`: ``, `t {a:"x"}`: ``, `t a="<call>"`: ``, `t a="</call>"`: ``, `(a="x")`: ``, ``: ``, `{"a":1}`: ``, `t a="x",, b=1`: `{"a":"x","b":1}`, "t\na: \"x\"\nb: 1": `{"a":"x","b":1}`,
	} {
		if name, input := (Options{}).loose(catalog, body); string(input) != want || (name == "") != (want == "") || name != "" && name != "t" {
			t.Errorf("%s: %q %s, want %s", body, name, input, want)
		}
	}
}

// An envelope has a name, and arguments or none.
func TestEnvelope(t *testing.T) {
	for body, want := range map[string]string{
		`{"name":"t","arguments":{"a":1}}`: `t {"a":1}`, `{"tool":"t","input":{"a":1}}`: `t {"a":1}`, `{"tool_name":"t","parameters":{"a":1}}`: `t {"a":1}`, `{"toolName":"t","args":{"a":1}}`: `t {"a":1}`, `{"function":"t"}`: `t {}`, `{"name":"t"}`: `t {}`,
		`{"function":{"name":"t","arguments":"{}"}}`: `t "{}"`, `{"type":"function","function":{"name":"t"}}`: `t {}`, `{"name":"","tool":"t"}`: `t {}`, `{"name":1,"tool":"t"}`: `t {}`, `{"name":"t","arguments":null}`: `t null`, `{"name":"t","arguments":{"a":1},"input":{"b":1}}`: `t {"a":1}`,
		`{"arguments":{}}`: ` {}`, `[]`: ` `, `{`: ` `, ``: ` `, `{"function":{}}`: ` {}`,
	} {
		if name, input := envelope(body); name+" "+string(input) != want {
			t.Errorf("%s: %q %s, want %s", body, name, input, want)
		}
	}
}

// Two quotes are an empty string where a value may end after them, and else begin one that
// nobody knows the end of.
func TestDoubled(t *testing.T) {
	for body, want := range map[string]bool{
		`t a=""`: false, `t a="" b=1`: false, `t a="",b=1`: false, `t a="";b`: false, `t {"":1}`: false, `t [""]`: false, `t(a="")`: false, `t {"a":""}`: false, "t a=\"\"\n": false, `t a=""x`: true, `t a="""x"""`: true, `t a="" b=""x""`: true, `t a="x"`: false, ``: false, `"""`: true, `""=`: true,
	} {
		if got := doubled(body); got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}

// The body of a call is without its tags, the beginning of a close tag among them; in a
// protocol it is the object, however that is written.
func TestBody(t *testing.T) {
	object := protocol.ByName("hermes")
	for _, c := range []struct {
		o          Options
		closed     bool
		text, want string
	}{
		{Options{}, true, "<call>t a=x</call>", "t a=x"}, {Options{}, true, "<call> t a=x\n</call>", "t a=x"}, {Options{}, true, "<call></call>", ""},
		{Options{}, false, "<call>t a=x", "t a=x"}, {Options{}, false, "<call>t a=x ", "t a=x"}, {Options{}, false, "<call>t a=x<", "t a=x<"}, {Options{}, false, "<call>t a=x</", "t a=x"}, {Options{}, false, "<call>t a=x </cal", "t a=x"},
		{Options{}, false, "<call>t a=x</call \n", "t a=x"}, {Options{}, false, "<call>", ""}, {Options{}, false, "<call></call", ""},
		{Options{Protocol: object}, false, `x {"a":1} y`, `{"a":1}`}, {Options{Protocol: object}, false, `{}`, `{}`}, {Options{Protocol: object}, true, `{"a":{"b":2}}`, `{"a":{"b":2}}`}, {Options{Protocol: object}, false, `{'a':True}`, `{"a":true}`},
		{Options{Protocol: object}, false, `}x{`, ``}, {Options{Protocol: object}, false, `x}`, ``}, {Options{Protocol: object}, false, `{x`, ``}, {Options{Protocol: object}, false, `{"a" 1 2}`, ``}, {Options{Protocol: object}, false, ``, ``},
	} {
		if got := c.o.body(parse.Segment{Text: []byte(c.text), Closed: c.closed}); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
