package grammar

import (
	"strings"
	"testing"
)

func withinBytes(n int) Options     { return Options{Limits: Limits{Bytes: n}} }
func withinDepth(n int) Options     { return Options{Limits: Limits{Depth: n}} }
func withinArguments(n int) Options { return Options{Limits: Limits{Arguments: n}} }
func withinName(n int) Options      { return Options{Limits: Limits{Name: n}} }

// limited are calls that exceed a limit by one.
var limited = []broken{
	// The close tag counts, and ends the damage even beyond the limit.
	{text: `<call>t a=1</call¦>`, code: CallTooLong, options: withinBytes(17)},
	{text: `<call>t a=1¦</call>`, code: CallTooLong, options: withinBytes(11)},
	{text: `<call>t a=1</¦call>¶ x`, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a=1¦23</call>`, code: CallTooLong, options: withinBytes(11)},
	{text: `<call>t a=123¦`, code: UnterminatedCall, options: withinBytes(13)},
	{text: `<call>t a=12¦3`, code: CallTooLong, options: withinBytes(12)},
	{text: `<call>t¦oolong</call>`, code: CallTooLong, options: withinBytes(7)},
	{text: `<call>   t¦ </call>`, code: CallTooLong, options: withinBytes(10)},
	// Inside a string, damage continues in the string.
	{text: `<call>t a="¦xy</call>" </call>¶ "`, code: CallTooLong, options: withinBytes(11)},
	{text: `<call>t a=¦"xy</call>" </call>¶ "`, code: CallTooLong, options: withinBytes(10)},
	{text: `<call>t a="x"¦ </call>¶ "`, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a="\¦"</call>"</call>¶ "`, code: CallTooLong, options: withinBytes(12)},
	{text: `<call>t a="\\¦"</call>¶"</call>`, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a="\u00¦22</call>"</call>¶`, code: CallTooLong, options: withinBytes(15)},
	{text: `<call>t a="x¦`, code: UnterminatedCall, options: withinBytes(12)},
	{text: `<call>t a=[1,¦   `, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a="¦x`, code: CallTooLong, options: withinBytes(11)},
	// The opener of a nested call may extend beyond the limit, but its first byte
	// must be within it.
	{text: `<call>t a=x¦¶<call>u</call>`, code: NestedCall, options: withinBytes(12)},
	{text: `<call>t a=x¦¶<call>u</call>`, code: CallTooLong, options: withinBytes(11)},
	// A limit takes precedence over other faults at the same byte, but not over
	// earlier ones.
	{text: `<call>t a="x"¦y</call>`, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a="x"¦y</call>`, code: ExpectedSpace, options: withinBytes(14)},
	{text: "<call>t a=x¦\xff</call>", code: CallTooLong, options: withinBytes(11)},
	{text: `<call>t a=1 a¦=2</call>`, code: CallTooLong, options: withinBytes(13)},
	{text: `<call>t a=1 ¦a=2</call>`, code: DuplicateKey, options: withinBytes(14)},
	{text: `<call>t a=b</c¦all`, code: CallTooLong, options: withinBytes(14)},

	{text: `<call>name¦s</call>`, code: NameTooLong, options: withinName(4)},
	{text: `<call> name¦s=1 "</call>"</call>`, code: NameTooLong, options: withinName(4)},
	{text: `<call>größ¦e</call>`, code: NameTooLong, options: withinName(6)},
	{text: "<call>a¦\xff</call>", code: NameTooLong, options: withinName(1)},
	{text: `<call>name¦s`, code: NameTooLong, options: withinName(4)},

	{text: `<call>t a.b¦.c=1</call>`, code: TooDeep, options: withinDepth(1)},
	{text: `<call>t a=[¦["</call>"]]</call>`, code: TooDeep, options: withinDepth(1)},
	{text: `<call>t a.b=¦[1]</call>`, code: TooDeep, options: withinDepth(1)},
	{text: `<call>t a=[{x:¦[]}]</call>`, code: TooDeep, options: withinDepth(2)},
	{text: `<call>t {"a":{"b":¦{}}}</call>`, code: TooDeep, options: withinDepth(1)},
	{text: `<call>t a.¦.b=1</call>`, code: ExpectedKey, options: withinDepth(1)},
	{text: "<call>t a.b\xc3¦.c=1</call>", code: TooDeep, options: withinDepth(1)},
	{text: `<call>t a=` + strings.Repeat("[", 64) + `¦[`, code: TooDeep},

	{text: `<call>t a=1 b=2 ¦c=3</call>`, code: TooManyArguments, options: withinArguments(2)},
	{text: `<call>t a=1 ¦a=2</call>`, code: TooManyArguments, options: withinArguments(1)},
	{text: `<call>t {a:{x:1,y:2},¦"b":[{},{}]}</call>`, code: TooManyArguments, options: withinArguments(1)},
	{text: `<call>t a=1 ¦b=[</call>`, code: TooManyArguments, options: withinArguments(1)},
	{text: `<call>t a=1 b¦</call>`, code: ExpectedEquals, options: withinArguments(1)},
	{text: `<call>t a=1 ¦b.c=2 "</call>"`, code: TooManyArguments, options: withinArguments(1)},
}

func TestLimits(t *testing.T) {
	g := standard(t)
	for _, b := range limited {
		b.check(t, g)
	}
}

// A call exactly at the limit is accepted.
func TestWithinLimits(t *testing.T) {
	g := standard(t)
	for _, test := range []struct {
		text    string
		options Options
	}{
		{`<call>t a=1</call>`, withinBytes(18)},
		{`<call>name</call>`, withinName(4)},
		{`<call>größe</call>`, withinName(7)},
		{`<call>t a.b=1 a.c=2</call>`, withinDepth(1)},
		{`<call>t a=[1] b={x:1} c=[]</call>`, withinDepth(1)},
		{`<call>t a.b=[{}]</call>`, withinDepth(3)},
		{`<call>t {"a":{},"b":[]}</call>`, withinDepth(1)},
		{`<call>t a="[[[[..." b=...[[[</call>`, withinDepth(1)},
		{`<call>t a=1 b=2</call>`, withinArguments(2)},
		{`<call>t {a:{x:1,y:2},b:[1,2,3]}</call>`, withinArguments(2)},
		{`<call>t a=` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `</call>`, Options{}},
		{`<call>` + strings.Repeat("x", 256) + `</call>`, Options{}},
	} {
		for _, after := range []string{"", "x", "<call>"} {
			got := g.Read([]byte(test.text+after), test.options)
			if got[0].Kind != CallSegment || got[0].End != len(test.text) {
				t.Errorf("%q: %s", test.text+after, describe(got))
			}
		}
	}
}

// A call of n bytes passes a limit of n before any text, and fails one of n-1.
func TestBytesAreExact(t *testing.T) {
	g := standard(t)
	for _, test := range bodies {
		n := len(test.text)
		for _, after := range []string{"", "</call>", "<call>t</call>"} {
			text := []byte(test.text + after)
			if got := g.Read(text, withinBytes(n)); got[0].Kind != CallSegment {
				t.Errorf("%q within %d bytes: %s", text, n, describe(got))
			}
			s := g.Read(text, withinBytes(n-1))[0]
			if s.Code != CallTooLong || s.At != n-1 || s.End != n || !s.Closed {
				t.Errorf("%q within %d bytes: %s", text, n-1, describe([]Segment{s}))
			}
		}
	}
}

// D2: an opener that fills the limit with its whitespace is text.
func TestOpenerAtLimit(t *testing.T) {
	g := standard(t)
	for _, test := range []struct {
		text  string
		bytes int
		want  string
	}{
		{`<call>  t</call>`, 8, `text[0:16]`},
		{`<call>  t</call>`, 9, `call-too-long@9[0:16]`},
		{`<call>t</call>`, 6, `text[0:14]`},
		{`<call>{</call>`, 6, `text[0:14]`},
		{`<call>{</call>`, 7, `expected-name@6[0:14]`},
		{`<call>t a=x<call>  u </call>`, 8, `call-too-long@8[0:28]`},
	} {
		got := describe(g.Read([]byte(test.text), withinBytes(test.bytes)))
		if got != test.want {
			t.Errorf("%q within %d bytes: %s, want %s", test.text, test.bytes, got, test.want)
		}
	}
}

// The deepest nesting that any limit allows stays within the stack.
func TestDeepest(t *testing.T) {
	g := standard(t)
	for _, shape := range []struct{ open, close string }{{"[", "]"}, {"{a:", "}"}} {
		text := `<call>t a=` + strings.Repeat(shape.open, MaxDepth) + "1" + strings.Repeat(shape.close, MaxDepth) + `</call>`
		got := g.Read([]byte(text), withinDepth(1<<30))
		if len(got) != 1 || got[0].Kind != CallSegment {
			t.Fatalf("%d levels: %s", MaxDepth, describe(got))
		}
		if json := got[0].Call.JSON(); len(json) < 2*MaxDepth {
			t.Errorf("%d levels: %d bytes of JSON", MaxDepth, len(json))
		}
		text = `<call>t a=` + strings.Repeat(shape.open, MaxDepth+1)
		if got := g.Read([]byte(text), withinDepth(1<<30)); got[0].Code != TooDeep {
			t.Errorf("%d levels: %s", MaxDepth+1, describe(got))
		}
	}
}
