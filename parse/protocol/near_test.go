package protocol_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// What another format has between the same tags is told, and under Salvage read.
func TestNearBodies(t *testing.T) {
	const (
		envelope = "<tool_call>\n{\"name\": \"now\", \"arguments\": {\"a\": \"</tool_call><tool_call><function=get_weather>\"}}\n</tool_call>"
		function = "<tool_call>\n<function=now>\n<parameter=a>\n</tool_call>\"\n</parameter>\n</function>\n</tool_call>"
	)
	const attributes = `<tool_call><function name="get_weather"><parameter name="city"></tool_call></parameter></function></tool_call>`
	qwen, hermes := protocol.Qwen3Coder, protocol.Hermes
	for _, tt := range []struct {
		p              parse.Protocol
		in             string
		told, salvaged string
	}{
		{qwen, "<tool_call>{\"name\": \"now\"}</tool_call>", lines(`malformed "<tool_call>{\"name\": \"now\"}</tool_call>" expected-name@11 true`), lines(`call now {} repaired(other-protocol)@11`)},
		{qwen, "<tool_call>[{'name': 'now'}]</tool_call>", lines(`malformed "<tool_call>[{'name': 'now'}]</tool_call>" expected-name@11 true`), lines(`call now {} repaired(other-protocol)@11 repaired(list)@11 repaired(single-quotes)@13`)},
		{qwen, envelope + "<function=now></function>", "",
			lines(`call now {"a":"</tool_call><tool_call><function=get_weather>"} repaired(other-protocol)@12`, `call now {} repaired(missing-open)@0`)},
		{qwen, "<tool_call>{\"name\": \"now\" \"</tool_call><tool_call><function=now></function></tool_call>\"}</tool_call>!", "",
			lines(`malformed "<tool_call>{\"name\": \"now\" \"</tool_call><tool_call><function=now></function></tool_call>\"}</tool_call>" expected-comma@26 true`, `text "!"`)},
		{qwen, "<function=now></function><tool_call>{\"name\": \"now\"}<tool_call><function=now></function></tool_call>", "",
			lines(`call now {} repaired(missing-open)@0`, `call now {} repaired(other-protocol)@11 repaired(missing-close)@26`, `call now {}`)},
		{hermes, function, "", lines(`call now {"a":"</tool_call>\""} repaired(other-protocol)@12`)},
		{hermes, "<tool_call><function=now></function></tool_call> <tool_call>{\"name\": \"now\"}</tool_call>",
			lines(`malformed "<tool_call><function=now></function></tool_call>" expected-name@11 true`, `text " "`, `call now {}`),
			lines(`call now {} repaired(other-protocol)@11`, `text " "`, `call now {}`)},
		{qwen, attributes, "", lines(`call get_weather {"city":"</tool_call>"} repaired(other-protocol)@11`)},
		{qwen, `<tool_call><function name="now"></function></tool_call>`, lines(`malformed "<tool_call><function name=\"now\"></function></tool_call>" expected-name@11 true`), lines(`call now {} repaired(other-protocol)@11`)},
		{hermes, attributes, "", lines(`call get_weather {"city":"</tool_call>"} repaired(other-protocol)@11`)},
		{hermes, "<tool_call> <func", lines(`text "<tool_call> <func"`), lines(`text "<tool_call> <func"`)},
		{protocol.Any(hermes, qwen), function, lines(`call now {"a":"</tool_call>\""}`), lines(`call now {"a":"</tool_call>\""}`)},
		{protocol.Any(hermes, protocol.Wire), "<tool_call><function=now></function></tool_call>", lines(`malformed "<tool_call><function=now></function></tool_call>" expected-name@11 true`), ""},
	} {
		for _, o := range []parse.Options{{}, {Salvage: true}, {Salvage: true, Strict: true}} {
			o.Protocol = tt.p
			want := tt.told
			if o.Salvage && !o.Strict {
				want = tt.salvaged
			}
			if got := show(o.Text(tt.in, weather)); want != "" && got != want {
				t.Errorf("%s, %+v\n%s\ngot  %swant %s", tt.p, o, tt.in, got, want)
			}
		}
	}
}
