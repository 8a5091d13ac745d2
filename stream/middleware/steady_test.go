package middleware

import (
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream"
)

// brokenReader returns n and no error, whatever it is asked.
type brokenReader int

func (r brokenReader) Read(p []byte) (int, error) { return int(r), nil }

// TestBrokenReaders: a body that brings nothing for ever, or says that it has read what
// it cannot have, is an error, as a request and as a response, streamed or whole.
func TestBrokenReaders(t *testing.T) {
	for n, want := range map[brokenReader]error{0: io.ErrNoProgress, -1: stream.ErrInvalidRead, math.MaxInt: stream.ErrInvalidRead} {
		req, _ := http.NewRequest("POST", "http://upstream.test/v1"+chat, n)
		_, err := (&Transport{Base: roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.EOF })}).RoundTrip(req)
		if !errors.Is(err, want) {
			t.Errorf("a request that reads %d: %v, want %v", n, err, want)
		}
		for _, kind := range []string{"application/json", "text/event-stream"} {
			req, _ := http.NewRequest("POST", "http://upstream.test/v1"+chat, strings.NewReader(weatherRequest))
			resp, err := (&Transport{Base: roundTripper(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(n)}, nil
			})}).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(resp.Body); err == nil {
				t.Errorf("%s that reads %d: %v, want %v", kind, n, err, want)
			}
		}
	}
}

// TestLargestLimits: the largest limits that can be written are limits like others.
func TestLargestLimits(t *testing.T) {
	u := &upstream{replies: []string{chunks("stop", "<call>getWeather</call>")}}
	req, _ := http.NewRequest("POST", "http://upstream.test/v1"+chat, strings.NewReader(weatherRequest))
	resp, err := (&Transport{Base: u, Options: Options{MaxRequest: math.MaxInt64, MaxResponse: math.MaxInt64}}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	if err != nil || len(u.bodies[0]) == 0 || !strings.Contains(string(out), "tool_calls") {
		t.Errorf("sent %q, got %q, %v", u.bodies[0], out, err)
	}
}
