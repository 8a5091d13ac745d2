package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// Few bytes of a call are repeated, however long it is.
func TestFeedbackRepeatsLittle(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":{"type":"integer"}}}]`)
	const long = 1 << 16
	limits := lexer.Limits{Bytes: 1 << 20, Name: 1 << 20}
	for _, c := range []struct{ name, head, unit, tail string }{
		{"continuation bytes before the fault", "<call>t n=a", "é", "\x80</call>"},
		{"continuation bytes", "<call>t n=", "\x80", "</call>"},
		{"beginnings of runes", "<call>t n=", "\xe2", "</call>"},
		{"a name", "<call>", "name", " n=x</call>"},
		{"a key", "<call>t ", "key", "=x</call>"},
		{"a key with escapes", `<call>t {"`, `\u0080`, `":"x"}</call>`},
		{"keys", "<call>t n=1", " n=2", "</call>"},
		{"a value", `<call>t n="`, "\u2028", `"</call>`},
	} {
		for _, text := range []string{c.head + strings.Repeat(c.unit, long/len(c.unit)) + c.tail, c.head + strings.Repeat(c.unit, long/len(c.unit))} {
			for _, strict := range []bool{false, true} {
				for _, s := range segments(catalog, text, parse.Options{Limits: limits, Strict: strict}) {
					s.Text += strings.Repeat("\x80", long) // who calls may give any text
					if got := must(catalog, Options{}).Feedback(s); got == "" || len(got) > 1500 {
						t.Errorf("%s, strict %t: %d bytes, %.300q", c.name, strict, len(got), got)
					}
				}
			}
		}
	}
}

// Feedback on a repair has what to write instead, and not the name of the repair, which
// it would take for that of an argument.
func TestFeedbackOnRepairs(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":["string","integer","boolean"]},"b":{"type":["string","integer"]}},"additionalProperties":false}},{"name":"u"}]`)
	for _, r := range repair.Table() {
		format := protocol.Hermes
		switch {
		case strings.HasPrefix(r.As, "<call>"):
			format = protocol.Wire
		case strings.Contains(r.As, "<function="):
			format = protocol.Qwen3Coder
		}
		s := segments(catalog, r.Reads, parse.Options{Format: format, Repair: true})[0]
		got := must(catalog, Options{Format: format}).Feedback(s)
		if r.Fix == "" || !strings.Contains(got, r.Fix) || strings.Contains(got, r.Name+":") {
			t.Errorf("%s: %s", r.Reads, got)
		}
	}
}
