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

const customInput = `<call>getWeather location="New York"</call><call>getWeather location=Rome units=metric</call>`

// TestCustomToolChat: calls come out of the input of the custom tool, streamed in any
// pieces and whole; calls of other tools stay.
func TestCustomToolChat(t *testing.T) {
	opts := Options{Constrain: customEngine}
	for _, n := range []int{1, 7, 1000} {
		for _, cuts := range [][]byte{nil, {0}, {2, 40}} {
			u := &upstream{replies: []string{customChunks("Let me see. ", quotedPieces(customInput, n)...)}, cuts: cuts}
			out := u.post(t, opts, chat, weatherRequest)
			got := readChat(t, out, 0)
			if got.Text != "Let me see. " || len(got.Calls) != 2 || got.Calls[0].Arguments != `{"location":"New York"}` || got.Calls[1].Arguments != `{"location":"Rome","units":"metric"}` || got.Finish != "tool_calls" || !got.Done || strings.Contains(out, "custom") {
				t.Fatalf("%+v of\n%s", got, out)
			}
		}
	}
	// half of a character at the end of a piece
	u := &upstream{replies: []string{customChunks("", `"<call>getWeather location=\ud83d"`, `"\ude00</call>"`)}}
	if got := readChat(t, u.post(t, opts, chat, weatherRequest), 0); len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"😀"}` {
		t.Errorf("%+v", got)
	}
	const other = `{"id":"call_o","type":"custom","custom":{"name":"sh","input":"ls"}}`
	body := func(content, calls string) string {
		return `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":` + content + `,"tool_calls":[` + calls + `]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9}}`
	}
	own := `{"id":"call_up","type":"custom","custom":{"name":"call","input":` + string(rawjson.Quote(customInput)) + `}}`
	whole := strings.Replace(weatherRequest, `"stream":true`, `"stream":false`, 1)
	for _, c := range []struct{ in, want string }{
		{body("null", own), `"content":null,"tool_calls":[{"id":"`},
		{body(`"Hm. "`, own), `"content":"Hm. ","tool_calls":[{"id":"`},
		{body("null", other+","+own), `"content":null,"tool_calls":[` + other + `,{"id":"`},
	} {
		u := &upstream{replies: []string{c.in}}
		out := u.post(t, opts, chat, whole)
		if !strings.Contains(out, c.want) || strings.Count(out, `"arguments":`) != 2 || !strings.Contains(out, `"finish_reason":"tool_calls"`) || strings.Contains(out, "call_up") {
			t.Errorf("%s", out)
		}
	}
	u = &upstream{replies: []string{body("null", other)}}
	if out := u.post(t, opts, chat, whole); !strings.Contains(out, other) || !strings.Contains(out, `"finish_reason":"tool_calls"`) {
		t.Errorf("%s", out)
	}
}

// customResponse is a stream of responses, or a whole response, in which a custom tool
// is called.
func customResponse(streams bool, input string, n int) string {
	item := func(status, input string) string {
		return `{"id":"ctc_1","type":"custom_tool_call","status":"` + status + `","call_id":"call_up","name":"call","input":` + string(rawjson.Quote(input)) + `}`
	}
	const text = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Let me see.","annotations":[],"logprobs":[]}]}`
	response := func(status string, output string) string {
		return `{"id":"resp_1","object":"response","status":"` + status + `","model":"m","output":[` + output + `],"tools":[{"type":"custom","name":"call"}],"tool_choice":"auto","usage":{"input_tokens":5,"output_tokens":6,"total_tokens":11}}`
	}
	done := response("completed", text+","+item("completed", input))
	if !streams {
		return done
	}
	var b strings.Builder
	number := 0
	write := func(kind, members string) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", kind, kind, number, members)
		number++
	}
	write("response.created", `"response":`+response("in_progress", ""))
	write("response.output_item.added", `"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}`)
	write("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}`)
	write("response.output_text.delta", `"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Let me see.","logprobs":[]`)
	write("response.output_text.done", `"item_id":"msg_1","output_index":0,"content_index":0,"text":"Let me see.","logprobs":[]`)
	write("response.content_part.done", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Let me see.","annotations":[],"logprobs":[]}`)
	write("response.output_item.done", `"output_index":0,"item":`+text)
	write("response.output_item.added", `"output_index":1,"item":`+item("in_progress", ""))
	if n > 0 { // some servers have no pieces
		for _, piece := range quotedPieces(input, n) {
			write("response.custom_tool_call_input.delta", `"item_id":"ctc_1","output_index":1,"delta":`+piece)
		}
		write("response.custom_tool_call_input.done", `"item_id":"ctc_1","output_index":1,"input":`+string(rawjson.Quote(input)))
	}
	write("response.output_item.done", `"output_index":1,"item":`+item("completed", input))
	write("response.completed", `"response":`+done)
	return b.String()
}

// TestCustomToolResponses is the same for responses, where it is an item.
func TestCustomToolResponses(t *testing.T) {
	opts := Options{Constrain: customEngine}
	for _, n := range []int{-1, 0, 1, 7, 1000} {
		for _, cuts := range [][]byte{nil, {0}, {2, 40}} {
			u := &upstream{replies: []string{customResponse(n >= 0, customInput, n)}, cuts: cuts}
			out := u.post(t, opts, "/responses", strings.Replace(weatherRequestR, "true", fmt.Sprint(n >= 0), 1))
			got := readResponse(t, out)
			var kinds []string
			for _, item := range got.Items {
				kinds = append(kinds, item.Type)
			}
			if strings.Join(kinds, " ") != "message function_call function_call" || got.Text != "Let me see." || got.Calls[0].Arguments != `{"location":"New York"}` || got.Calls[1].Arguments != `{"location":"Rome","units":"metric"}` ||
				got.Status != "completed" || strings.Contains(out, "custom") || !strings.Contains(out, `"tools":[{"type":"function"`) {
				t.Fatalf("%d: %v %+v of\n%s", n, kinds, got, out)
			}
		}
	}
	// prose where calls should be is a message
	for _, n := range []int{-1, 0, 3} {
		u := &upstream{replies: []string{customResponse(n >= 0, "Sorry, no.", n)}}
		out := u.post(t, opts, "/responses", strings.Replace(weatherRequestR, "true", fmt.Sprint(n >= 0), 1))
		if got := readResponse(t, out); len(got.Items) != 2 || got.Items[1].Type != "message" || !strings.HasSuffix(got.Text, "Sorry, no.") || strings.Contains(out, "custom_tool_call") {
			t.Errorf("%d: %+v of\n%s", n, got, out)
		}
	}
	other := strings.ReplaceAll(customResponse(true, "ls", 1), `"name":"call"`, `"name":"sh"`)
	u := &upstream{replies: []string{other}}
	if out := u.post(t, opts, "/responses", weatherRequestR); strings.Count(out, "custom_tool_call_input.delta") != strings.Count(other, "custom_tool_call_input.delta") || !strings.Contains(out, `"name":"sh","input":"ls"`) {
		t.Errorf("%s", out)
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
