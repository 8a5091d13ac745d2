package middleware

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestRetryThatFails goes on with the message that there is, and shows the call in it.
func TestRetryThatFails(t *testing.T) {
	for _, said := range []string{broken, load} {
		testRetryThatFails(t, said)
	}
}

func testRetryThatFails(t *testing.T, said string) {
	request := strings.Replace(weatherRequest, `"name":`, `"lazy":true,"name":`, 1)
	for name, second := range map[string]func(*http.Request) (*http.Response, error){
		"error":  func(*http.Request) (*http.Response, error) { return nil, errors.New("no route") },
		"status": (&scripted.Model{}).RoundTrip,
		"compressed": func(*http.Request) (*http.Response, error) {
			resp := streaming(strings.NewReader("\x1f\x8b"))
			resp.Header.Set("Content-Encoding", "gzip")
			return resp, nil
		},
		"another kind": canned("{}").RoundTrip,
	} {
		m := canned(chunks("stop", said, " and so on"))
		n := 0
		transport := &Transport{Options: shown(Options{Retries: 1}), Base: roundTripper(func(req *http.Request) (*http.Response, error) {
			if n++; n > 1 {
				return second(req)
			}
			return m.RoundTrip(req)
		})}
		req, _ := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(request))
		req.Header.Set("Idempotency-Key", "k")
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		got := readChat(t, string(out))
		if err != nil || n != 2 || !strings.HasPrefix(got.Text, said+"\n<tool-error") || !strings.HasSuffix(got.Text, "</tool-error>\n and so on") || got.Finish != "stop" {
			t.Errorf("%s, %s: %v after %d requests, %+v", said, name, err, n, got)
		}
	}
}

// TestErrorsOfTheUpstream are passed on as they are.
func TestErrorsOfTheUpstream(t *testing.T) {
	for _, kind := range []string{"application/json", "text/html", "text/event-stream"} {
		const body = `{"error":{"message":"<call>getWeather location=Rome</call>"}}`
		header := http.Header{"Content-Length": {fmt.Sprint(len(body))}}
		m := &scripted.Model{Replies: []scripted.Reply{{Raw: body, ContentType: kind, Status: 429, Header: header}}}
		req, _ := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(weatherRequest))
		resp, err := (&Transport{Base: m, Options: shown(Options{})}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(resp.Body)
		if string(out) != body || resp.StatusCode != 429 || resp.Header.Get("Content-Length") == "" {
			t.Errorf("%s: %d %q", kind, resp.StatusCode, out)
		}
	}
	m := &scripted.Model{Replies: []scripted.Reply{{Raw: "<call>getWeather</call>", ContentType: "text/plain"}}}
	if got := post(t, m, Options{}, chat, weatherRequest); got != m.Replies[0].Raw {
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
