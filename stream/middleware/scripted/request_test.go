package scripted

import (
	"fmt"
	"strings"
	"testing"
)

// TestRequests: a request is recorded as it came, and shown as the model sees it.
func TestRequests(t *testing.T) {
	m := &Model{Replies: []Reply{{Text: "a"}, {Text: "b"}}}
	post(t, m, "http://model"+openAIPath+"?key=k", `{"messages":[
		{"role":"system","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:"}}]}],"tools":[{},{}]}`)
	post(t, m, "http://model"+responsesPath, `{"stream":true,"input":"Hi"}`)
	got := m.Requests()
	if turns := fmt.Sprint(got[0].Turns(), got[1].Turns()); turns != "[{system Be brief.} {user What is this?\n[image_url]}] [{user Hi}]" {
		t.Error(turns)
	}
	if r := got[0]; r.Method != "POST" || r.Path != openAIPath || r.Query != "key=k" || r.Header.Get("Content-Type") == "" || r.Tools() != 2 || r.Stream() {
		t.Errorf("%+v", r)
	}
	if r := got[1]; r.Tools() != 0 || !r.Stream() {
		t.Errorf("%+v", r)
	}
}

// TestStrict: what the real APIs refuse is refused for that reason, and nothing without Strict.
func TestStrict(t *testing.T) {
	const isClosed = `"required":["a"],"additionalProperties":false}`
	const open = `"strict":true,"@":{"properties":{"a":{"items":{"properties":{"a":{}},"required":["a"]}}},` + isClosed
	const closed = `"strict":true,"@":{"properties":{"a":{"items":{"properties":{"a":{}},` + isClosed + `}},` + isClosed
	function := func(schema string) string { return `{` + strings.Replace(schema, "@", "parameters", 1) + `}` }
	format := func(schema string) string { return `{` + strings.Replace(schema, "@", "schema", 1) + `}` }
	thread := func(n int) string {
		return fmt.Sprintf(`{"thread":{"type":"continue","previous_message_id":"msg_scripted%d"}}`, n)
	}
	for _, c := range []struct{ path, body, want string }{
		{geminiPath, `{"contents":[{"parts":[{"text":"a"}]},{"parts":[]}]}`, "contents[1].parts must not be empty"},
		{geminiPath, `{"contents":[{"parts":[{"text":"a"},{}]}]}`, "part 1 must have data"},
		{geminiPath, `{"contents":[{"parts":[{"text":""}]}]}`, "part 0 must have data"},
		{geminiPath, `{"contents":[{"parts":[{"text":"","thoughtSignature":"s"}]}]}`, ""},
		{anthropicPath, `{"messages":[{"content":[{"type":"text","text":" "}]}]}`, "part 0 must have data"},
		{anthropicPath, `{"messages":[{"content":"a"}]}`, ""},
		{anthropicPath, thread(2), "no usable thread state"},
		{anthropicPath, `{"thread":{"type":"new"}}`, ""},
		{responsesPath, `{"input":[{"type":"reasoning","id":"rs_scripted1"},{"role":"assistant"}]}`, "without its required following item"},
		{responsesPath, `{"input":[{"type":"reasoning","id":"rs_scripted1"},{"id":"msg_scripted1"}]}`, ""},
		{responsesPath, `{"input":[{"id":"msg_other"}]}`, "not found"},
		{responsesPath, `{"tools":[` + function(open) + `]}`, "invalid schema"},
		{responsesPath, `{"tools":[` + function(closed) + `]}`, ""},
		{responsesPath, `{"tools":[{"strict":true,"parameters":{"properties":{"a":{},"b":{}},` + isClosed + `}]}`, "invalid schema"},
		{responsesPath, `{"text":{"format":` + format(open) + `}}`, "invalid schema"},
		{responsesPath, `{"text":{"format":` + format(closed) + `}}`, ""},
		{openAIPath, `{"tools":[{"function":` + function(open) + `}]}`, "invalid schema"},
		{openAIPath, `{"response_format":{"json_schema":` + format(open) + `}}`, "invalid schema"},
		{openAIPath, `{"response_format":{"json_schema":` + format(closed) + `}}`, ""},
	} {
		for _, isStrict := range []bool{true, false} {
			m := &Model{Strict: isStrict, Script: func(int, Request) Reply { return Reply{Text: "Hi"} }}
			post(t, m, "http://model"+openAIPath, "{}")
			answer, body := post(t, m, "http://model"+c.path, c.body)
			if isRefused := isStrict && c.want != ""; (answer.StatusCode != 200) != isRefused || isRefused && !strings.Contains(body, c.want) {
				t.Errorf("%s %s, strict %t: %s, want %q", c.path, c.body, isStrict, body, c.want)
			}
		}
	}
	m := &Model{Strict: true, Script: func(int, Request) Reply { return Reply{Text: "Hi"} }}
	post(t, m, "http://model"+anthropicPath, `{"thread":{"type":"new"}}`)
	for i, want := range []string{"end_turn", "already been continued"} {
		if _, body := post(t, m, "http://model"+anthropicPath, thread(1)); !strings.Contains(body, want) {
			t.Errorf("continued %d times: %s", i+1, body)
		}
	}
}
