package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	responsesPath = "/v1/responses"
	openAIPath    = "/v1/chat/completions"
	anthropicPath = "/v1/messages"
	text          = "Grüße 🎉\n<call>t s=\"a b\" n=1</call> & done."
)

// shapes are those that a stream can have, and a few together.
var shapes = []Shape{
	{},
	{Delta: 1},
	{Delta: 3, Write: 1},
	{Write: 7, CRLF: true},
	{Tight: true, Comments: true},
	{Names: true, Fold: true},
	{ASCII: true, NoDone: true},
	{Delta: 2, Write: 1, CRLF: true, Tight: true, Comments: true, Names: true, Fold: true, ASCII: true, NoDone: true},
}

// post sends a request to a transport and returns the answer, read.
func post(t *testing.T, base http.RoundTripper, url, body string) (*http.Response, string) {
	t.Helper()
	client := http.Client{Transport: base}
	answer, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(read)
}

// dataOf reads a stream as the standard says, and returns the data of its
// events.
func dataOf(stream string) []string {
	var data []string
	for _, block := range strings.Split(strings.ReplaceAll(stream, "\r\n", "\n"), "\n\n") {
		var lines []string
		for _, line := range strings.Split(block, "\n") {
			if field, value, _ := strings.Cut(line, ":"); field == "data" {
				lines = append(lines, strings.TrimPrefix(value, " "))
			}
		}
		if lines != nil {
			data = append(data, strings.Join(lines, "\n"))
		}
	}
	return data
}

// chunk is an event of either interface.
type chunk struct {
	ID      string
	Choices []struct {
		Index        int
		FinishReason *string `json:"finish_reason"`
		Delta        struct {
			Content   string
			Reasoning string `json:"reasoning_content"`
		}
	}
	Usage *struct {
		Total int `json:"total_tokens"`
	}
	Type  string
	Delta struct {
		Text, Thinking string
		StopReason     string `json:"stop_reason"`
	}
}

func TestStreams(t *testing.T) {
	for _, path := range []string{openAIPath, anthropicPath} {
		for _, shape := range shapes {
			for _, network := range []bool{false, true} {
				name := fmt.Sprintf("%s %+v network %t", path, shape, network)
				m := &Model{Replies: []Reply{{Text: text, Reasoning: "Hm, 7."}}, Shape: shape}
				base, url := http.RoundTripper(m), "http://model"
				if network {
					server := httptest.NewServer(m)
					defer server.Close()
					base, url = nil, server.URL
				}
				answer, stream := post(t, base, url+path, `{"stream":true,"model":"m","stream_options":{"include_usage":true}}`)
				if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
					t.Errorf("%s: %s", name, kind)
				}
				var wrote, thought, stop string
				usages := 0
				data := dataOf(stream)
				if path == openAIPath && !shape.NoDone {
					if data[len(data)-1] != "[DONE]" {
						t.Errorf("%s: ends with %s", name, data[len(data)-1])
					}
					data = data[:len(data)-1]
				}
				for _, d := range data {
					var c chunk
					if err := json.Unmarshal([]byte(d), &c); err != nil {
						t.Fatalf("%s: %v in %s", name, err, d)
					}
					wrote += c.Delta.Text
					thought += c.Delta.Thinking
					stop += c.Delta.StopReason
					for _, choice := range c.Choices {
						wrote += choice.Delta.Content
						thought += choice.Delta.Reasoning
						if choice.FinishReason != nil {
							stop += *choice.FinishReason
						}
					}
					if c.Usage != nil && c.Usage.Total > 0 {
						usages++
					}
				}
				if wrote != text || thought != "Hm, 7." {
					t.Errorf("%s: wrote %q, thought %q", name, wrote, thought)
				}
				if want := map[string]string{openAIPath: "stop1", anthropicPath: "end_turn0"}[path]; stop+fmt.Sprint(usages) != want {
					t.Errorf("%s: stops by %q with %d usages, want %s", name, stop, usages, want)
				}
				if shape.ASCII && strings.ContainsFunc(stream, func(r rune) bool { return r >= utf8.RuneSelf }) {
					t.Errorf("%s: %q", name, stream)
				}
			}
		}
	}
}

