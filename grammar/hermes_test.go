package grammar

import (
	"fmt"
	"strings"
	"testing"
)

// show describes segments, one after the other. Offsets are those in the text.
func show(segments []Segment) string {
	var all []string
	for _, s := range segments {
		switch s.Kind {
		case TextSegment:
			all = append(all, fmt.Sprintf("text [%d,%d)", s.Start, s.End))
		case CallSegment:
			line := fmt.Sprintf("%s %s [%d,%d)", s.Name, s.Input, s.Start, s.End)
			for _, i := range s.Issues {
				line += fmt.Sprintf(" %s@%d", i.Code, i.At)
			}
			if s.AfterMalformed {
				line += " marked"
			}
			all = append(all, line)
		case MalformedSegment:
			all = append(all, fmt.Sprintf("%s@%d [%d,%d) %t", s.Code, s.At, s.Start, s.End, s.Closed))
		}
	}
	return strings.Join(all, "; ")
}

func TestHermes(t *testing.T) {
	const o, c = "<tool_call>", "</tool_call>"
	known := func(name string) bool { return name == "t" }
	for _, tt := range []struct{ text, want string }{
		{"hi " + o + "\n{\"name\": \"t\", \"arguments\": {\"a\": 1.0}}\n" + c, `text [0,3); t {"a":1.0} [3,66)`},
		{o + `{"arguments":{"a":"` + c + `"},"name":"t"}` + c, `t {"a":"</tool_call>"} [0,68)`},
		{o + `{"name":"t","arguments":"{\"a\":[1]}"}` + c, `t {"a":[1]} [0,61) coerced@35`},
		{o + `{"name":"t","parameters":null,"id":{"name":2}}` + c, `t {} [0,69)`},
		{"the " + o + " tag", `text [0,19)`},
		{o + "[1]" + c + o + `{"name":"t"}` + c, `expected-name@11 [0,26) true; t {} [26,61) marked`},
		{o + `{"name":"x"}` + c, `unknown-tool@20 [0,35) true`},
		{o + `{"name":""}` + c, `expected-name@19 [0,34) true`},
		{o + `{"arguments":{}}` + c, `expected-name@26 [0,39) true`},
		{o + `{"name":"t","arguments":{"a":1,"\u0061":2}}` + c, `duplicate-key@42 [0,66) true`},
		{o + `{"name":"t","arguments":[1]}` + c, `not-an-object@35 [0,51) true`},
		{o + `{"name":"t","arguments":{"a":tru}}` + c, `expected-value@40 [0,57) true`},
		{o + `{"name":"t"` + o + `{"name":"t"}` + c, `expected-comma@22 [0,22) false; t {} [22,57) marked`},
		{o + `{"name":"t","arguments":{"a":"x`, `unterminated-call@42 [0,42) false`},
		{o + "{\"name\":\"t\",\"a\":\"\n" + c + "\"}" + c, `invalid-json@28 [0,55) true`},
		{o + `{"name":"t"}` + c[:4], `unterminated-call@27 [0,27) false`},
		{o + "{\"name\":\"t\",\"a\":\"\xff\"}" + c, `invalid-utf8@28 [0,43) true`},
	} {
		if got := show(ByName("hermes").Read([]byte(tt.text), Options{Known: known})); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestHermesLimits: N passes, N+1 is malformed.
func TestHermesLimits(t *testing.T) {
	const text = `<tool_call>{"name":"tool","arguments":{"a":[1],"b":2}}</tool_call>`
	for _, tt := range []struct {
		limits Limits
		want   string
	}{
		{Limits{Bytes: len(text), Depth: 1, Arguments: 2, Name: 4}, `tool {"a":[1],"b":2} [0,66)`},
		{Limits{Bytes: len(text) - 1}, `call-too-long@65 [0,66) true`},
		{Limits{Name: 3}, `name-too-long@23 [0,66) true`},
		{Limits{Arguments: 1}, `too-many-arguments@47 [0,66) true`},
	} {
		if got := show(ByName("hermes").Read([]byte(text), Options{Limits: tt.limits})); got != tt.want {
			t.Errorf("%+v\ngot  %s\nwant %s", tt.limits, got, tt.want)
		}
	}
	// The limit cuts an escape: the damage goes on in the string.
	const cut = `<tool_call>{"name":"t","arguments":"\</tool_call>`
	if got, want := show(ByName("hermes").Read([]byte(cut), Options{Limits: Limits{Bytes: 37}})), `call-too-long@37 [0,49) false`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	const deep = `<tool_call>{"name":"t","arguments":{"a":[[1]]}}</tool_call>`
	if got, want := show(ByName("hermes").Read([]byte(deep), Options{Limits: Limits{Depth: 1}})), `too-deep@41 [0,59) true`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
