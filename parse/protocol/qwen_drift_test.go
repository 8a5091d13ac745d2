package protocol_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// What models leave out is read under Salvage alone, and told.
func TestQwenDrift(t *testing.T) {
	tools := mustCompile(`[{"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "n": {"type": "integer"}}}}, {"name": "g"}]`)
	show := func(o parse.Options, text string) string {
		var all []string
		for _, s := range o.Text(text, tools) {
			switch s.Kind {
			case parse.Prose:
				all = append(all, fmt.Sprintf("%q", s.Text))
			case parse.Call:
				line := s.Name + " " + string(s.Input)
				for _, i := range s.Issues {
					line += fmt.Sprintf(" %s %s@%d", i.Code, i.Path, i.At)
				}
				if s.AfterMalformed {
					line += " marked"
				}
				all = append(all, line)
			case parse.Malformed:
				all = append(all, fmt.Sprintf("%s@%d", s.Err.Code, s.Err.Offset))
			}
		}
		return strings.Join(all, "; ")
	}
	attributes := protocol.Qwen3Coder // and the same where names and keys stand in quotes
	attributes.Envelope.Function.Open, attributes.Envelope.Function.End = "<function='", "'>"
	attributes.Envelope.Parameter.Open, attributes.Envelope.Parameter.End = "<parameter='", "'>"
	attribute, offset := regexp.MustCompile(`<(function|parameter)=(\w+)>`), regexp.MustCompile(`@\d+`)
	for _, tt := range []struct{ name, text, salvaged, otherwise string }{
		{"no opener", "So:\n\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call> end",
			`"So:\n\n"; f {"a":"x"} repaired missing-open@5; " end"`, `"So:\n\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call> end"`},
		{"neither tag", "<function=g>\n</function>\n then", `g {} repaired missing-open@0; "\n then"`, `"<function=g>\n</function>\n then"`},
		{"neither tag, at the end", "<function=g></function>\n", `g {} repaired missing-open@0; "\n"`, `"<function=g></function>\n"`},
		{"a function that no tool is", "<function=h></function>", `"<function=h></function>"`, `"<function=h></function>"`},
		{"no end of a parameter before the next", "<tool_call>\n<function=f>\n<parameter=a>\nx\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>",
			`f {"a":"x","n":1} repaired missing-close@41`, `f {"a":"x\n<parameter=n>\n1"} ambiguous-text a@38`},
		{"a parameter that is none", "<tool_call><function=f><parameter=a>x<parameter=q>1</parameter></function></tool_call>",
			`f {"a":"x<parameter=q>1"} ambiguous-text a@36`, `f {"a":"x<parameter=q>1"} ambiguous-text a@36`},
		{"a parameter that was there", "<tool_call><function=f><parameter=a>x<parameter=a>1</parameter></function></tool_call>",
			`f {"a":"x<parameter=a>1"} ambiguous-text a@36`, `f {"a":"x<parameter=a>1"} ambiguous-text a@36`},
		{"no end of the last parameter", "<tool_call>\n<function=f>\n<parameter=n>\n1\n</function>\n</tool_call> y",
			`f {"n":1} repaired missing-close@41; " y"`, `unterminated-call@67`},
		{"the end of a function as text", "<tool_call><function=f><parameter=a></function> x</parameter></function></tool_call>",
			`f {"a":"</function> x"}`, `f {"a":"</function> x"}`},
		{"no end of the function", "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</tool_call>\n<tool_call><function=g></function></tool_call>",
			`f {"a":"x"} repaired missing-close@54; "\n"; g {} marked`, `unterminated-call@113`},
		{"two functions", "<tool_call>\n<function=g>\n</function>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
			`g {} repaired missing-close@37; f {"a":"x"} repaired missing-open@37 marked`, `expected-close@37`},
		{"a function as text", "<tool_call><function=f><parameter=a><function=g></function></parameter></function></tool_call>",
			`f {"a":"<function=g></function>"}`, `f {"a":"<function=g></function>"}`},
		{"a function in damage", "<tool_call><function=f>x<function=g></function></tool_call>", `expected-key@23`, `expected-key@23`},
		{"cut", "<function=f>\n<parameter=a>\nx\n</parameter>\n</func", `unterminated-call@48`, `"<function=f>\n<parameter=a>\nx\n</parameter>\n</func"`},
	} {
		o := parse.Options{Protocol: protocol.Qwen3Coder}
		if got := show(o, tt.text); got != tt.otherwise {
			t.Errorf("%s\ngot  %s\nwant %s", tt.name, got, tt.otherwise)
		}
		o.Salvage = true
		if got := show(o, tt.text); got != tt.salvaged {
			t.Errorf("%s, salvaged\ngot  %s\nwant %s", tt.name, got, tt.salvaged)
		}
		text, want := attribute.ReplaceAllString(tt.text, "<$1='$2'>"), attribute.ReplaceAllString(tt.salvaged, "<$1='$2'>")
		if got := show(parse.Options{Protocol: attributes, Salvage: true}, text); offset.ReplaceAllString(got, "") != offset.ReplaceAllString(want, "") {
			t.Errorf("%s, in attributes\ngot  %s\nwant %s", tt.name, got, want)
		}
		o.Strict = true
		if got := show(o, tt.text); strings.Contains(got, "repaired") {
			t.Errorf("%s, strict: %s", tt.name, got)
		}
	}
}
