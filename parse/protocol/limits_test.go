package protocol_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// A limit on the bytes of a call may fall anywhere, within what its body begins with too:
// the call is too long there, whatever the chunks.
func TestLimitAnywhere(t *testing.T) {
	for _, c := range []struct {
		p    protocol.Protocol
		text string
	}{
		{protocol.Hermes, `<tool_call>{"name":"t","arguments":{"s":"x"}}</tool_call>`},
		{protocol.Qwen3Coder, "<tool_call>\n<function=t>\n<parameter=s>\nx\n</parameter>\n</function>\n</tool_call>"},
		{protocol.MorphXML, "<t>\n<s>x</s>\n</t>"},
		{protocol.GemmaFence, "```tool_call\n{\"name\":\"t\",\"arguments\":{\"s\":\"x\"}}\n```"},
	} {
		for n := 1; n <= len(c.text)+1; n++ {
			for _, salvage := range []bool{false, true} {
				o := parse.Options{Salvage: salvage, Limits: lexer.Limits{Bytes: n}}
				whole, wrong := heard(t, c.p, o, c.text, func() int { return len(c.text) })
				if wrong != "" {
					t.Errorf("%s, limit %d: %s", c.p.Name, n, wrong)
				}
				for size := 1; size < 8; size++ {
					if got, wrong := heard(t, c.p, o, c.text, func() int { return size }); wrong != "" || !slices.Equal(got, whole) {
						t.Errorf("%s, limit %d, chunks of %d: %q %s, want %q", c.p.Name, n, size, got, wrong, whole)
					}
				}
			}
		}
	}
}

// A call that the limits would refuse is not written.
func TestLimitsOfWriting(t *testing.T) {
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML, protocol.GemmaFence} {
		catalog := mustCompile(`[{"name": "tool"}]`)
		for _, tt := range []struct {
			limits lexer.Limits
			code   lexer.Code
		}{{lexer.Limits{Name: 3}, lexer.NameTooLong}, {lexer.Limits{Bytes: 12}, lexer.CallTooLong}, {lexer.Limits{Name: 4, Bytes: 200}, ""}} {
			_, err := parse.FormatOptions{Protocol: p, Limits: tt.limits}.Format(catalog, "tool", []byte(`{"a":"x"}`))
			var e *lexer.Error
			if errors.As(err, &e) != (tt.code != "") || e != nil && e.Code != tt.code {
				t.Errorf("%s under %+v: %v, want %q", p, tt.limits, err, tt.code)
			}
		}
	}
}
