package middleware

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// TestInvisible: what others have named is shown to the model and to the application
// as what it is, wherever it goes into a text.
func TestInvisible(t *testing.T) {
	for _, r := range []rune{'\u202e', '\u2066', '\u200b', '\u0085', '\u2028', '\u2029', '\ufeff'} {
		hide := func(text string) string { return strings.ReplaceAll(text, "HID", "h"+string(r)+"d") }
		const tools = `"tools":[{"type":"function","function":{"name":"HID","description":"Look HID up.","parameters":{"type":"object","properties":{"HID":{"enum":["HID"]}}}}},{"type":"function","function":{"name":"other"}}]`
		const steps = `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"HID","type":"function","function":{"name":"other","arguments":"{}"}}]},{"role":"tool","tool_call_id":"HID","name":"HID","content":"x"},{"role":"tool","tool_call_id":"gone","name":"HID","content":"x"}]`
		for name, body := range map[string]string{
			"a result":                    `{` + tools + `,` + steps + `}`,
			"a tool that is required":     `{` + tools + `,"tool_choice":{"type":"function","function":{"name":"HID"}},` + steps + `}`,
			"the tools that are allowed":  `{` + tools + `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"HID"}}]}},` + steps + `}`,
			"the form of the answer":      `{` + tools + `,"response_format":{"type":"json_schema","json_schema":{"schema":{"title":"HID"}}},` + steps + `}`,
			"tools that are the server's": strings.Replace(`{`+tools+`,`+steps+`}`, `"tools":[`, `"tools":[{"type":"custom","custom":{"name":"HID"}},`, 1),
		} {
			u := &upstream{replies: []string{completion("stop", "<call>other HID=[</call>"), completion("stop", "No.")}}
			out, err := u.try(Options{}, chat, hide(body))
			for _, sent := range u.bodies {
				for _, raw := range rawjson.ParseObject([]byte(sent)).Array("messages") {
					if content := rawjson.ParseObject(raw).Text("content"); strings.ContainsFunc(content, func(c rune) bool { return c != '\n' && c != '\t' && sig.Invisible(c) }) && !strings.Contains(content, "<call>other h"+string(r)) {
						t.Errorf("%U in %s: %q", r, name, content)
					}
				}
			}
			if strings.ContainsRune(out, r) || err != nil && strings.ContainsRune(err.Error(), r) {
				t.Errorf("%U in %s: the application gets %q, %v", r, name, out, err)
			}
		}
	}
}
