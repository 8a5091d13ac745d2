package middleware

import (
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/manual"
)

// lazyRequest is a request with two tools, of which one is lazy.
func lazyRequest(stream bool) string {
	text := `{"model":"m","tools":[{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}},` +
		strings.Replace(weatherTool, `"type":"function"`, `"type":"function","lazy":true`, 1) + `],"messages":[{"role":"user","content":"Hi"}]`
	if stream {
		text += `,"stream":true`
	}
	return text + "}"
}

// A tool that is lazy is announced by its name. The model asks for more, and the
// answer comes from here: the application sees the call that follows alone.
func TestLazyTools(t *testing.T) {
	const ask = `<call>__load_tool_schema__ names=["getWeather"]</call>`
	for _, stream := range []bool{false, true} {
		replies := []string{completion("stop", "Let me look. "+ask), completion("stop", "So: "+rome)}
		if stream {
			replies = []string{chunks("stop", "Let me ", "look. ", ask[:9], ask[9:], " and so on"), strings.ReplaceAll(chunks("stop", "So: ", rome), "chatcmpl-7", "chatcmpl-8")}
		}
		u := &upstream{replies: replies}
		out := u.post(t, Options{Retries: -1}, chat, lazyRequest(stream))
		if len(u.bodies) != 2 || strings.Contains(u.bodies[0], "location") || !strings.Contains(u.bodies[0], `__load_tool_schema__`) {
			t.Fatalf("stream %t: sent %q", stream, u.bodies)
		}
		if want := `<tool-result name=\"__load_tool_schema__\">\ngetWeather location units?:metric|imperial - Get the weather.\n<call>getWeather location=\"New York\" units=metric</call>\n</tool-result>`; !strings.Contains(u.bodies[1], want) {
			t.Errorf("stream %t: sent %s", stream, u.bodies[1])
		}
		if strings.Contains(out, "__load") || strings.Contains(out, "and so on") {
			t.Errorf("stream %t: got %s", stream, out)
		}
		if stream {
			if got := readChat(t, out, 0); got.Text != "Let me look. So: " || len(got.Calls) != 1 || got.Calls[0].Name != "getWeather" || got.Finish != "tool_calls" {
				t.Errorf("got %+v", got)
			}
		} else if m := readWhole(t, out).Choices[0].Message; len(m.ToolCalls) != 1 || m.ToolCalls[0].Function.Name != "getWeather" {
			t.Errorf("got %+v", m)
		}
	}
}

// The loop is bounded, and a call of the loader after another call is no reason to
// run that one twice.
func TestLazyToolsAreBounded(t *testing.T) {
	const ask = `<call>__load_tool_schema__ query=weather</call>`
	for _, stream := range []bool{false, true} {
		var replies []string
		for range mostLoads + 5 {
			if stream {
				replies = append(replies, chunks("stop", ask))
			} else {
				replies = append(replies, completion("stop", ask))
			}
		}
		u := &upstream{replies: replies}
		out := u.post(t, Options{Retries: -1}, chat, lazyRequest(stream))
		if len(u.bodies) != 1+mostLoads || !strings.Contains(out, "This call was not executed") {
			t.Errorf("stream %t: %d requests, %s", stream, len(u.bodies), out)
		}
		both := chunks("stop", rome, ask)
		if !stream {
			both = completion("stop", rome+ask)
		}
		u = &upstream{replies: []string{both, both}}
		out = u.post(t, Options{Retries: -1}, chat, lazyRequest(stream))
		if len(u.bodies) != 1 || strings.Count(out, `"name":"getWeather"`) != 1 {
			t.Errorf("stream %t: %d requests, %s", stream, len(u.bodies), out)
		}
	}
}

// The options may name the lazy tools, hide their names, and give the loader another
// name; a tool of that name is the application's own.
func TestLazyOptions(t *testing.T) {
	o := Options{Manual: manual.Options{Lazy: manual.Lazy{Loader: "more", HideNames: true}}}
	u := &upstream{replies: []string{completion("stop", "<call>more query=weather</call>"), completion("stop", "Well.")}}
	u.post(t, o, chat, lazyRequest(false))
	if len(u.bodies) != 2 || strings.Contains(u.bodies[0], "getWeather") || !strings.Contains(u.bodies[1], "getWeather location") {
		t.Errorf("%q", u.bodies)
	}
	own := strings.Replace(lazyRequest(false), `"name":"now"`, `"name":"more"`, 1)
	u = &upstream{replies: []string{completion("stop", "<call>more</call>")}}
	if out := u.post(t, o, chat, own); len(u.bodies) != 1 || !strings.Contains(out, `"name":"more"`) {
		t.Errorf("%q, %s", u.bodies, out)
	}
}

// A budget that cannot be kept is told once for the tools.
func TestBudgetIsTold(t *testing.T) {
	var log strings.Builder
	o := Options{Manual: manual.Options{Budget: 1}, OnRewrite: warnings(&log)}
	u := &upstream{replies: []string{completion("stop", "Well."), completion("stop", "Well.")}}
	transport := &Transport{Base: u, Options: shown(o)}
	for range 2 {
		req, err := http.NewRequest("POST", "http://upstream.test/v1"+chat, strings.NewReader(weatherRequest))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if strings.Count(log.String(), "a budget of 1 tokens cannot be kept") != 1 {
		t.Error(log.String())
	}
}

// In every API, streamed and whole, the loader's calls are answered here and the
// application sees the call that follows alone; the loop is bounded.
func TestLazyToolsInEveryAPI(t *testing.T) {
	const ask = `<call>__load_tool_schema__ names=["getWeather"]</call>`
	for name, e := range endpoints {
		request := strings.NewReplacer(`"type":"function","function":`, `"type":"function","lazy":true,"function":`, `{"name":"getWeather"`, `{"lazy":true,"name":"getWeather"`, `"type":"function","name"`, `"type":"function","lazy":true,"name"`).Replace(e.request)
		out, m := asked(t, Options{Retries: -1}, e.path, request, "Let me look. "+ask, "So: "+rome)
		requests := m.Requests()
		if len(requests) != 2 || strings.Contains(string(requests[0].Body), "units") || strings.Contains(string(requests[0].Body), "days") || !strings.Contains(string(requests[0].Body), "__load_tool_schema__") {
			t.Fatalf("%s: %d requests, the first is %s", name, len(requests), requests[0].Body)
		}
		turns := requests[1].Turns()
		if answer := turns[len(turns)-1].Text; !strings.Contains(answer, "<tool-result name=\"__load_tool_schema__\">\ngetWeather location") {
			t.Errorf("%s: the model is told %q", name, answer)
		}
		spoken := ""
		for _, m := range spokenMembers.FindAllStringSubmatch(out, -1) {
			spoken += m[2]
		}
		if strings.Contains(out, "__load") || !strings.Contains(spoken, "Rome") || strings.Contains(spoken, "<call>") || strings.HasSuffix(name, "whole") == strings.Contains(spoken, "Let me look. ") {
			t.Errorf("%s: got %s", name, out)
		}
		out, m = asked(t, Options{Retries: -1}, e.path, request, strings.Split(strings.Repeat(ask+"\n", mostLoads+5), "\n")...)
		if len(m.Requests()) != 1+mostLoads || !strings.Contains(out, "This call was not executed") {
			t.Errorf("%s: %d requests, %s", name, len(m.Requests()), out)
		}
	}
}
