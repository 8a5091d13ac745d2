package middleware

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/rawjson"
)

const rome = "<call>getWeather location=Rome</call>"

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

// TestCorrectionOfWhole: the usage of a message that took the place of another is
// that of both.
func TestCorrectionOfWhole(t *testing.T) {
	u := &upstream{replies: []string{completion("stop", "Look "+broken), completion("stop", rome)}}
	if out := u.post(t, Options{}, chat, weatherRequest); !strings.Contains(out, `"usage":{"prompt_tokens":18,"completion_tokens":24,"total_tokens":42}`) {
		t.Errorf("got %s", out)
	}
	u = &upstream{replies: []string{messageBody("end_turn", textBlock(broken)), messageBody("end_turn", textBlock("Well."))}}
	if out := u.post(t, Options{}, messages, weatherRequestA); strings.Contains(out, "tool-error") || !strings.Contains(out, "Well.") {
		t.Errorf("got %s", out)
	}
}

// TestRequired: a call that is required and does not come, or is one of another
// tool, is asked for once; then there is an error.
func TestRequired(t *testing.T) {
	two := strings.Replace(weatherRequest, `"tools":[`, `"tools":[{"type":"function","function":{"name":"now"}},`, 1)
	twoA := strings.Replace(weatherRequestA, `"tools":[`, `"tools":[{"name":"now","input_schema":{"type":"object"}},`, 1)
	for _, c := range []struct{ name, choice, choiceA, first string }{
		{"none", `"required"`, `{"type":"any"}`, "I will not."},
		{"another", `{"type":"function","function":{"name":"getWeather"}}`, `{"type":"tool","name":"getWeather"}`, "<call>now</call>"},
		{"named, none", `{"type":"function","function":{"name":"getWeather"}}`, `{"type":"tool","name":"getWeather"}`, ""},
	} {
		request := strings.Replace(two, `"stream"`, `"tool_choice":`+c.choice+`,"stream"`, 1)
		requestA := strings.Replace(twoA, `"stream"`, `"tool_choice":`+c.choiceA+`,"stream"`, 1)
		for path, r := range map[string]struct {
			request     string
			first, good string
		}{
			chat:                {request, chunks("stop", c.first), chunks("stop", rome)},
			chat + " whole":     {request, completion("stop", c.first), completion("stop", rome)},
			messages:            {requestA, events("end_turn", []string{c.first}), events("end_turn", []string{rome})},
			messages + " whole": {requestA, messageBody("end_turn", textBlock(c.first)), messageBody("end_turn", textBlock(rome))},
		} {
			at, _, _ := strings.Cut(path, " ")
			u := &upstream{replies: []string{r.first, r.good}}
			if out := u.post(t, Options{}, at, r.request); !strings.Contains(out, "Rome") || strings.Contains(out, `"now"`) || len(u.bodies) != 2 {
				t.Errorf("%s, %s: %d requests, %s", c.name, path, len(u.bodies), out)
			}
			u = &upstream{replies: []string{r.first}}
			out, err := u.try(Options{}, at, r.request)
			var e *Error
			streams := !strings.HasSuffix(path, "whole")
			if streams != (errors.As(err, &e) && e.Code == CallMissing) || len(u.bodies) != 2 || strings.Contains(out, `"now"`) {
				t.Errorf("%s, %s: %v after %d requests, %s", c.name, path, err, len(u.bodies), out)
			}
			if !strings.Contains(out, "call-missing") {
				t.Errorf("%s, %s: no error in the response: %s", c.name, path, out)
			}
		}
	}
}

