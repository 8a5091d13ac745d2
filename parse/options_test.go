package parse_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// Each option, with what it changes.
func TestOptions(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"n":{"type":"integer"},"e":{"enum":["x","y"]}},"required":["n"]}`)
	for _, c := range []struct {
		name string
		opts parse.Options
		text string
		want string
	}{
		{"an issue is delivered", parse.Options{}, `<call>t n="1"</call>`, `tool-call[0:20]t{"n":1} coerced(n)@10`},
		{"strict: coerced", parse.Options{Strict: true}, `<call>t n="1"</call>`, `malformed[0:20]coerced@10`},
		{"strict: type-mismatch", parse.Options{Strict: true}, `<call>t n=x</call>`, `malformed[0:18]type-mismatch@10`},
		{"strict: not-in-enum", parse.Options{Strict: true}, `<call>t n=1 e=z</call>`, `malformed[0:22]not-in-enum@14`},
		{"strict: unknown-argument", parse.Options{Strict: true}, `<call>t n=1 k=z</call>`, `malformed[0:22]unknown-argument@12`},
		{"strict: missing-argument", parse.Options{Strict: true}, `<call>t e=x </call>`, `malformed[0:19]missing-argument@12`},
		{"strict: missing-argument of a JSON body", parse.Options{Strict: true}, `<call>t {"e":"x"} </call>`, `malformed[0:25]missing-argument@16`},
		{"strict: open-quote", parse.Options{Strict: true}, `<call>t n=1 e=r"x</call>`, `malformed[0:24]open-quote@14`},
		{"strict: ambiguous-escape", parse.Options{Strict: true}, `<call>t e="\d\"" n=1</call>`, `malformed[0:27]ambiguous-escape@10`},
		{"strict: what fits is delivered", parse.Options{Strict: true}, `<call>t n=1 e=x</call>`, `tool-call[0:22]t{"n":1,"e":"x"}`},
		{"an unknown tool", parse.Options{}, `<call>u n=1</call>`, `malformed[0:18]unknown-tool@6`},
		{"stop: what follows damage", parse.Options{StopAfterMalformed: true}, `<call>t(</call><call>t n=1</call>`, `malformed[0:15]bad-name@7 malformed[15:33]after-malformed@15 after`},
		{"stop: damage keeps its own code", parse.Options{StopAfterMalformed: true}, `<call>t(</call><call>t n</call>`, `malformed[0:15]bad-name@7 malformed[15:31]expected-equals@24 after`},
		{"stop: what precedes it is delivered", parse.Options{StopAfterMalformed: true}, `<call>t n=1</call><call>t(</call>`, `tool-call[0:18]t{"n":1} malformed[18:33]bad-name@25`},
		{"accept: a complete call", parse.Options{AcceptAtEnd: true}, `<call>t n=1`, `tool-call[0:11]t{"n":1}`},
		{"accept: half a call is none", parse.Options{AcceptAtEnd: true}, `<call>t n`, `malformed[0:9]unterminated-call@9 open`},
		{"other tags", parse.Options{Delims: lexer.Delims{Open: "((", Close: "))"}}, `<call>((t n=1))`, `text[0:6] tool-call[6:15]t{"n":1}`},
		{"a limit on arguments", parse.Options{Limits: lexer.Limits{Arguments: 1}}, `<call>t n=1 e=x</call>`, `malformed[0:22]too-many-arguments@12`},
		{"a limit on members", parse.Options{Limits: lexer.Limits{Arguments: 1}}, `<call>t {"n":1,"e":"x"}</call>`, `malformed[0:30]too-many-arguments@15`},
		{"members of inner objects do not count", parse.Options{Limits: lexer.Limits{Arguments: 2}}, `<call>t n=1 k={a:1,b:2,c:3}</call>`, `tool-call[0:34]t{"n":1,"k":{"a":1,"b":2,"c":3}} unknown-argument(k)@12`},
		{"a limit on bytes", parse.Options{Limits: lexer.Limits{Bytes: 17}}, `<call>t n=1</call>`, `malformed[0:18]call-too-long@17 cut`},
	} {
		t.Run(c.name, func(t *testing.T) { reads(t, catalog, c.opts, c.text, c.want) })
	}
}
