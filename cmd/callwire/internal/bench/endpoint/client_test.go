package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/sig"
)

const key = "sk-secret-0123456789"

// answering returns a server that answers every request with the next of the
// handlers, and the last one ever after.
func answering(t *testing.T, handlers ...http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		io.Copy(io.Discard, r.Body) // or the server does not see that the client has gone
		handlers[min(i, len(handlers)-1)](w, r)
	}))
	t.Cleanup(server.Close)
	return server, &n
}

// says answers with a status and a body.
func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func client(t *testing.T, url string, api API, o Options) *Client {
	t.Helper()
	o.Key, o.Pause = key, time.Millisecond
	c, err := New(url, api, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var question = Request{Model: "m", System: "You are the helper of a very secret person.", MaxTokens: 100,
	Messages: []Message{{Role: "user", Text: "What is the weather in New York? It is for my secret journey."}}}

const openAIStream = `data: {"choices":[{"delta":{"role":"assistant","content":"Let "}}]}

data: {"choices":[{"delta":{"content":"me see."}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"t","arguments":""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"c2","function":{"name":"u","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":12,"prompt_tokens_details":{"cached_tokens":20},"completion_tokens_details":{"reasoning_tokens":5}}}

data: [DONE]

`

const openAIWhole = `{"choices":[{"message":{"content":"Let me see.","tool_calls":[{"id":"c1","function":{"name":"t","arguments":"{\"a\":1}"}},{"id":"c2","function":{"name":"u","arguments":"{}"}}]},"finish_reason":"tool_calls"}],
"usage":{"prompt_tokens":30,"completion_tokens":12,"prompt_tokens_details":{"cached_tokens":20},"completion_tokens_details":{"reasoning_tokens":5}}}`

const anthropicStream = `event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":20,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me "}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"see."}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"t","input":{}}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1}"}}

data: {"type":"content_block_stop","index":1}

data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c2","name":"u","input":{}}}

data: {"type":"content_block_stop","index":2}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":12}}

data: {"type":"message_stop"}

`

const anthropicWhole = `{"type":"message","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"c1","name":"t","input":{"a":1}},{"type":"tool_use","id":"c2","name":"u","input":{}}],
"stop_reason":"tool_use","usage":{"input_tokens":10,"cache_read_input_tokens":20,"output_tokens":12}}`

// TestAsk reads the same answer in every shape in which it comes.
func TestAsk(t *testing.T) {
	for name, c := range map[string]struct {
		api  API
		kind string
		body string
	}{
		"openai stream":    {OpenAI, "text/event-stream", openAIStream},
		"openai CR LF":     {OpenAI, "text/event-stream", strings.ReplaceAll(openAIStream, "\n", "\r\n")},
		"openai no type":   {OpenAI, "text/plain", openAIStream},
		"openai whole":     {OpenAI, "application/json", openAIWhole},
		"anthropic stream": {Anthropic, "text/event-stream", anthropicStream},
		"anthropic whole":  {Anthropic, "application/json", anthropicWhole},
	} {
		var path, authorization string
		server, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
			path, authorization = r.URL.Path, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")
			says(200, c.kind, c.body)(w, r)
		})
		var seen strings.Builder
		a, err := client(t, server.URL, c.api, Options{}).Ask(context.Background(), question, func() Watch {
			return func(delta string, _ time.Duration) { seen.WriteString(delta) }
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		usage := record.Usage{Input: 30, CacheRead: 20, Output: 12}
		if c.api == OpenAI {
			usage.Reasoning = 5
		}
		if a.Text != "Let me see." || seen.String() != a.Text || a.Usage != usage || a.FirstCall == 0 || a.FirstByte == 0 || a.Total < a.FirstCall {
			t.Errorf("%s: %+v", name, a)
		}
		if got := fmt.Sprint(a.Calls); got != `[{c1 t {"a":1}} {c2 u {}}]` {
			t.Errorf("%s: %s", name, got)
		}
		if want := map[API]string{OpenAI: "/v1/chat/completionsBearer " + key, Anthropic: "/v1/messages" + key}[c.api]; path+authorization != want {
			t.Errorf("%s: asked %s%s", name, path, authorization)
		}
	}
}

// TestRetries: the endpoint is asked again where it fails for a while, and is left
// alone as long as it says.
func TestRetries(t *testing.T) {
	broken := openAIStream[:strings.Index(openAIStream, "u\"")]
	server, n := answering(t,
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "0.2")
			says(429, "application/json", `{"error":{"message":"slow down"}}`)(w, r)
		},
		says(500, "text/html", "<html>oops"),
		says(200, "text/event-stream", broken),
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "10000") // and then the connection is cut
			says(200, "text/event-stream", broken)(w, r)
		},
		says(200, "text/event-stream", openAIStream))
	start := time.Now()
	watches := 0
	a, err := client(t, server.URL, OpenAI, Options{Retries: 4}).Ask(context.Background(), question, func() Watch { watches++; return nil })
	if err != nil || a.Tries != 4 || n.Load() != 5 || watches != 5 || len(a.Calls) != 2 || a.Text != "Let me see." {
		t.Errorf("%+v, %v after %d requests", a, err, n.Load())
	}
	if waited := time.Since(start); waited < 200*time.Millisecond {
		t.Errorf("waited %s, not as long as it was told", waited)
	}
	server, n = answering(t, says(503, "text/plain", "later"))
	_, err = client(t, server.URL, OpenAI, Options{Retries: 2}).Ask(context.Background(), question, nil)
	if e := new(Error); !errors.As(err, &e) || e.Code != Failing || e.Status != 503 || n.Load() != 3 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
}

