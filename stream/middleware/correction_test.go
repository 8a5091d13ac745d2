package middleware

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// TestCorrection: a message whose call is malformed goes on after the text that
// was delivered, under its one id, and what all messages have used is one usage.
func TestCorrection(t *testing.T) {
	used := func(stream string, n string) string {
		return strings.Replace(stream, "data: [DONE]", `data: {"id":"chatcmpl-7","choices":[],"usage":{"prompt_tokens":`+n+`,"details":{"cached":1},"total_tokens":`+n+`}}`+"\n\ndata: [DONE]", 1)
	}
	first := used(chunks("stop", "Let me ", "look. ", broken, " and so on"), "10")
	second := used(strings.ReplaceAll(chunks("stop", "Again: ", rome), "chatcmpl-7", "chatcmpl-8"), "30")
	for _, cuts := range [][]byte{nil, {0}, {6}} {
		u := &upstream{replies: []string{first, second}, cuts: cuts}
		out := u.post(t, Options{}, chat, weatherRequest)
		got := readChat(t, out, 0)
		if got.Text != "Let me look. Again: " || len(got.Calls) != 1 || got.Finish != "tool_calls" || len(got.IDs) != 1 || got.Usages != 1 {
			t.Fatalf("%+v", got)
		}
		if !strings.Contains(out, `"usage":{"prompt_tokens":40,"details":{"cached":2},"total_tokens":40}`) {
			t.Errorf("usage in\n%s", out)
		}
		if len(u.bodies) != 2 || !strings.Contains(u.bodies[1], `{"role":"assistant","content":"Let me look. `+broken+`"},{"role":"user","content":"<tool-error`) || !strings.Contains(u.bodies[1], continueNow) {
			t.Errorf("sent %q", u.bodies)
		}
	}
}

// TestCorrectionOfMessages is the same for Anthropic: blocks go on being numbered,
// reasoning comes once.
func TestCorrectionOfMessages(t *testing.T) {
	think := func(stream string) string {
		blocks := "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"hm\"}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
		return strings.Replace(strings.ReplaceAll(stream, `"index":0`, `"index":1`), "event: content_block_start", blocks+"event: content_block_start", 1)
	}
	u := &upstream{replies: []string{think(events("end_turn", []string{"Let me look. ", broken, "x"})), think(events("end_turn", []string{"Again: ", rome}))}}
	out := u.post(t, Options{}, messages, weatherRequestA)
	got := readMessage(t, out)
	if len(got.Blocks) != 4 || got.Blocks[0].Thinking != "hm" || got.Blocks[1].Text != "Let me look. " || got.Blocks[2].Text != "Again: " || got.Blocks[3].Input != `{"location":"Rome"}` || got.Stop != "tool_use" || got.Starts != 1 || !got.Ended {
		t.Errorf("%+v in\n%s", got, out)
	}
	if !strings.Contains(out, `"usage":{"input_tokens":50,"output_tokens":30}`) {
		t.Errorf("usage in\n%s", out)
	}
}

// TestNativeCallsAreHeldTo what calls of the text are.
func TestNativeCallsAreHeldTo(t *testing.T) {
	native := `data: {"id":"r","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"n","type":"function","function":{"name":"native","arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n"
	more := `data: {"id":"r","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":" "}}]},"finish_reason":null}]}` + "\n\n"
	end := `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	one := strings.Replace(weatherRequest, `"stream"`, `"parallel_tool_calls":false,"stream"`, 1)
	text := func(s string) string {
		return strings.TrimSuffix(chunksRaw(string(rawjson.Quote(s))), "data: [DONE]\n\n")
	}
	for name, c := range map[string]struct {
		request, stream, want string
	}{
		"one, text first":   {one, text(rome) + native + more + end, "getWeather"},
		"one, native first": {one, native + more + text(rome) + end, "native"},
		"behind malformed":  {weatherRequest, text(broken) + native + more + end, ""},
		"both":              {weatherRequest, text(rome) + native + more + end, "getWeather native"},
	} {
		got := read(t, Options{Retries: -1}, c.request, c.stream)
		var names []string
		for _, call := range got.Calls {
			names = append(names, call.Name)
		}
		if strings.Join(names, " ") != c.want {
			t.Errorf("%s: %+v", name, got)
		}
		if c.want != "getWeather native" && !strings.Contains(got.Text, "<tool-error name=\"native\">") && !strings.Contains(got.Text, "<tool-error name=\"getWeather\">") {
			t.Errorf("%s: %q", name, got.Text)
		}
	}
}

