package middleware

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// plain sends a request under exactly these options, and returns the status, the body
// and the model.
func plain(t *testing.T, opts Options, path, request string, m *scripted.Model) (int, string) {
	t.Helper()
	req, err := http.NewRequest("POST", "http://upstream.test"+path, strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&Transport{Base: m, Options: opts}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(out)
}

// TestMalformedMarkup: under the defaults, a malformed call is neither markup nor an
// explanation in the text, and a call that is cut off is nothing at all.
func TestMalformedMarkup(t *testing.T) {
	for name, e := range endpoints {
		for text, note := range map[string]bool{
			"Let me see. <call>getWeather location=":              false,
			"Let me see. <call>getWeather location=Rome [</call>": true,
		} {
			m := &scripted.Model{Script: func(int, scripted.Request) scripted.Reply {
				r := scripted.Reply{Text: text}
				if !note {
					r.Finish = "length"
				}
				return r
			}}
			_, out := plain(t, Options{}, e.path, e.request, m)
			if strings.Contains(out, "<call") || strings.Contains(out, "tool-error") || !strings.Contains(out, "Let") ||
				strings.Contains(out, `Malformed call to \"getWeather\" removed.`) != note {
				t.Errorf("%s, %q: %s", name, text, out)
			}
		}
	}
}

// TestGeminiParts: every event of a stream has a part that is not empty.
func TestGeminiParts(t *testing.T) {
	for _, text := range []string{"Look. <call>getWeather location=Rome</call>", "<call>getWeather location=Rome</call> And", "a <b", "<think>x</think>"} {
		for delta := range 7 {
			m := &scripted.Model{Replies: []scripted.Reply{{Text: text, Reasoning: "hm"}}, Shape: scripted.Shape{Delta: delta}}
			_, out := plain(t, Options{}, geminiStream, weatherRequestG, m)
			for line := range strings.Lines(out) {
				data, ok := strings.CutPrefix(line, "data: ")
				if !ok {
					continue
				}
				var chunk struct {
					Candidates []struct {
						Content struct{ Parts []map[string]any }
					}
				}
				if err := json.Unmarshal([]byte(data), &chunk); err != nil {
					t.Fatal(err)
				}
				for _, c := range chunk.Candidates {
					if len(c.Content.Parts) == 0 || slices.ContainsFunc(c.Content.Parts, func(p map[string]any) bool { return len(p) == 0 }) {
						t.Errorf("%q: %s", text, data)
					}
				}
			}
		}
	}
}

// TestOneID: a response has one id, even if a correction continues it.
func TestOneID(t *testing.T) {
	for name, e := range endpoints {
		m := &scripted.Model{Replies: []scripted.Reply{{Text: "Look. <call>getWeather location=[</call>"}, {Text: rome}}}
		_, out := plain(t, Options{}, e.path, e.request, m)
		if len(m.Requests()) != 2 || strings.Contains(name, "whole") {
			continue
		}
		for _, id := range []string{"resp_scripted2", "msg_scripted2", "chatcmpl-scripted2", "scripted2"} {
			if strings.Contains(out, `"id":"`+id+`"`) && id != "msg_scripted2" {
				t.Errorf("%s: %s in %s", name, id, out)
			}
		}
	}
}

// TestLineEnds: events of ours end their lines as the stream does.
func TestLineEnds(t *testing.T) {
	for name, e := range endpoints {
		if strings.Contains(name, "whole") || strings.Contains(name, "ollama") {
			continue
		}
		m := &scripted.Model{Replies: []scripted.Reply{{Text: "Look. " + rome + " and"}}, Shape: scripted.Shape{CRLF: true}}
		_, out := plain(t, Options{}, e.path, e.request, m)
		if strings.Contains(strings.ReplaceAll(out, "\r\n", ""), "\n") {
			t.Errorf("%s: %q", name, out)
		}
	}
}

// TestMissingCall: a required call that never comes is one response that clients don't
// ask for again, or an error at the end of a stream.
func TestMissingCall(t *testing.T) {
	for name, e := range endpoints {
		api, isWhole := strings.CutSuffix(name, " whole")
		choice, ok := asks["required"][api]
		if !ok {
			continue
		}
		want := http.StatusOK // a stream has begun by then
		if isWhole {
			want = http.StatusUnprocessableEntity
		}
		m := &scripted.Model{Replies: []scripted.Reply{{Text: "No."}, {Text: "No!"}}}
		status, out := plain(t, Options{}, e.path, `{`+choice+`,`+e.request[1:], m)
		if status != want || !strings.Contains(out, "call-missing") || len(m.Requests()) != 2 {
			t.Errorf("%s: %d after %d requests, %s", name, status, len(m.Requests()), out)
		}
	}
}

// TestRescueTwice: a tool that is declared twice doesn't keep calls from being rescued.
func TestRescueTwice(t *testing.T) {
	body := strings.Replace(weatherRequest, `"tools":[`, `"tools":[`+weatherTool+`,`, 1)
	m := &scripted.Model{Replies: []scripted.Reply{{Text: hermes}}}
	_, out := plain(t, Options{Rescue: format.Hermes}, "/v1"+chat, body, m)
	if got := readChat(t, out, 0); len(got.Calls) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestCompressedCorrection: a compressed answer to a correction isn't read.
func TestCompressedCorrection(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	io.WriteString(w, chunks("stop", rome))
	w.Close()
	asked := 0
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		asked++
		body, header := chunks("stop", "<call>getWeather location=[</call>"), http.Header{"Content-Type": {"text/event-stream"}}
		if asked > 1 {
			header.Set("Content-Encoding", "gzip")
			body = zipped.String()
		}
		return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
	resp, err := (&Transport{Base: base}).RoundTrip(mustRequest(weatherRequest))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	if asked != 2 || err != nil || bytes.Contains(out, []byte("\x1f\x8b")) || !bytes.Contains(out, []byte("removed")) {
		t.Errorf("%d requests, %v, %q", asked, err, out)
	}
}

// TestStrippedText: the model isn't told that text was delivered that was left out.
func TestStrippedText(t *testing.T) {
	request := strings.Replace(weatherRequest, `"stream"`, `"tool_choice":"required","stream"`, 1)
	for _, c := range []struct {
		opts Options
		text string
	}{{Options{StripAll: true}, "No call here."}, {Options{}, ""}} {
		m := &scripted.Model{Replies: []scripted.Reply{{Text: c.text}, {Text: rome}}}
		plain(t, c.opts, "/v1"+chat, request, m)
		if len(m.Requests()) != 2 || strings.Contains(string(m.Requests()[1].Body), "Its text was delivered") {
			t.Errorf("%q: %d requests", c.text, len(m.Requests()))
		}
	}
}

// TestTooManyChoices: more choices than any provider sends are an error, streamed or not.
func TestTooManyChoices(t *testing.T) {
	var choices []string
	for i := range maxChoices + 1 {
		choices = append(choices, fmt.Sprintf(`{"index":%d,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}`, i))
	}
	u := &upstream{replies: []string{`{"id":"x","choices":[` + strings.Join(choices, ",") + `]}`}}
	_, err := u.try(Options{}, chat, strings.Replace(weatherRequest, `"stream":true`, `"stream":false,"n":129`, 1))
	if e, _ := err.(*Error); e == nil || e.Code != tooManyChoices {
		t.Errorf("%v", err)
	}
}

// TestThreads: a client that continues a thread with a result must send everything.
func TestThreads(t *testing.T) {
	m := &scripted.Model{}
	status, answer := plain(t, Options{}, "/v1"+messages, `{"model":"m","thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"sun"}]}]}`, m)
	if status != http.StatusNotFound || !strings.Contains(answer, `"error_code":"thread_not_found"`) || len(m.Requests()) != 0 {
		t.Errorf("%d, %s", status, answer)
	}
}

// TestAnswerFormat: an answer in JSON loses its code fence, and is asked for natively if
// it doesn't fit.
func TestAnswerFormat(t *testing.T) {
	const format = `"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}`
	for _, streams := range []string{"true", "false"} {
		request := strings.Replace(weatherRequest, `"stream":true`, format+`,"stream":`+streams, 1)
		for text, native := range map[string]bool{
			`{"n":7}`:                   false,
			"```json\n{\"n\":7}\n```":   false,
			"Here it is: {\"n\":7}":     true,
			`{"m":7}`:                   true,
			"```json\n{\"n\":[1]}\n```": true,
		} {
			m := &scripted.Model{Replies: []scripted.Reply{{Text: text}, {Text: `{"n":7}`}}, Shape: scripted.Shape{Delta: 2}}
			_, out := plain(t, Options{}, "/v1"+chat, request, m)
			got, _ := (&shape{path: chat}).readCalls(t, out, streams == "true")
			said := got.text
			requests := m.Requests()
			if said != `{"n":7}` || (len(requests) == 2) != native {
				t.Errorf("stream %s, %q: %d requests, %q", streams, text, len(requests), said)
			}
			if native && (!strings.Contains(string(requests[1].Body), format) || requests[1].Tools() != 0) {
				t.Errorf("sent %s", requests[1].Body)
			}
		}
	}
	m := &scripted.Model{Replies: []scripted.Reply{{Text: "Look. " + rome}}}
	_, out := plain(t, Options{}, "/v1"+chat, strings.Replace(weatherRequest, `"stream"`, format+`,"stream"`, 1), m)
	if got := readChat(t, out, 0); got.Text != "Look. " || len(got.Calls) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestMemoryFollowsBytes: a body that has not arrived takes no memory.
func TestMemoryFollowsBytes(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			req := mustRequest("")
			req.Body = io.NopCloser(io.MultiReader(strings.NewReader("x"), failingReader{io.ErrUnexpectedEOF}))
			req.ContentLength = 30_000_000
			Middleware(Options{})(req, nil)
		}
	})
	if got := result.AllocedBytesPerOp(); got > 64<<10 {
		t.Errorf("%d bytes", got)
	}
}

// TestEmptyContents: Gemini contents without anything in them are not sent.
func TestEmptyContents(t *testing.T) {
	body := strings.Replace(weatherRequestG, `"contents":[`, `"contents":[{"role":"model","parts":[]},{"role":"model","parts":[{"text":""}]},{"role":"model","parts":[{"text":""},{"text":"x"}]},`, 1)
	req, _ := http.NewRequest("POST", "http://upstream.test"+geminiPath, strings.NewReader(body))
	m := &scripted.Model{Replies: []scripted.Reply{{Text: "Hi."}}}
	_, err := (&Transport{Base: m}).RoundTrip(req)
	out := string(m.Requests()[0].Body)
	if err != nil || strings.Contains(out, `"parts":[]`) || strings.Contains(out, `{"text":""}`) || !strings.Contains(out, `"parts":[{"text":"x"}]`) {
		t.Errorf("%v, sent %s", err, out)
	}
}
