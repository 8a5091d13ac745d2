package engine_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
)

// qwen3-coder: the words that the model's template prints for true, false and null are these
// values, without an issue, wherever the schema allows them. Elsewhere they are text.
func TestPythonWords(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{
		"b":{"type":"boolean"},"n":{"type":["integer","null"]},"s":{"type":"string"},
		"sn":{"type":["string","null"]},"sb":{"type":["string","boolean"]},"u":{},
		"l":{"type":"array","items":{"type":"boolean"}},"z":{"type":"null"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, text, input string }{
		{"b", "True", `{"b":true}`},
		{"b", "False", `{"b":false}`},
		{"b", " True ", `{"b":true}`},
		{"b", "TRUE", `{"b":true} !coerced`},
		{"b", "None", `{"b":"None"} !type-mismatch`},
		{"n", "None", `{"n":null}`},
		{"z", "None", `{"z":null}`},
		{"sn", "None", `{"sn":null}`},
		{"sn", "None ", `{"sn":"None "}`},
		{"sb", "True", `{"sb":true}`},
		{"s", "None", `{"s":"None"}`},
		{"s", "True", `{"s":"True"}`},
		{"u", "True", `{"u":"True"}`},
	} {
		for _, f := range []*format.Format{format.Qwen3Coder} {
			in := "<tool_call><function=t><parameter=" + c.key + ">\n" + c.text + "\n</parameter></function></tool_call>"
			p := newParser(catalog, engine.Options{Format: f})
			events := append(p.Feed([]byte(in)), p.Close()...)
			e := events[len(events)-1]
			got := string(e.Bytes)
			if e.Problem != nil {
				for _, i := range e.Problem.Issues {
					got += " !" + string(i.Code)
				}
			}
			if got != c.input {
				t.Errorf("%s=%s: %s, want %s", c.key, strings.TrimSpace(c.text), got, c.input)
			}
		}
	}
}