// TestPieces: without a network, a Read returns what arrives at once.
func TestPieces(t *testing.T) {
	for _, write := range []int{1, 5} {
		m := &Model{Replies: []Reply{{Text: text}}, Shape: Shape{Write: write}}
		answer := send(t, context.Background(), m)
		buf := make([]byte, 100)
		for n, err := 0, error(nil); err == nil; {
			if n, err = answer.Body.Read(buf); n > write {
				t.Fatalf("%d bytes at once", n)
			}
		}
	}
	m := &Model{Replies: []Reply{{Text: text}}}
	answer := send(t, context.Background(), m)
	answer.Body.Read(make([]byte, 1))
	buf := make([]byte, 10000)
	n, _ := answer.Body.Read(buf)
	if got := string(buf[:n]); !strings.HasPrefix(got, "ata: {") || !strings.HasSuffix(got, "}\n\n") || strings.Count(got, "\n") != 2 {
		t.Errorf("an event is %q", got)
	}
}

// send asks for a stream and returns the answer, unread.
func send(t *testing.T, ctx context.Context, m *Model) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, "POST", "http://model"+openAIPath, strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := m.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestWhole(t *testing.T) {
	reply := Reply{Text: text, More: []string{"two"}, Finish: "length", Reasoning: "Hm."}
	m := &Model{Replies: []Reply{reply, reply}, Shape: Shape{Write: 1}}
	_, body := post(t, m, "http://model"+openAIPath, `{"model":"m"}`)
	want := `{"id":"chatcmpl-scripted1","object":"chat.completion","created":1700000000,"model":"m","system_fingerprint":"fp_scripted",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":"Grüße 🎉\n<call>t s=\"a b\" n=1</call> & done.","refusal":null,"reasoning_content":"Hm."},"logprobs":null,"finish_reason":"length"},` +
		`{"index":1,"message":{"role":"assistant","content":"two","refusal":null,"reasoning_content":"Hm."},"logprobs":null,"finish_reason":"length"}],` +
		`"usage":{"prompt_tokens":4,"completion_tokens":14,"total_tokens":18}}`
	if body != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
	_, body = post(t, m, "http://model"+anthropicPath, `{"model":"m"}`)
	want = `{"id":"msg_scripted2","type":"message","role":"assistant","model":"m",` +
		`"content":[{"type":"thinking","thinking":"Hm.","signature":"c2NyaXB0ZWQ="},{"type":"text","text":"Grüße 🎉\n<call>t s=\"a b\" n=1</call> & done."}],` +
		`"stop_reason":"max_tokens","stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":13}}`
	if body != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

// TestFailures: a failure has a reason, in a shape that clients read.
func TestFailures(t *testing.T) {
	m := &Model{Replies: []Reply{{Raw: "busy", Status: 503, ContentType: "text/plain", Header: http.Header{"Retry-After": {"1"}}}}}
	answer, body := post(t, m, "http://model"+openAIPath, "{}")
	if answer.StatusCode != 503 || body != "busy" || answer.Header.Get("Retry-After") != "1" || answer.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("%v %s", answer, body)
	}
	for path, status := range map[string]int{openAIPath: 500, "/v1/models": 404} {
		answer, body = post(t, m, "http://model"+path, "{}")
		if answer.StatusCode != status || !strings.HasPrefix(body, `{"type":"error","error":{"type":"scripted_model","message":"`) {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
	if answer, err := (&http.Client{Transport: m}).Get("http://model" + openAIPath); err != nil || answer.StatusCode != 405 {
		t.Errorf("%v %v", answer, err)
	}
}

// TestBreak breaks connections, with and without a network.
func TestBreak(t *testing.T) {
	for n := 1; n < 1000; n += 37 {
		m := &Model{Shape: Shape{Write: 10}, Script: func(int, Request) Reply { return Reply{Text: text, Break: n} }}
		body, err := io.ReadAll(send(t, context.Background(), m).Body)
		if len(body) != n || err != errBroken {
			t.Errorf("%d bytes, %v; want %d", len(body), err, n)
		}
	}
	server := httptest.NewServer(&Model{Replies: []Reply{{Text: text, Break: 20}}})
	defer server.Close()
	answer, err := http.Post(server.URL+openAIPath, "", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(answer.Body); len(body) != 20 || err == nil {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

// TestCancel: a body ends with the context of its request.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := &Model{Replies: []Reply{{Text: text}}, Shape: Shape{Pause: time.Hour}}
	answer := send(t, ctx, m)
	if _, err := answer.Body.Read(make([]byte, 10000)); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := answer.Body.Read(make([]byte, 10)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := m.RoundTrip(answer.Request); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	answer.Body.Close()
	if _, err := answer.Body.Read(make([]byte, 10)); err == nil {
		t.Error("a closed body is read")
	}
}
