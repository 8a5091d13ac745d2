package grammar

import (
	"strings"
	"testing"
)

// A call of n bytes passes a limit of n before any text, and fails one of n-1.
func TestBytesAreExact(t *testing.T) {
	g := standard
	within := func(n int) Options { return Options{Limits: Limits{Bytes: n}} }
	for _, test := range calls(t) {
		n := len(test.text)
		for _, after := range []string{"", "</call>", "<call>t</call>"} {
			text := []byte(test.text + after)
			if got := g.Read(text, within(n)); got[0].Kind != CallSegment {
				t.Errorf("%q within %d bytes: %s", text, n, describe(got))
			}
			s := g.Read(text, within(n-1))[0]
			if s.Code != CallTooLong || s.At != n-1 || s.End != n || !s.Closed {
				t.Errorf("%q within %d bytes: %s", text, n-1, describe([]Segment{s}))
			}
		}
	}
}

// The deepest nesting that any limit allows stays within the stack.
func TestDeepest(t *testing.T) {
	g := standard
	for _, shape := range []struct{ open, close string }{{"[", "]"}, {"{a:", "}"}} {
		text := `<call>t a=` + strings.Repeat(shape.open, MaxDepth) + "1" + strings.Repeat(shape.close, MaxDepth) + `</call>`
		got := g.Read([]byte(text), Options{Limits: Limits{Depth: 1 << 30}})
		if len(got) != 1 || got[0].Kind != CallSegment {
			t.Fatalf("%d levels: %s", MaxDepth, describe(got))
		}
		if json := got[0].Input; len(json) < 2*MaxDepth {
			t.Errorf("%d levels: %d bytes of JSON", MaxDepth, len(json))
		}
		text = `<call>t a=` + strings.Repeat(shape.open, MaxDepth+1)
		if got := g.Read([]byte(text), Options{Limits: Limits{Depth: 1 << 30}}); got[0].Code != TooDeep {
			t.Errorf("%d levels: %s", MaxDepth+1, describe(got))
		}
	}
}
