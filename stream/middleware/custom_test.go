package middleware

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig/constrain"
)

// customGrammar returns the grammar of what is written in the custom tool, as a JSON
// string.
func customGrammar(t *testing.T, tools string, o constrain.Options) string {
	t.Helper()
	catalog := compileTools(t, tools)
	o.Bare, o.Required = true, true
	g, err := constrain.New(catalog, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(rawjson.Quote(g.Lark()))
}

// TestCustomToolRequests: in place of the functions there is one custom tool, beside
// those of the upstream's own, and it is what has to be called.
func TestCustomToolRequests(t *testing.T) {
	const native = `{"type":"custom","custom":{"name":"call"}}`
	const nativeR = `{"type":"custom","name":"call"}`
	tools := "[" + weatherTool + "]"
	_, rest, _ := strings.Cut(weatherRequestR, `"tools":[`)
	toolR := strings.TrimSuffix(rest, "]}")
	chatTool := func(name string, o constrain.Options) string {
		return `{"type":"custom","custom":{"name":"` + name + `","description":$D,"format":{"type":"grammar","grammar":{"syntax":"lark","definition":` + customGrammar(t, tools, o) + `}}}}`
	}
	itemTool := func(name string, o constrain.Options) string {
		return `{"type":"custom","name":"` + name + `","description":$D,"format":{"type":"grammar","syntax":"lark","definition":` + customGrammar(t, tools, o) + `}}`
	}
	for _, c := range []struct{ name, path, in, want string }{
		{"chat", chat, `"tools":[` + weatherTool + `]`, `"tools":[` + chatTool("call", constrain.Options{}) + `]`},
		{"chat, required", chat, `"tool_choice":"required","tools":[` + weatherTool + `]`,
			`"tools":[` + chatTool("call", constrain.Options{}) + `],"tool_choice":{"type":"custom","custom":{"name":"call"}}`},
		{"chat, one call of one tool", chat, `"parallel_tool_calls":false,"tool_choice":{"type":"function","function":{"name":"getWeather"}},"tools":[` + weatherTool + `]`,
			`"tools":[` + chatTool("call", constrain.Options{Last: true, Tools: []string{"getWeather"}}) + `],"tool_choice":{"type":"custom","custom":{"name":"call"}},"parallel_tool_calls":false`},
		{"chat, tools of the upstream's", chat, `"tools":[` + native + "," + weatherTool + `]`, `"tools":[` + native + "," + chatTool("calls", constrain.Options{}) + `]`},
		{"responses", "/responses", `"tools":[` + toolR + `]`, `"tools":[` + itemTool("call", constrain.Options{}) + `]`},
		{"responses, required", "/responses", `"tool_choice":"required","tools":[` + nativeR + "," + toolR + `]`,
			`"tools":[` + nativeR + "," + itemTool("calls", constrain.Options{}) + `],"tool_choice":{"type":"custom","name":"calls"}`},
	} {
		conversation := `"messages":[{"role":"user","content":"Hi"}]`
		if c.path == "/responses" {
			conversation = `"input":"Hi"`
		}
		got, reason := sent(t, Options{Constrain: customEngine}, c.path, `{`+conversation+`,`+c.in+`}`)
		o := rawjson.ParseObject([]byte(got))
		var kept object
		for _, key := range []string{"tools", "tool_choice", "parallel_tool_calls"} {
			if value := o.Get(key); value != nil {
				kept = append(kept, field(key, value))
			}
		}
		list := o.Array("tools")
		own := rawjson.ParseObject(list[len(list)-1])
		if inner := own.Object("custom"); inner != nil {
			own = inner
		}
		want := "{" + strings.Replace(c.want, "$D", string(own.Get("description")), 1) + "}"
		if text := string(kept.Append(nil)); text != want || reason != "" || !strings.Contains(got, "getWeather location") {
			t.Errorf("%s: %s, sent\n%s\nwant\n%s", c.name, reason, text, want)
		}
	}
	d := callformat.Tags{Open: "<<", Close: ">>"}
	opts := Options{Constrain: customEngine}
	opts.Manual.Tags.Open, opts.Manual.Tags.Close = d.Open, d.Close
	if got, _ := sent(t, opts, chat, weatherRequest); !strings.Contains(got, customGrammar(t, tools, constrain.Options{Tags: d})) || !strings.Contains(got, "between << and >>") {
		t.Errorf("sent %s", got)
	}
}

// TestCustomToolNot: without a function that may be called, and where the history is
// at the server, there is no custom tool.
func TestCustomToolNot(t *testing.T) {
	for _, c := range []struct{ path, body, warned string }{
		{messages, weatherRequestA, ""},
		{chat, strings.Replace(weatherRequest, `"tools"`, `"tool_choice":"none","tools"`, 1), ""},
		{chat, strings.Replace(weatherRequest, `"tools"`, `"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}},"tools"`, 1), "no tool can be called"},
		{"/responses", strings.Replace(weatherRequestR, `"model"`, `"previous_response_id":"r","model"`, 1), "on the server"},
	} {
		var log bytes.Buffer
		got, _ := sent(t, Options{Constrain: customEngine, OnRewrite: warnings(&log)}, c.path, c.body)
		if strings.Contains(got, `"custom"`) || !strings.Contains(log.String(), c.warned) {
			t.Errorf("%s: sent %s", log.String(), got)
		}
	}
}

// customChunks is a stream of chat completions in which a custom tool is called, with
// its input in these pieces, between other things.
func customChunks(before string, inputs ...string) string {
	var b strings.Builder
	write := func(delta, reason string) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
	}
	write(`{"role":"assistant","content":null,"refusal":null}`, "null")
	if before != "" {
		write(`{"content":`+string(rawjson.Quote(before))+`}`, "null")
	}
	write(`{"tool_calls":[{"index":0,"id":"call_up","type":"custom","custom":{"name":"call","input":""}}]}`, "null")
	for _, input := range inputs {
		write(`{"tool_calls":[{"index":0,"custom":{"input":`+input+`}}]}`, "null")
	}
	write("{}", `"tool_calls"`)
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

// quotedPieces cuts a text into JSON strings of n bytes.
func quotedPieces(text string, n int) (list []string) {
	for len(text) > n {
		list = append(list, string(rawjson.Quote(text[:n])))
		text = text[n:]
	}
	return append(list, string(rawjson.Quote(text)))
}

// TestCustomToolOther: calls of other custom tools stay, and half of a character at the end
// of a piece waits for the other half.
func TestCustomToolOther(t *testing.T) {
	opts := Options{Constrain: customEngine}
	const other = `{"id":"call_o","type":"custom","custom":{"name":"sh","input":"ls"}}`
	own := `{"id":"call_up","type":"custom","custom":{"name":"call","input":` + string(rawjson.Quote(rome)) + `}}`
	for _, calls := range []string{other, other + "," + own} {
		body := `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` + calls + `]},"finish_reason":"tool_calls"}]}`
		u := &upstream{replies: []string{body}}
		out := u.post(t, opts, chat, strings.Replace(weatherRequest, `"stream":true`, `"stream":false`, 1))
		if !strings.Contains(out, `"tool_calls":[`+other) || strings.Contains(out, "call_up") || strings.Contains(out, `"arguments"`) != strings.Contains(calls, own) {
			t.Errorf("%s", out)
		}
	}
	u := &upstream{replies: []string{customChunks("", `"<call>getWeather location=\ud83d"`, `"\ude00</call>"`)}}
	got := readChat(t, u.post(t, opts, chat, weatherRequest), 0)
	if len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"😀"}` {
		t.Errorf("%+v", got)
	}
}

// TestCustomToolCorrection: what was malformed goes back as text, and the tool is
// offered again.
func TestCustomToolCorrection(t *testing.T) {
	u := &upstream{replies: []string{customChunks("Well. ", quotedPieces(broken, 5)...), customChunks("", quotedPieces(rome, 5)...)}}
	got := readChat(t, u.post(t, Options{Constrain: customEngine}, chat, weatherRequest), 0)
	if len(got.Calls) != 1 || got.Finish != "tool_calls" || len(u.bodies) != 2 {
		t.Fatalf("%+v after %d requests", got, len(u.bodies))
	}
	first, second := rawjson.ParseObject([]byte(u.bodies[0])), rawjson.ParseObject([]byte(u.bodies[1]))
	list := second.Array("messages")
	if string(first.Get("tools")) != string(second.Get("tools")) || !strings.Contains(rawjson.ParseObject(list[len(list)-2]).Text("content"), "Well. "+broken[:20]) {
		t.Errorf("sent %s", u.bodies[1])
	}
}
