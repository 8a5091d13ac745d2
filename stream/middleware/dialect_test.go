package middleware

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// askOf sends a request to a whole path, such as that of an API with a version prefix.
func askOf(t *testing.T, u *upstream, opts Options, path, body string) string {
	t.Helper()
	out, err := u.try(opts, "/.."+path, body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	geminiPath   = "/v1beta/models/gemini-2.5-pro:generateContent"
	geminiStream = "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
	ollamaPath   = "/api/chat"
)

const weatherRequestG = `{"contents":[{"role":"user","parts":[{"text":"Warm?"}]}],"tools":[{"functionDeclarations":[{"name":"getWeather","description":"Get the weather.","parameters":{"type":"OBJECT","properties":{"location":{"type":"STRING"},"days":{"type":"INTEGER"}},"required":["location"]}}]},{"googleSearch":{}}],"generationConfig":{"temperature":0}}`

// TestGemini goes through a step with a call and its result, streamed and whole.
func TestGemini(t *testing.T) {
	chunk := func(text, finish string) string {
		return `data: {"candidates":[{"content":{"parts":[{"text":` + string(rawjson.Quote(text)) + `}],"role":"model"}` + finish + `,"index":0}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":7},"modelVersion":"g","responseId":"r1"}` + "\r\n\r\n"
	}
	stop := `,"finishReason":"STOP"`
	stream := chunk("Let me see. <call>getWea", "") + chunk("ther location=Rome days=2</call>", stop)
	whole := strings.TrimSpace(strings.TrimPrefix(chunk("Let me see. <call>getWeather location=Rome days=2</call>", stop), "data: "))
	var request struct{ Tools []json.RawMessage }
	for path, reply := range map[string]string{geminiPath: whole, geminiStream: stream} {
		u := &upstream{replies: []string{reply}}
		out := askOf(t, u, Options{}, path, weatherRequestG)
		for _, want := range []string{`"functionCall":{"id":"call_`, `"name":"getWeather","args":{"location":"Rome","days":2}}`, `"text":"Let me see. "`, `"finishReason":"STOP"`, `"responseId":"r1"`, `"totalTokenCount":7`} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %s in\n%s", path, want, out)
			}
		}
		if strings.Contains(out, "<call>") {
			t.Errorf("%s: %s", path, out)
		}
		sent := u.bodies[0]
		if err := json.Unmarshal([]byte(sent), &request); err != nil || len(request.Tools) != 1 || !strings.Contains(sent, `"tools":[{"googleSearch":{}}]`) || !strings.Contains(sent, "getWeather location days?:int") || !strings.Contains(sent, `"stopSequences":["<tool-result"]`) || !strings.Contains(sent, `"systemInstruction":{"parts":[{"text":`) {
			t.Errorf("sent %s", sent)
		}
	}
	next := strings.Replace(weatherRequestG, `}],"tools"`, `},{"role":"model","parts":[{"text":"Let me see."},{"functionCall":{"id":"c","name":"getWeather","args":{"location":"Rome"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c","name":"getWeather","response":{"output":"18"}}}]}],"tools"`, 1)
	u := &upstream{replies: []string{chunk("Yes.", stop)}}
	if out := askOf(t, u, Options{}, geminiStream, next); out != u.replies[0] {
		t.Errorf("a plain answer was changed:\n%s", out)
	}
	want := `,{"role":"model","parts":[{"text":"Let me see.\n<call>getWeather location=Rome</call>"}]},{"role":"user","parts":[{"text":"<tool-result name=\"getWeather\">\n18\n</tool-result>"}]}]`
	if !strings.Contains(u.bodies[0], want) {
		t.Errorf("sent %s", u.bodies[0])
	}
	failed := strings.Replace(next, `"output":"18"`, `"error":"no such city"`, 1)
	askOf(t, u, Options{}, geminiPath, failed)
	if want := `"<tool-error name=\"getWeather\">\nno such city\n</tool-error>"`; !strings.Contains(u.bodies[1], want) {
		t.Errorf("sent %s", u.bodies[1])
	}
	u = &upstream{replies: []string{chunk("Let me "+broken, stop), chunk(rome, stop)}}
	if out := askOf(t, u, Options{}, geminiStream, weatherRequestG); !strings.Contains(out, `"location":"Rome"`) || !strings.Contains(out, `"totalTokenCount":14`) || !strings.Contains(u.bodies[1], `{"role":"model","parts":[{"text":"Let me <call>`) {
		t.Errorf("%s\nfor\n%s", out, u.bodies)
	}
}