// TestEndings: how a stream ends is as good as can be told.
func TestEndings(t *testing.T) {
	head := strings.TrimSuffix(chunksRaw(string(rawjson.Quote(rome))), "data: [DONE]\n\n")
	reason := func(r string) string {
		return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + r + `"}]}` + "\n\n"
	}
	for name, c := range map[string]struct{ stream, want string }{
		"eos":              {head + reason("eos") + "data: [DONE]\n\n", "tool_calls"},
		"end_turn":         {head + reason("end_turn"), "tool_calls"},
		"stop_sequence":    {head + reason("stop_sequence"), "tool_calls"},
		"absent":           {head + "data: [DONE]\n\n", "tool_calls"},
		"absent, no DONE":  {head, "tool_calls"},
		"a second one":     {head + reason("stop") + reason("stop") + "data: [DONE]\n\n", "tool_calls"},
		"length":           {head + reason("length"), "length"},
		"truncated, DONE":  {chunksRaw(`"<call>getWeather location=Rome"`), ""},
		"null between":     {head + "data: null\n\ndata: []\n\ndata: \"\"\n\n" + reason("stop"), "tool_calls"},
		"an empty error":   {head + `data: {"error":"","choices":[]}` + "\n\n" + reason("stop"), "tool_calls"},
		"a BOM":            {"\ufeff" + head + reason("stop"), "tool_calls"},
		"without an index": {strings.ReplaceAll(head+reason("stop"), `"index":0,`, ""), "tool_calls"},
		"a list":           {strings.ReplaceAll(head, string(rawjson.Quote(rome)), `[{"type":"text","text":"<call>getWeather "},{"type":"text","text":"location=Rome</call>"}]`) + reason("stop"), "tool_calls"},
	} {
		got := read(t, Options{AllowUnclosed: true}, weatherRequest, c.stream)
		if got.Finish != c.want || (len(got.Calls) == 1) != (c.want != "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	across := strings.ReplaceAll(head, string(rawjson.Quote(rome)), `[{"type":"text","text":"<call>getWeather "},{"type":"thinking","thinking":[]},{"type":"text","text":"location=Rome</call>"}]`)
	if got := readLists(t, across+reason("stop")); strings.Contains(got, `"tool_calls":[`) || !strings.Contains(got, `[{"type":"thinking","thinking":[]}]`) {
		t.Errorf("across a part that is not read: %s", got)
	}
}

func readLists(t *testing.T, stream string) string {
	u := &upstream{replies: []string{stream}}
	return u.post(t, Options{Retries: -1}, chat, weatherRequest)
}

// TestKinds: a stream is read with any Content-Type.
func TestKinds(t *testing.T) {
	for _, kind := range []string{"application/json", "text/plain", "application/octet-stream", ""} {
		u := &upstream{replies: []string{chunks("stop", rome)}, kind: kind}
		if got := readChat(t, u.post(t, Options{}, chat, weatherRequest), 0); len(got.Calls) != 1 {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	u := &upstream{replies: []string{completion("stop", rome)}}
	if got := readWhole(t, u.post(t, Options{}, chat, weatherRequest)); len(got.Choices[0].Message.ToolCalls) != 1 {
		t.Errorf("no stream: %+v", got)
	}
}
