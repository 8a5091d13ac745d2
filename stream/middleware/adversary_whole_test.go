package middleware

import (
	"bytes"
	"encoding/json"
	"github.com/callwire/callwire/parse"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// whole makes up a reply that is not streamed.
func (a *adversary) whole() string {
	a.say()
	said := a.string(a.text)
	switch a.api {
	case chat:
		if a.rare(3) {
			said = "[" + a.object("text", said, "type", `"text"`) + "]"
		}
		message := a.object("content", said, "role", `"assistant"`, "refusal", a.one("", "null"), "reasoning_content", a.one("", `"<call>getWeather location=Oslo</call>"`))
		choice := a.object("message", message, "index", "0", "finish_reason", a.one(`"stop"`, `"eos"`, `"end_turn"`), "logprobs", a.one("", "null"))
		return a.object("choices", "["+choice+"]", "id", `"c"`, "object", `"chat.completion"`, "usage", a.one("", "null", `{"prompt_tokens":1}`))
	case messages:
		return a.object("content", "["+a.one("", `{"type":"thinking","thinking":"<call>getWeather location=Oslo</call>"},`)+a.object("text", said, "type", `"text"`)+"]",
			"id", `"m"`, "type", `"message"`, "role", `"assistant"`, "stop_reason", `"end_turn"`)
	case "/responses":
		part := a.object("text", said, "type", `"output_text"`, "annotations", a.one("", "[]"))
		item := a.object("content", "["+part+"]", "id", `"i"`, "type", `"message"`, "status", `"completed"`, "role", `"assistant"`)
		return a.object("output", "["+item+"]", "id", `"r"`, "object", `"response"`, "status", `"completed"`)
	case geminiPath:
		content := a.object("parts", "["+a.object("text", said)+"]", "role", a.one("", `"model"`))
		return a.object("candidates", "["+a.object("content", content, "finishReason", `"STOP"`)+"]", "responseId", `"r"`)
	}
	return a.object("message", a.object("content", said, "role", `"assistant"`, "thinking", a.one("", `"<call>getWeather location=Oslo</call>"`)), "done", "true", "done_reason", `"stop"`)
}

// calledIn returns the arguments of the calls of getWeather that stand anywhere in v.
func calledIn(v any) (calls []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			calls = append(calls, calledIn(e)...)
		}
	case map[string]any:
		for _, key := range []string{"arguments", "args", "input"} {
			if arguments, ok := v[key]; ok && v["name"] == "getWeather" {
				text, isText := arguments.(string)
				if !isText {
					b, _ := json.Marshal(arguments) // of values that were read
					text = string(b)
				}
				return append(calls, text)
			}
		}
		for _, key := range []string{"choices", "message", "tool_calls", "function", "content", "output", "candidates", "parts", "functionCall"} {
			calls = append(calls, calledIn(v[key])...)
		}
	}
	return calls
}

// TestAdversaryWhole is TestAdversary for replies that are not streamed: what comes out is
// JSON with the calls that the text means, and a reply that is damaged has none.
func TestAdversaryWhole(t *testing.T) {
	catalog := compileTools(t, "["+weatherToolA+"]")
	met := 0
	for seed := range someAdversaries() {
		a := newAdversary(seed, 17)
		reply := a.whole()
		damaged := a.rare(6)
		if damaged {
			reply = reply[:a.IntN(len(reply))]
		}
		opts := Options{Options: parse.Options{AllowAfterMalformed: a.rare(2)}, Retries: -1}
		body := strings.Replace(strings.Replace(a.request(), `"stream":true,`, "", 1), "{", `{"stream":false,`, 1)
		req, err := http.NewRequest("POST", "http://upstream.test/v1"+a.api, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := Middleware(shown(opts))(req, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(reply))}, nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		out, err := io.ReadAll(resp.Body)
		if damaged {
			if string(out) != reply && err == nil {
				t.Fatalf("seed %d: %q became %q", seed, reply, out)
			}
			continue
		}
		var v any
		if err != nil || json.Unmarshal(bytes.TrimSpace(out), &v) != nil {
			t.Fatalf("seed %d: %v, %q of\n%s", seed, err, out, reply)
		}
		calls, want := calledIn(v), a.meant(t, catalog, opts)
		for i := range calls {
			calls[i] = sameJSON(t, calls[i])
		}
		if strings.Contains(a.text, "<tool-") { // what comes after an invented result is cut
			want = want[:min(len(calls), len(want))]
		}
		met += len(want)
		if !slices.Equal(calls, want) {
			t.Fatalf("seed %d, %+v: %q, not %q, of %q\n%s\n%s", seed, opts, calls, want, a.text, reply, out)
		}
	}
	if met < int(*adversaries)/4 {
		t.Errorf("only %d calls", met)
	}
}
