package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// openAIAnswer and anthropicAnswer have a call with a number for a string, and broken arguments.
const (
	openAIAnswer = `{"choices":[{"message":{"role":"assistant","content":"Let me look.","tool_calls":[
		{"id":"c1","type":"function","function":{"name":"getWeather","arguments":"{\"location\":7}"}},
		{"id":"c2","type":"function","function":{"name":"getWeather","arguments":"{\"location\":"}}]},
		"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":20,"completion_tokens":5,"cache_read_input_tokens":3,
		"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}}`
	anthropicAnswer = `{"type":"message","role":"assistant","content":[{"type":"text","text":"Let me look."},
		{"type":"tool_use","id":"c1","name":"getWeather","input":{"location":7}},
		{"type":"tool_use","id":"c2","name":"getWeather","input":{"units":"metric"}}],
		"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3,
		"cache_creation_input_tokens":7}}`
)

// TestConversation: what is sent in a conversation of two messages, natively and in text, by both
// APIs, and what is read of the answers.
func TestConversation(t *testing.T) {
	cases, _ := allCases(t)
	const text = `"Hm. <call>getWeather location=Oslo</call> <call>getWeather place=Oslo</call>"`
	var log strings.Builder
	for _, x := range []struct {
		api       manual.API
		mode, say string
	}{
		{manual.ChatCompletions, "native", openAIAnswer},
		{manual.ChatCompletions, "wire", `{"choices":[{"message":{"role":"assistant","content":` + text + `}}],"usage":{"prompt_tokens":1}}`},
		{manual.Anthropic, "native", anthropicAnswer},
		{manual.Anthropic, "wire", `{"type":"message","role":"assistant","content":[{"type":"text","text":` + text + `}],"usage":{"input_tokens":1}}`},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, x.say) }))
		defer server.Close()
		c, err := NewClient(server.URL, ClientOptions{API: x.api})
		if err != nil {
			t.Fatal(err)
		}
		one := cases[0]
		one.System = "Be brief."
		p := Plan{Client: c, Params: rawjson.Make("max_tokens", 9)}
		s, err := p.newTrial(0, &one, "m", newArm(x.mode))
		if err != nil {
			t.Fatal(err)
		}
		calls, _, err := s.ask(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			s.chat.Result(call, "18 degrees")
		}
		body, err := c.body(s.request())
		if err != nil {
			t.Fatal(err)
		}
		var sent struct{ Messages, Tools []json.RawMessage }
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Fatal(err)
		}
		s.Key, s.Group, s.Prompt, s.Time = Key{}, "", "", 0
		fmt.Fprintf(&log, "%s, %s\n%s\n", x.api, x.mode, bench.JSON(s.Record))
		if len(sent.Tools) > 0 {
			fmt.Fprintf(&log, "%s\n", sent.Tools[0])
		}
		for _, message := range sent.Messages {
			if !strings.Contains(string(message), `"system"`) {
				fmt.Fprintf(&log, "%s\n", message)
			}
		}
	}
	golden.Assert(t, log.String(), "conversations.txt")
}

// TestErrors: the code and the words for what endpoints do. The key is never shown.
func TestErrors(t *testing.T) {
	const key = "sk-0123456789"
	for answer, want := range map[string]string{
		`401 {"error":{"message":"bad key ` + key + `"}}`: "unauthorized: bad key •••",
		`403 {"message":"no"}`:                            "unauthorized: no",
		`404 {"error":"no model"}`:                        "not-found: no model",
		`400 {"detail":"too long"}`:                       "refused: too long",
		`302 `:                                            "not-api: ",
		`429 {}`:                                          "rate-limited: ",
		`500 oops`:                                        "failing: oops",
		`200 <html>hello`:                                 "not-api: a page for people",
		`200 {"choices":[]}`:                              "not-api: ",
		`200 {"error":{"message":"overloaded"}}`:          "failing: overloaded",
	} {
		status, body, _ := strings.Cut(answer, " ")
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var code int
			fmt.Sscan(status, &code)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}))
		c, err := NewClient(server.URL, ClientOptions{API: manual.ChatCompletions, Key: key, Tries: 2, Pause: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ask(context.Background(), request{})
		server.Close()
		var e *Error
		if !errors.As(err, &e) || e.code+": "+e.detail != want || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", answer, err, want)
		}
	}
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(200 * time.Millisecond) }))
	defer late.Close()
	for url, want := range map[string]string{late.URL: "slow", "http://127.0.0.1:1": "unreachable"} {
		c, err := NewClient(url, ClientOptions{API: manual.ChatCompletions, Wait: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ask(context.Background(), request{messages: nil})
		var e *Error
		if !errors.As(err, &e) || e.code != want {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
}

// TestShortKey: a key that is a word of the answer leaves the answer as it is.
func TestShortKey(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"content":"none of them"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	c, err := NewClient(server.URL, ClientOptions{API: manual.ChatCompletions, Key: "none"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.ask(context.Background(), request{})
	if err != nil || a.text != "none of them" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestURLs: where requests go.
func TestURLs(t *testing.T) {
	for base, want := range map[string][2]string{
		"http://h":          {"http://h/v1/chat/completions", "http://h/v1/messages"},
		"http://h/v1/":      {"http://h/v1/chat/completions", "http://h/v1/messages"},
		"https://h:1/api":   {"https://h:1/api/chat/completions", "https://h:1/api/v1/messages"},
		"ftp://h":           {},
		"http://u:p@h":      {},
		"http://h/v1?key=1": {},
		"h/v1":              {},
		"":                  {},
	} {
		for i, api := range []manual.API{manual.ChatCompletions, manual.Anthropic} {
			c, err := NewClient(base, ClientOptions{API: api})
			if (err == nil) != (want[i] != "") || err == nil && c.url != want[i] {
				t.Errorf("%s, %s: %+v, %v", base, api, c, err)
			}
		}
	}
}

func TestMost(t *testing.T) {
	for params, want := range map[string]int{
		`{"max_tokens":9}`: 9, `{}`: 0, `{"max_completion_tokens":7}`: 7, `{"max_tokens":9,"n":3}`: 27, `{"max_tokens":"x"}`: 0,
	} {
		if most := Most(rawjson.ParseObject([]byte(params))); most != want {
			t.Errorf("%s: %d, want %d", params, most, want)
		}
	}
}
