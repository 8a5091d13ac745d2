package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/unseen"
)

// Whatever a schema, a model or a tool says, nothing that any command prints is
// hidden, but for the calls that format writes: those are exact.
func TestNothingIsHidden(t *testing.T) {
	const hidden = "\u202e\u2066\u200b\u2028\u0085\u009b31m\x7f\u00ad\ufeff\u3164\U000e0041"
	const name = "n\u202e\u0085\u3164ame"
	quoted, _ := json.Marshal(hidden)
	word := string(quoted)
	tools := writeFile(t, `[
		{"name":"`+name+`","description":`+word+`,"inputSchema":{"type":"object","minProperties":1,"required":[`+word+`],"properties":{
			`+word+`:{"const":`+word+`,"description":`+word+`,"default":`+word+`,"pattern":`+word+`,"contains":{"const":`+word+`}},
			"e":{"enum":[`+word+`,"x"],"type":`+word+`},"l":{"type":"array","items":{"const":[`+word+`]}},"a b":{"type":"object","properties":{`+word+`:{"type":"integer"}}}}}},
		{"name":"lazy`+name+`","lazy":true,"description":`+word+`,"skill":`+word+`},{"name":"\u3164 no call"}]`)
	if err := os.Rename(tools, tools+hidden); err != nil {
		t.Fatal(err)
	}
	tools += hidden
	text := "prose " + hidden + "\n<call>" + name + " e=" + hidden + " l=[" + word + "] {</call> <call>" + name + ` {"e":` + word + `,` + word + `:{` + word + `:1},"a b":{` + word + `:"x"}}</call>` +
		"<call>" + name + hidden + "</call> <call>t(" + hidden + "</call> <call>t a=\"" + hidden + hidden + hidden + `" b=[{"` + name + `":1}]</call><call>` + name + ` e="` + hidden
	messages := `[{"role":"user","content":` + word + `},{"role":` + word + `,"content":` + word + `},
		{"role":"assistant","content":"","x":` + word + `,"tool_calls":[{"id":"1","function":{"name":"` + name + `","arguments":"{\"a\":` + strings.ReplaceAll(word, `"`, `\"`) + `}"}},{"id":"2","function":{"name":"no ` + name + `","arguments":"[]"}}]},
		{"role":"tool","tool_call_id":"1","content":` + word + `},{"role":"tool","tool_call_id":"2","content":[{"type":"image","x":` + word + `}]}]`
	for _, c := range []struct{ stdin, args string }{
		{text, "parse"}, {text, "parse --follow"}, {text, "parse --follow --chunk 7"}, {text, "parse --json"}, {text, "parse --follow --json"}, {text, "parse --debug"}, {text, "parse --strict --json"}, {text, "parse --strict"}, {text, "parse --every-split"},
		{"", "sig"}, {"", "sig --explain"}, {"", "sig --json"}, {"", "sig --parameters full"}, {"", "sig --style classic --explain"}, {"", "sig none" + hidden},
		{"", "manual"}, {"", "manual --json"}, {"", "manual --parameters full"},
		{messages, "history"}, {messages, "history --json"}, {messages, "history --manual"},
		{`{"name":"x` + hidden + `","input":` + word + `}`, "format"}, {"", hidden}, {"", "parse --" + hidden},
	} {
		for _, with := range []bool{false, true} {
			args := strings.Split(c.args, " ")
			if with {
				args = append(args, "--tools", tools)
			}
			got := callwire(c.stdin, args...)
			for i, r := range got.stdout + got.stderr {
				if unseen.Is(r) && r != '\n' {
					t.Errorf("%s, tools %t: %U in %q", c.args, with, r, (got.stdout + got.stderr)[max(0, i-60):i])
					break
				}
			}
			if got.stdout+got.stderr == "" {
				t.Errorf("%s prints nothing", c.args)
			}
		}
	}
}
