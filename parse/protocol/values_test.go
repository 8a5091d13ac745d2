package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// plainCalls are calls of t, in each format, with one argument that is written without quotes.
var plainCalls = map[string]string{
	"wire":        "<call>t KEY=VALUE</call>",
	"hermes":      `<tool_call>{"name": "t", "arguments": {"KEY": VALUE}}</tool_call>`,
	"gemma-fence": "```tool_call\n{\"name\": \"t\", \"arguments\": {\"KEY\": VALUE}}\n```",
	"qwen3-coder": "<tool_call><function=t><parameter=KEY>VALUE</parameter></function></tool_call>",
	"morph-xml":   "<t><KEY>VALUE</KEY></t>",
	"yaml-xml":    "<t>\nKEY: VALUE\n</t>",
}

// Numbers keep their digits in every format, none is made an integer, and no key is special.
func TestValues(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"},
		"__proto__": {"type": "integer"}, "constructor": {}, "s": {"type": "string"}}}}]`)
	const malformed = "malformed"
	for _, c := range []struct {
		key, value string
		want, json string // in the formats without quotes, and in JSON; the first for both if the other is ""
	}{
		{"n", "9007199254740993", `{"n":9007199254740993} `, ""},
		{"n", "-0", `{"n":-0} `, ""},
		{"n", "4.0", `{"n":4.0} `, ""},
		{"n", "1e3", `{"n":1e3} `, ""},
		{"n", "3.7", `{"n":3.7} type-mismatch`, ""},
		{"n", "007", `{"n":"007"} type-mismatch`, malformed},
		{"n", "true", `{"n":true} type-mismatch`, ""},
		{"s", "007", `{"s":"007"} `, malformed},
		{"s", "9007199254740993", `{"s":"9007199254740993"} `, `{"s":9007199254740993} type-mismatch`},
		{"s", "null", `{"s":"null"} `, `{"s":null} type-mismatch`},
		{"__proto__", "1", `{"__proto__":1} `, ""},
		{"constructor", "12345678901234567890.10", `{"constructor":12345678901234567890.10} `, ""},
	} {
		for _, name := range protocol.Names(yaml.XML) {
			text := strings.NewReplacer("KEY", c.key, "VALUE", c.value).Replace(plainCalls[name])
			want := c.want
			if c.json != "" && (name == "hermes" || name == "gemma-fence") {
				want = c.json
			}
			segs := parse.Options{Protocol: protocol.ByName(name, yaml.XML)}.Text(text, catalog)
			got := fmt.Sprint(len(segs), " segments")
			if len(segs) == 1 && segs[0].Kind == parse.Malformed {
				got = malformed
			} else if len(segs) == 1 {
				got = string(segs[0].Input) + " "
				for _, issue := range segs[0].Issues {
					got += string(issue.Code)
				}
			}
			if got != want {
				t.Errorf("%s: %q is %s, want %s", name, text, got, want)
			}
		}
	}
}
