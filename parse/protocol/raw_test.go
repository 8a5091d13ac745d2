package protocol_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// A list or an object that is JSON but for what package relaxed tolerates is read under
// Salvage alone, where the schema allows no string, and told.
func TestRelaxedText(t *testing.T) {
	tools := mustCompile(`[{"name": "f", "inputSchema": {"type": "object", "properties": {
		"l": {"type": "array", "items": {"type": "string"}}, "o": {"type": "object", "properties": {"n": {"type": "integer"}}},
		"s": {"type": "string"}, "e": {"type": ["string", "array"]}, "x": {}}}}]`)
	for _, tt := range []struct{ key, text, salvaged, otherwise string }{
		{"l", "['a', 'b']", `{"l":["a","b"]} repaired(single-quotes)`, `{"l":["['a', 'b']"]} coerced(l)`},
		{"l", `["a", "b",]`, `{"l":["a","b"]} repaired(trailing-commas)`, `{"l":["[\"a\", \"b\",]"]} coerced(l)`},
		{"o", "{'n': 1, 'b': True,}", `{"o":{"n":1,"b":true}} repaired(single-quotes) repaired(python-literals) repaired(trailing-commas) unknown-argument(o.b)`,
			`{"o":"{'n': 1, 'b': True,}"} type-mismatch(o)`},
		{"o", `{"n": 1}`, `{"o":{"n":1}}`, `{"o":{"n":1}}`},
		{"o", `{'n': 1`, `{"o":"{'n': 1"} type-mismatch(o)`, `{"o":"{'n': 1"} type-mismatch(o)`},
		{"o", `{'n': 1, 'n': 2}`, `{"o":"{'n': 1, 'n': 2}"} type-mismatch(o)`, `{"o":"{'n': 1, 'n': 2}"} type-mismatch(o)`},
		{"o", `{'b': [[[]]]}`, `{"o":"{'b': [[[]]]}"} type-mismatch(o)`, `{"o":"{'b': [[[]]]}"} type-mismatch(o)`},
		{"o", `{'b': [[]]}`, `{"o":{"b":[[]]}} repaired(single-quotes) unknown-argument(o.b)`, `{"o":"{'b': [[]]}"} type-mismatch(o)`},
		{"o", `['n']`, `{"o":"['n']"} type-mismatch(o)`, `{"o":"['n']"} type-mismatch(o)`},
		{"l", `[a, b]`, `{"l":["[a, b]"]} coerced(l)`, `{"l":["[a, b]"]} coerced(l)`},
		{"s", "['a']", `{"s":"['a']"}`, `{"s":"['a']"}`},
		{"e", "['a']", `{"e":"['a']"}`, `{"e":"['a']"}`},
		{"x", "['a']", `{"x":"['a']"}`, `{"x":"['a']"}`},
	} {
		for p, call := range map[*protocol.Protocol]string{
			&protocol.Qwen3Coder: "<tool_call><function=f><parameter=" + tt.key + ">\n" + tt.text + "\n</parameter></function></tool_call>",
			&protocol.MorphXML:   "<f><" + tt.key + ">" + tt.text + "</" + tt.key + "></f>",
		} {
			for want, o := range map[string]parse.Options{tt.salvaged: {Salvage: true}, tt.otherwise: {}} {
				if tt.salvaged == tt.otherwise {
					o.Salvage = true
				}
				o.Protocol, o.Limits.Depth = *p, 3
				got := ""
				for _, s := range o.Text(call, tools) {
					got += string(s.Input)
					for _, i := range s.Issues {
						got += " " + string(i.Code) + "(" + i.Path + ")"
					}
				}
				if got != want {
					t.Errorf("%s, salvage %t: %s\ngot  %s\nwant %s", p.Name, o.Salvage, tt.text, got, want)
				}
			}
		}
	}
}