// TestStrictFunction: what says strict gets no arguments that do not fit.
func TestStrictFunction(t *testing.T) {
	strict := strings.Replace(weatherRequest, `"function":{`, `"function":{"strict":true,`, 1)
	bad := "<call>getWeather location=Rome units=kelvin</call>"
	u := &upstream{replies: []string{chunks("stop", bad), chunks("stop", rome)}}
	if got := readChat(t, u.post(t, Options{}, chat, strict), 0); len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"Rome"}` || len(u.bodies) != 2 {
		t.Errorf("%+v after %d requests", got, len(u.bodies))
	}
	u = &upstream{replies: []string{chunks("stop", bad)}}
	if got := readChat(t, u.post(t, Options{}, chat, weatherRequest), 0); len(got.Calls) != 1 || len(u.bodies) != 1 {
		t.Errorf("not strict: %+v", got)
	}
}

// TestMeant: what a model thinks in its text, and what it invents, has no calls.
func TestMeant(t *testing.T) {
	const call = "<call>getWeather location=Oslo</call>"
	for _, c := range []struct{ text, said, calls string }{
		{"<think>I could " + call + " now</think>So: " + rome, "<think>I could " + call + " now</think>So: ", "Rome"},
		{"<think>" + call, "<think>" + call, ""},
		{"a <thinking>b<call>getWeather loc</thinking>" + rome + " c", "a <thinking>b<call>getWeather loc</thinking> c", "Rome"},
		{"[THINK]" + call + "[/THINK]" + rome, "[THINK]" + call + "[/THINK]", "Rome"},
		{"◁think▷" + call + "◁/think▷" + rome, "◁think▷" + call + "◁/think▷", "Rome"},
		{rome + "\n<think>" + call + "</think>" + call, "\n<think>" + call + "</think>", "Rome Oslo"},
		{"the tag `<think>` is " + rome, "the tag `<think>` is ", "Rome"},
		{`<call>getWeather location="<think>"</call> x</think>`, " x</think>", "<think>"},
		{"<thin" + rome, "<thin", "Rome"},
		{rome + " <tool-result name=\"getWeather\">\n9\n</tool-result>\nSo " + call, " ", "Rome"},
		{`<call>getWeather location="<tool-result"</call> a`, " a", "<tool-result"},
		{"a <tool-error>" + call, "a ", ""},
		{"a <tool-", "a <tool-", ""},
	} {
		for i := 0; i <= len(c.text); i++ {
			if i < len(c.text) && c.text[i]&0xc0 == 0x80 {
				continue
			}
			for _, r := range []struct{ path, request, stream string }{
				{chat, weatherRequest, chunks("stop", c.text[:i], c.text[i:])},
				{messages, weatherRequestA, events("end_turn", []string{c.text[:i], c.text[i:]})},
				{chat, weatherRequest, completion("stop", c.text)},
				{messages, weatherRequestA, messageBody("end_turn", textBlock(c.text))},
			} {
				u := &upstream{replies: []string{r.stream}}
				said, calls := saidAndCalled(t, r.path, u.post(t, Options{Retries: -1}, r.path, r.request))
				if r.path == messages {
					said, c.said = strings.TrimSpace(said), strings.TrimSpace(c.said)
				} else {
					said, c.said = strings.TrimSpace(said), strings.TrimSpace(c.said)
				}
				if said != c.said || calls != c.calls {
					t.Fatalf("%s cut at %d, %s: %q and calls %q", c.text, i, r.path, said, calls)
				}
			}
		}
	}
}

// TestManyMalformed: what is said of malformed calls is bounded, and so is the
// time that it takes.
func TestManyMalformed(t *testing.T) {
	text := strings.Repeat("<call>x [</call>", 1<<12)
	for _, opts := range []Options{{Retries: -1}, {Retries: -1, AllowAfterMalformed: true}} {
		for _, r := range []struct{ path, request, stream string }{
			{chat, weatherRequest, chunks("stop", text)}, {chat, weatherRequest, completion("stop", text)},
			{messages, weatherRequestA, events("end_turn", []string{text})}, {messages, weatherRequestA, messageBody("end_turn", textBlock(text))},
		} {
			u := &upstream{replies: []string{r.stream}}
			out := u.post(t, opts, r.path, r.request)
			said, _ := saidAndCalled(t, r.path, out)
			if strings.Count(said, "<tool-error") != mostShown || strings.Count(said, "<call>x [</call>") != 1<<12 || len(out) > 2*len(r.stream) {
				t.Errorf("%s: %d bytes for %d, %d errors, %d calls", r.path, len(out), len(r.stream), strings.Count(said, "<tool-error"), strings.Count(said, "<call>x [</call>"))
			}
		}
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

// TestKinds: a stream is read whatever type it has.
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

// saidAndCalled returns the text of a response and the locations that it calls
// for.
func saidAndCalled(t *testing.T, path, out string) (said, calls string) {
	t.Helper()
	var locations []string
	location := func(arguments string) {
		locations = append(locations, rawjson.ParseObject([]byte(arguments)).Text("location"))
	}
	switch whole := strings.HasPrefix(out, "{"); {
	case whole && path == chat:
		m := readWhole(t, out).Choices[0].Message
		if m.Content != nil {
			said = *m.Content
		}
		for _, c := range m.ToolCalls {
			location(c.Function.Arguments)
		}
	case whole:
		for _, raw := range rawjson.ParseObject([]byte(out)).Array("content") {
			block := rawjson.ParseObject(raw)
			if said += block.Text("text"); block.Text("type") == "tool_use" {
				location(string(block.Get("input")))
			}
		}
	case path == chat:
		got := readChat(t, out, 0)
		said = got.Text
		for _, c := range got.Calls {
			location(c.Arguments)
		}
	default:
		for _, b := range readMessage(t, out).Blocks {
			if said += b.Text; b.Type == "tool_use" {
				location(b.Input)
			}
		}
	}
	return said, strings.Join(locations, " ")
}

// TestCorrectionOfTooLong: a call beyond the limit goes back to the model as much as is
// kept of it, and so the application gets it where that does not help; it sees that
// something is missing.
func TestCorrectionOfTooLong(t *testing.T) {
	long := `Look. <call>getWeather location="` + strings.Repeat("é", 100) + `"</call>`
	kept := `<call>getWeather location=\"` + strings.Repeat("é", 18) + "…" // 27 bytes, 18 of two, and half of one
	for _, e := range endpoints {
		out, m := asked(t, Options{Limits: parse.Limits{Bytes: 64}}, e.path, e.request, long, rome)
		if sent := m.Requests(); len(sent) != 2 || !strings.Contains(out, "Rome") || strings.Contains(out, "too-long") {
			t.Errorf("%s: %d requests, %s", e.path, len(sent), out)
		} else if strings.Contains(e.request, `"stream":true`) && !strings.Contains(string(sent[1].Body), kept) {
			t.Errorf("%s: sent %s", e.path, sent[1].Body)
		}
	}
	out, _ := asked(t, Options{Limits: parse.Limits{Bytes: 64}, Retries: -1}, "/v1"+chat, weatherRequest, long)
	if got := readChat(t, out, 0); !strings.HasPrefix(got.Text, strings.ReplaceAll("Look. "+kept, `\"`, `"`)+"\n<tool-error") || !strings.Contains(got.Text, "call-too-long") {
		t.Errorf("got %q", got.Text)
	}
}