// TestBadEndpoints: each ends in one line that says what is wrong, with neither
// the key nor what was asked.
func TestBadEndpoints(t *testing.T) {
	secure := httptest.NewTLSServer(says(200, "application/json", openAIWhole))
	defer secure.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	plain, _ := answering(t, says(200, "application/json", openAIWhole))
	echo := `{"error":{"message":"wrong key ` + key[:12] + `*** for: ` + question.Messages[0].Text + `\n\tsorry"}}`
	for name, c := range map[string]struct {
		url  string
		code Code
		says http.HandlerFunc
	}{
		"HTML":             {"", HTML, says(200, "text/html", "<!DOCTYPE html>\n<title>Welcome</title>")},
		"wrong JSON":       {"", NotJSON, says(200, "application/json", `{"hello":"world"}`)},
		"a JSON string":    {"", NotJSON, says(200, "application/json", `"hello"`)},
		"no JSON":          {"", NotJSON, says(200, "text/plain", "hello")},
		"nothing":          {"", NotJSON, says(200, "application/json", "")},
		"no JSON in event": {"", NotJSON, says(200, "text/event-stream", "data: {oops\n\n")},
		"an empty stream":  {"", NotJSON, says(200, "text/event-stream", ": nothing\n\n")},
		"401":              {"", Unauthorized, says(401, "application/json", echo)},
		"403":              {"", Unauthorized, says(403, "text/html", "<html>")},
		"404":              {"", NotFound, says(404, "text/plain", "404 page not found")},
		"400":              {"", Refused, says(400, "application/json", echo)},
		"a redirect": {"", Redirect, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, plain.URL, http.StatusTemporaryRedirect)
		}},
		"error in stream": {"", Broken, says(200, "text/event-stream", "data: "+echo+"\n\n")},
		"TLS":             {secure.URL, TLS, nil},
		"no TLS":          {strings.Replace(plain.URL, "http:", "https:", 1), TLS, nil},
		"nobody":          {gone.URL, Unreachable, nil},
		"no host":         {"http://nowhere.invalid", Unreachable, nil},
	} {
		if c.url == "" {
			server, _ := answering(t, c.says)
			c.url = server.URL
		}
		_, err := client(t, c.url, OpenAI, Options{}).Ask(context.Background(), question, nil)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
			continue
		}
		for _, secret := range []string{key[:8], "secret", "New York", "\n", "\t"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %q is in %q", name, secret, err)
			}
		}
	}
}

