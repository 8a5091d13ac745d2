package middleware

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// TestRetry sends a message with a malformed call back before anything of it was
// delivered: the client sees one message, under one id.
func TestRetry(t *testing.T) {
	good := strings.ReplaceAll(chunks("stop", "So: ", "<call>getWeather location=Rome</call>"), "chatcmpl-7", "chatcmpl-8")
	u := &upstream{replies: []string{chunks("stop", " \n", broken, " and more"), good}}
	var stages []Stage
	out := u.post(t, Options{Retries: 1, OnRewrite: func(_ *http.Request, r Rewrite) { stages = append(stages, r.Stage) }}, chat, weatherRequest)
	got := readChat(t, out, 0)
	if got.Text != " \nSo: " || len(got.Calls) != 1 || got.Finish != "tool_calls" || !got.Done || len(got.IDs) != 1 || !got.IDs["chatcmpl-7"] {
		t.Errorf("%+v", got)
	}
	if len(u.bodies) != 2 {
		t.Fatalf("%d requests", len(u.bodies))
	}
	first, second := strings.TrimSuffix(u.bodies[0], "]}"), u.bodies[1]
	if !strings.HasPrefix(second, first+`,{"role":"assistant","content":"`+broken+`"},{"role":"user","content":"<tool-error name=\"getWeather\">\n`) || !strings.HasSuffix(second, rewriteAll+`"}]}`) {
		t.Errorf("sent\n%s", second)
	}
	if len(stages) != 3 || stages[0] != Request || stages[1] != Retry || stages[2] != Call {
		t.Errorf("stages %v", stages)
	}
}

// TestRetryHasOneRole: the role is written once, because some clients join repeated roles.
// It is written with the second message if the first had not started.
func TestRetryHasOneRole(t *testing.T) {
	good := chunks("stop", "<call>getWeather location=Rome</call>")
	early := strings.Replace(chunksRaw(string(rawjson.Quote(broken))), `{"content"`, `{"role":"assistant","content"`, 1)
	for name, first := range map[string]string{"before": chunks("stop", broken), "with the call": early, "white space": chunks("stop", " ", broken)} {
		u := &upstream{replies: []string{first, good}}
		out := u.post(t, Options{Retries: 1}, chat, weatherRequest)
		if n := strings.Count(out, `"role":"assistant"`); n != 1 || len(u.bodies) != 2 || len(readChat(t, out, 0).Calls) != 1 {
			t.Errorf("%s: %d roles in\n%s", name, n, out)
		}
	}
}

// TestNoRetry holds the cases in which a message must not be sent back.
func TestNoRetry(t *testing.T) {
	two := strings.Replace(weatherRequest, `"stream"`, `"n":2,"stream"`, 1)
	for name, c := range map[string]struct{ request, stream string }{
		"a call was delivered": {weatherRequest, chunks("stop", "<call>getWeather location=Rome</call>", broken)},
		"cut off":              {weatherRequest, chunks("length", "<call>getWeather location=[")},
		"several choices":      {two, chunks("stop", broken)},
		"no malformed call":    {weatherRequest, chunks("stop", " ", "a")},
		"broken off":           {weatherRequest, chunksRaw(`"<call>getWeather location=["`)},
	} {
		u := &upstream{replies: []string{c.stream}}
		u.post(t, Options{Retries: 3}, chat, c.request)
		if len(u.bodies) != 1 {
			t.Errorf("%s: %d requests", name, len(u.bodies))
		}
	}
	got := read(t, Options{Retries: 1}, weatherRequest, chunks("stop", " ", "\n", "a"))
	if got.Text != " \na" {
		t.Errorf("white space at the beginning: %+v", got)
	}
}

// TestRetryThatFails goes on with the message that there is.
func TestRetryThatFails(t *testing.T) {
	for name, second := range map[string]func(*http.Request) (*http.Response, error){
		"error":        func(*http.Request) (*http.Response, error) { return nil, errors.New("no route") },
		"status":       (&upstream{replies: []string{"{}"}, status: 500}).RoundTrip,
		"another kind": (&upstream{replies: []string{"{}"}}).RoundTrip,
	} {
		u := &upstream{replies: []string{chunks("stop", broken, " and so on")}}
		n := 0
		transport := &Transport{Options: shown(Options{Retries: 1}), Base: roundTripper(func(req *http.Request) (*http.Response, error) {
			if n++; n > 1 {
				return second(req)
			}
			return u.RoundTrip(req)
		})}
		req, _ := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(weatherRequest))
		req.Header.Set("Idempotency-Key", "k")
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		got := readChat(t, string(out), 0)
		if err != nil || n != 2 || !strings.HasPrefix(got.Text, broken+"\n<tool-error") || !strings.HasSuffix(got.Text, "</tool-error>\n and so on") || got.Finish != "stop" {
			t.Errorf("%s: %v after %d requests, %+v", name, err, n, got)
		}
	}
}

// TestErrorsOfTheUpstream are passed on as they are.
func TestErrorsOfTheUpstream(t *testing.T) {
	for _, kind := range []string{"application/json", "text/html", "text/event-stream"} {
		const body = `{"error":{"message":"<call>getWeather location=Rome</call>"}}`
		u := &upstream{replies: []string{body}, status: 429, kind: kind}
		req, _ := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(weatherRequest))
		resp, err := (&Transport{Base: u, Options: shown(Options{})}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(resp.Body)
		if string(out) != body || resp.StatusCode != 429 || resp.Header.Get("Content-Length") == "" {
			t.Errorf("%s: %d %q", kind, resp.StatusCode, out)
		}
	}
	u := &upstream{replies: []string{"<call>getWeather</call>"}, kind: "text/plain"}
	if got := u.post(t, Options{}, chat, weatherRequest); got != u.replies[0] {
		t.Errorf("text/plain: %q", got)
	}
	want := errors.New("refused")
	if _, err := Middleware(shown(Options{}))(mustRequest(weatherRequest), func(*http.Request) (*http.Response, error) { return nil, want }); err != want {
		t.Errorf("error %v", err)
	}
}

func mustRequest(body string) *http.Request {
	req, err := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	return req
}
