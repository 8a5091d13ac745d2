package middleware

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// liveRequests are requests for a stream with a tool that gets long texts.
var liveRequests = map[string]string{chat: weatherRequest, messages: weatherRequestA, "/responses": weatherRequestR}

// live asks a model, whose connection may break after some bytes.
func live(t testing.TB, api, request, text string, opts Options, breaks int) (r clientReply, asked int) {
	t.Helper()
	m := &scripted.Model{Replies: []scripted.Reply{{Text: text, Break: breaks}, {Text: rome}}, Shape: scripted.Shape{Delta: 7}}
	_, out, err := ask(m, shown(opts), api, request)
	if (err != nil) != (breaks > 0) {
		t.Fatalf("%s: %v", api, err)
	}
	return readReply(t, api, out), len(m.Requests())
}

// TestLive: of a stream that breaks there is the beginning of a long call, unless calls are checked
// first.
func TestLive(t *testing.T) {
	location := strings.Repeat(`Chapter "one": é 😀\n`, 400)
	text := `Here: a <<call>getWeather location="` + strings.ReplaceAll(location, `"`, `\"`) + `"</call>`
	for api, request := range liveRequests {
		const half = 150_000 // bytes of the stream
		got, _ := live(t, api, request, text, Options{}, half)
		if len(got.Calls) != 1 || len(got.Calls[0].Arguments) < 2*defaultLiveAfter || !strings.HasPrefix(got.Calls[0].Arguments, `{"location":"Chapter \"one\": é 😀\nChapter`) || json.Valid([]byte(got.Calls[0].Arguments)) {
			t.Errorf("%s: of a stream that breaks there are %.3000v", api, got.Calls)
		}
		for name, c := range map[string]struct {
			request string
			opts    Options
		}{
			"never":             {request, Options{LiveAfter: -1}},
			"strict":            {request, Options{Options: parse.Options{Strict: true}}},
			"a strict function": {strings.Replace(request, `"name":"getWeather"`, `"strict":true,"name":"getWeather"`, 1), Options{}},
		} {
			if got, _ := live(t, api, c.request, text, c.opts, half); len(got.Calls) != 0 {
				t.Errorf("%s, %s: %.200v", api, name, got.Calls)
			}
		}
	}
}

// TestLiveBreaks: a call that breaks while it is delivered is reported, and its arguments
// are visibly incomplete. A short one is corrected.
func TestLiveBreaks(t *testing.T) {
	long := strings.Repeat("so on and on ", 200)
	for name, text := range map[string]string{
		"a quote": `<call>getWeather location="` + long + `"he said" units=metric</call>`,
		"the end": `<call>getWeather location="` + long,
		"behind":  `<call>getWeather {"location":"` + long + `"} x</call> <call>getWeather location=Rome</call>`,
	} {
		for api, request := range liveRequests {
			got, asked := live(t, api, request, text, Options{}, 0)
			if len(got.Calls) != 1 || asked != 1 || !strings.Contains(got.Text, "<tool-error name=\"getWeather\">") {
				t.Errorf("%s, %s: asked %d times, %.400v", api, name, asked, fmt.Sprint(got))
				continue
			}
			if want := map[string]string{chat: "tool_calls", messages: "tool_use", "/responses": "completed"}[api]; got.Finish != want {
				t.Errorf("%s, %s: it ends with %s", api, name, got.Finish)
			}
			var v any
			arguments := got.Calls[0].Arguments
			for _, end := range []string{"", `"`, "}", `"}`, "]", "}}", "]}", `"}]}`, `"]}`, "]}}", "}]}"} {
				if json.Unmarshal([]byte(arguments+end), &v) == nil {
					t.Errorf("%s, %s: with %q behind it is JSON: …%s", api, name, end, arguments[len(arguments)-20:])
				}
			}
		}
	}
}

// TestLiveRepair: what was delivered as it arrived is not taken back, and drift that leaves
// it standing is read as ever.
func TestLiveRepair(t *testing.T) {
	long := strings.Repeat("so on ", 400)
	const tool = `{"type":"function","function":{"name":"t","parameters":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}}}`
	request := strings.Replace(weatherRequest, weatherTool, tool, 1)
	for text, want := range map[string]string{
		`<call>t {"s":"` + long + `","n":"7"}</call>`: `{"s":"` + long + `","n":"7"}`,
		`<call>t {"n":"7","s":"` + long + `"}</call>`: `{"n":"7","s":"` + long + `"}`,
		`<call>t s="` + long + `", n=7</call>`:        `{"s":"` + long + `","n":7}`,
		`<call>t s="` + long + `" n=null</call>`:      `{"s":"` + long + `"}`,
	} {
		if got, _ := live(t, chat, request, text, Options{}, 0); len(got.Calls) != 1 || got.Calls[0].Arguments != want {
			t.Errorf("%.20s…: %.3000v", text, got.Calls)
		}
	}
}