// TestSilence: an endpoint that hangs is left, within its answer too.
func TestSilence(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	for name, before := range map[string]string{"before": "", "within": openAIStream[:60]} {
		server, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, before)
			if before != "" {
				w.(http.Flusher).Flush()
			}
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		})
		_, err := client(t, server.URL, OpenAI, Options{Silence: 50 * time.Millisecond}).Ask(context.Background(), question, nil)
		if e := new(Error); !errors.As(err, &e) || e.Code != Slow {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	server, _ := answering(t, func(w http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if _, err := client(t, server.URL, OpenAI, Options{Retries: 3}).Ask(ctx, question, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBody: a conversation with calls, as either API wants it.
func TestBody(t *testing.T) {
	temperature, seed := 0.5, int64(7)
	r := Request{Model: "m", System: "s", MaxTokens: 9, Temperature: &temperature, Seed: &seed,
		Tools: []*sig.Tool{{Name: "t", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []Message{
			{Role: "user", Text: "q"},
			{Role: "assistant", Calls: []Call{{"c1", "t", `{"a":1}`}, {"c2", "t", `{"a":`}}},
			{Role: "user", Results: []Result{{"c1", "fine", false}, {"c2", "no JSON", true}}},
		},
		Extra: map[string]json.RawMessage{"max_tokens": json.RawMessage("null"), "top_p": json.RawMessage("1")}}
	for api, want := range map[API]string{
		OpenAI:    `{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{\"a\":1}"}},{"id":"c2","type":"function","function":{"name":"t","arguments":"{\"a\":"}}]},{"role":"tool","content":"fine","tool_call_id":"c1"},{"role":"tool","content":"no JSON","tool_call_id":"c2"}],"model":"m","seed":7,"stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object"}}}],"top_p":1}`,
		Anthropic: `{"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"t","input":{"a":1}},{"type":"tool_use","id":"c2","name":"t","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"fine"},{"type":"tool_result","tool_use_id":"c2","content":"no JSON","is_error":true}]}],"model":"m","stream":true,"system":"s","temperature":0.5,"tools":[{"name":"t","description":"d","input_schema":{"type":"object"}}],"top_p":1}`,
	} {
		got, err := r.Body(api, true)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n got %s\nwant %s", api, err, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, url := range []string{"", "localhost:8080", "ftp://x", "https://user:password@x", "https://x?key=1", "://"} {
		if _, err := New(url, OpenAI, Options{}); err == nil || strings.Contains(err.Error(), "password") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := New("http://x", "gemini", Options{}); err == nil {
		t.Error("an API that there is not")
	}
	for base, want := range map[string]string{"http://x": "http://x", "http://x/v1/": "http://x/v1"} {
		if c, err := New(base, OpenAI, Options{}); err != nil || c.Name() != want || c.url.Path != "/v1/chat/completions" {
			t.Errorf("%s: %v, %v", base, c, err)
		}
		if c, err := New(base, Anthropic, Options{}); err != nil || c.url.Path != "/v1/messages" {
			t.Errorf("%s: %v, %v", base, c, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]string{
		"":                              "<nil>",
		"soon":                          "<nil>",
		"2":                             "retry after 2s",
		"1e9":                           "retry after 10m0s",
		"-3":                            "retry after 0s",
		"Thu, 01 Jan 2026 00:00:07 GMT": "retry after 7s",
	} {
		if got := fmt.Sprint(retryAfter(value, now)); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

// refusing is a meter without leave.
// TestEcho: an endpoint that repeats what it was sent does not get the key into an
// answer, from where it would get into files.
func TestEcho(t *testing.T) {
	for _, api := range []API{OpenAI, Anthropic} {
		server, _ := answering(t, says(200, "application/json", map[API]string{
			OpenAI:    `{"choices":[{"message":{"content":"you sent ` + key + `","tool_calls":[{"id":"` + key + `","function":{"name":"f` + key + `","arguments":"{\"a\":\"` + key + `\"}"}}]},"finish_reason":"` + key + `"}]}`,
			Anthropic: `{"type":"message","content":[{"type":"text","text":"you sent ` + key + `"},{"type":"tool_use","id":"` + key + `","name":"f` + key + `","input":{"a":"` + key + `"}}],"stop_reason":"` + key + `"}`,
		}[api]))
		a, err := client(t, server.URL, api, Options{}).Ask(context.Background(), question, nil)
		if err != nil || a.Text != "you sent •••" || len(a.Calls) != 1 || strings.Contains(fmt.Sprint(a), key) {
			t.Errorf("%s: %+v, %v", api, a, err)
		}
	}
}

// TestLost: what tries took that were of no use is told beside what the answer took.
func TestLost(t *testing.T) {
	cut := `data: {"choices":[{"delta":{"content":"Let"}}],"usage":{"prompt_tokens":30,"completion_tokens":3}}` + "\n\n"
	server, _ := answering(t, says(200, "text/event-stream", cut), says(500, "application/json", "{}"), says(200, "application/json", openAIWhole))
	a, err := client(t, server.URL, OpenAI, Options{Retries: 3}).Ask(context.Background(), question, nil)
	if want := (record.Usage{Input: 30, Output: 3}); err != nil || a.Lost != want || a.Usage.Output != 12 || a.Tries != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	server, _ = answering(t, says(200, "text/event-stream", cut))
	a, err = client(t, server.URL, OpenAI, Options{Retries: 1}).Ask(context.Background(), question, nil)
	if want := (record.Usage{Input: 60, Output: 6}); err == nil || a == nil || a.Lost != want {
		t.Errorf("%+v, %v", a, err)
	}
}

type refusing struct{ asked, most int }

func (m *refusing) Reserve(model string, bytes, maxTokens int) (func(*record.Usage), error) {
	m.asked, m.most = bytes, maxTokens
	return nil, errors.New("100 of 100 tokens")
}

func TestMeter(t *testing.T) {
	server, n := answering(t, says(200, "application/json", openAIWhole))
	var m refusing
	_, err := client(t, server.URL, OpenAI, Options{Meter: &m, Retries: 3}).Ask(context.Background(), question, nil)
	if e := new(Error); !errors.As(err, &e) || e.Code != OverBudget || n.Load() != 0 || m.asked < 100 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
	for extra, want := range map[string]int{
		`{}`: 100, `{"max_tokens":null}`: 0, `{"max_tokens":7}`: 7, `{"max_tokens":null,"max_completion_tokens":900}`: 900,
		`{"max_completion_tokens":900}`: 900, `{"n":3}`: 300, `{"max_tokens":"many"}`: 0,
	} {
		r := question
		if err := json.Unmarshal([]byte(extra), &r.Extra); err != nil {
			t.Fatal(err)
		}
		client(t, server.URL, OpenAI, Options{Meter: &m}).Ask(context.Background(), r, nil)
		if m.most != want || (r.Most() > 0) != (want > 0) {
			t.Errorf("%s: %d tokens, want %d", extra, m.most, want)
		}
	}
}