// TestGeminiCandidates: each of several candidates is read by itself, and none is sent
// back, because the others were delivered.
func TestGeminiCandidates(t *testing.T) {
	request := strings.Replace(weatherRequestG, `"temperature":0`, `"candidateCount":2`, 1)
	candidate := func(index int, text, finish string) string {
		return fmt.Sprintf(`{"content":{"parts":[{"text":%s}],"role":"model"},"index":%d%s}`, rawjson.Quote(text), index, finish)
	}
	const stop = `,"finishReason":"STOP"`
	whole := `{"candidates":[` + candidate(0, "So "+rome, stop) + "," + candidate(1, "No "+broken, stop) + `]}`
	stream := ""
	for _, c := range []string{candidate(0, "So <call>getWea", ""), candidate(1, "No "+broken[:9], ""), candidate(1, broken[9:], stop), candidate(0, "ther location=Rome</call>", stop)} {
		stream += `data: {"candidates":[` + c + "]}\n\n"
	}
	for path, reply := range map[string]string{geminiPath: whole, geminiStream: stream} {
		u := &upstream{replies: []string{reply, reply}}
		out := askOf(t, u, Options{}, path, request)
		if len(u.bodies) != 1 {
			t.Fatalf("%s: asked %d times", path, len(u.bodies))
		}
		said, calls := make([]string, 2), make([]string, 2)
		for line := range strings.Lines(out) {
			var chunk struct {
				Candidates []struct {
					Index   int
					Content struct {
						Parts []struct {
							Text         string
							FunctionCall json.RawMessage
						}
					}
				}
			}
			if line = strings.TrimPrefix(strings.TrimSpace(line), "data: "); line == "" {
				continue
			}
			if err := json.Unmarshal([]byte(line), &chunk); err != nil {
				t.Fatalf("%s: %v in %q", path, err, line)
			}
			for _, c := range chunk.Candidates {
				for _, p := range c.Content.Parts {
					said[c.Index] += p.Text
					calls[c.Index] += string(p.FunctionCall)
				}
			}
		}
		if said[0] != "So " || !strings.Contains(calls[0], `"args":{"location":"Rome"}`) || !strings.HasPrefix(said[1], "No "+broken+"\n<tool-error") || calls[1] != "" {
			t.Errorf("%s: %q and %q in\n%s", path, said, calls, out)
		}
	}
}

const weatherRequestO = `{"model":"m","messages":[{"role":"user","content":"Warm?"}],"tools":[` + weatherTool + `]}`

