package protocol_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// A call in Markdown code is an example: in every format, and where several are read. A
// fence with which a message begins stands around what is said.
func TestCode(t *testing.T) {
	const fence = "```"
	calls := map[string]string{
		"hermes":      `<tool_call>{"name": "now"}</tool_call>`,
		"gemma-fence": "```tool_call\n{\"name\": \"now\"}\n```",
		"qwen3-coder": "<tool_call><function=now></function></tool_call>",
		"morph-xml":   "<now></now>",
		"yaml-xml":    "<now>\n</now>",
	}
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.GemmaFence, protocol.Qwen3Coder, protocol.MorphXML, yaml.XML} {
		for _, tt := range []struct{ in, want string }{
			{"a\n~~~\n{}\n{}\n~~~\n{}", "in-code in-code now"},
			{"a " + fence + "\n`{}\n{}", "in-code now"},
			{"``{}`` `{ }` {}", "in-code now"},
			{fence + "\n{}\n" + fence + "\nb\n" + fence + "\n{}", "now in-code"},
			{"~~~\n{} `{}`", "now in-code"},
		} {
			in := strings.ReplaceAll(tt.in, "{}", calls[p.String()])
			for _, p := range []parse.Protocol{p, protocol.Any(protocol.Wire, p)} {
				got := []string{}
				for _, s := range (parse.Options{Protocol: p, Code: true}).Text(in, weather) {
					switch s.Kind {
					case parse.Call:
						got = append(got, s.Name)
					case parse.Malformed:
						got = append(got, string(s.Err.Code))
					}
				}
				if strings.Join(got, " ") != tt.want {
					t.Errorf("%s: %q: %q, want %s", p, in, got, tt.want)
				}
			}
		}
	}
}