// TestOllama goes through a step with a call and its result, in lines and whole.
func TestOllama(t *testing.T) {
	line := func(content, rest string) string {
		return `{"model":"m","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":` + string(rawjson.Quote(content)) + `},` + rest + "}\n"
	}
	const going, done = `"done":false`, `"done_reason":"stop","done":true,"prompt_eval_count":5,"eval_count":7`
	for name, c := range map[string]struct{ request, reply, kind string }{
		"stream": {weatherRequestO, line("Let me see. ", going) + line("<call>getWeather loc", going) + line("ation=Rome</call>", going) + line("", done), "application/x-ndjson"},
		"whole":  {strings.Replace(weatherRequestO, `"model"`, `"stream":false,"model"`, 1), line("Let me see. "+rome, done), "application/json"},
	} {
		u := &upstream{replies: []string{c.reply}, kind: c.kind, cuts: []byte{7}}
		out := askOf(t, u, Options{}, ollamaPath, c.request)
		var text strings.Builder
		var calls []string
		ended := false
		for l := range strings.Lines(out) {
			var m struct {
				Message struct {
					Role, Content string
					Calls         []struct {
						Function struct {
							Name      string
							Arguments json.RawMessage
						}
					} `json:"tool_calls"`
				}
				Done  bool
				Count int `json:"eval_count"`
			}
			if err := json.Unmarshal([]byte(l), &m); err != nil || m.Message.Role != "assistant" || ended {
				t.Fatalf("%s: %v in %q", name, err, out)
			}
			text.WriteString(m.Message.Content)
			for _, call := range m.Message.Calls {
				calls = append(calls, call.Function.Name+string(call.Function.Arguments))
			}
			if ended = m.Done; ended && m.Count != 7 {
				t.Errorf("%s: %s", name, l)
			}
		}
		if n := strings.Count(out, "\n"); n > 3 {
			t.Errorf("%s: %d lines for a text, a call and the end:\n%s", name, n, out)
		}
		if text.String() != "Let me see. " || len(calls) != 1 || calls[0] != `getWeather{"location":"Rome"}` || !ended {
			t.Errorf("%s: %q %q in\n%s", name, text.String(), calls, out)
		}
	}
	next := strings.Replace(weatherRequestO, `}],"tools"`, `},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"getWeather","arguments":{"location":"Rome"}}}]},{"role":"tool","tool_name":"getWeather","content":"18"}],"tools"`, 1)
	u := &upstream{replies: []string{line("Yes.", done)}, kind: "application/x-ndjson"}
	if out := askOf(t, u, Options{}, ollamaPath, next); out != u.replies[0] {
		t.Errorf("a plain answer was changed:\n%s", out)
	}
	if !strings.Contains(u.bodies[0], rome) || !strings.Contains(u.bodies[0], `<tool-result name=\"getWeather\">\n18\n`) {
		t.Errorf("sent %s", u.bodies[0])
	}
	foreign := strings.Replace(next, `"content":"18"`, `"content":[{"type":"tool_result","tool_use_id":"9","content":"18"}]`, 1)
	u = &upstream{replies: []string{line("Yes.", done)}, kind: "application/x-ndjson"}
	if askOf(t, u, Options{}, ollamaPath, foreign); !strings.Contains(u.bodies[0], `<tool-result name=\"getWeather\">\n18\n`) {
		t.Errorf("sent %s", u.bodies[0])
	}
	u = &upstream{replies: []string{line("Let me "+broken, going) + line("", done), line(rome, going) + line("", done)}, kind: "application/x-ndjson"}
	if out := askOf(t, u, Options{}, ollamaPath, weatherRequestO); !strings.Contains(out, `"location":"Rome"`) || !strings.Contains(out, `"prompt_eval_count":10,"eval_count":14`) || len(u.bodies) != 2 {
		t.Errorf("%s\nfor\n%s", out, u.bodies)
	}
}

// TestSigned: a request that is signed stays as it is.
func TestSigned(t *testing.T) {
	req, _ := http.NewRequest("POST", "http://upstream.test/model/a/invoke", strings.NewReader(weatherRequestA))
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x")
	u, reason := &upstream{replies: []string{"{}"}}, ""
	opts := Options{OnRewrite: func(_ *http.Request, r Rewrite) { reason = r.Reason }}
	_, err := (&Transport{Base: u, Options: opts}).RoundTrip(req)
	if err != nil || u.bodies[0] != weatherRequestA || !strings.Contains(reason, "signed") {
		t.Errorf("%v, reason %q, sent %s", err, reason, u.bodies)
	}
}
