package middleware

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// weatherTool is a tool in OpenAI's shape, weatherRequest a request with it;
// those with an a are Anthropic's.
const (
	weatherTool     = `{"type":"function","function":{"name":"getWeather","description":"Get the weather.","parameters":{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}}}`
	weatherRequest  = `{"model":"m-1","stream":true,"tools":[` + weatherTool + `],"messages":[{"role":"user","content":"How is the weather?"}]}`
	weatherToolA    = `{"name":"getWeather","description":"Get the weather.","input_schema":{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}}`
	weatherRequestA = `{"model":"m-1","max_tokens":99,"stream":true,"tools":[` + weatherToolA + `],"messages":[{"role":"user","content":"How is the weather?"}]}`
)

const weatherRequestR = `{"model":"m","stream":true,"instructions":"Be brief.","input":"How warm is it?","tools":[{"type":"function","name":"getWeather","description":"Get the weather.","parameters":{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}}]}`

// TestMiddleware: the request that is given stays as it was, and so do the headers of the
// response.
func TestMiddleware(t *testing.T) {
	m := &scripted.Model{Replies: []scripted.Reply{{Text: rome,
		Header: http.Header{"Content-Length": {"99"}, "X-Request-Id": {"req_1"}}}}}
	req := newRequest(messages, weatherRequestA)
	req.Header.Set("Accept-Encoding", "br")
	req.Header.Set("Content-Length", fmt.Sprint(len(weatherRequestA)))
	header, length := req.Header.Clone(), req.ContentLength
	var sent *http.Request
	resp, err := Middleware(shown(Options{}))(req, func(out *http.Request) (*http.Response, error) {
		sent = out
		return m.RoundTrip(out)
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := readReply(t, messages, string(out))
	if len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"Rome"}` || got.Text != "" || got.Finish != "tool_use" {
		t.Errorf("%+v", got)
	}
	if !reflect.DeepEqual(req.Header, header) || req.ContentLength != length {
		t.Error("the request was changed")
	}
	if resp.Request != req {
		t.Error("the response is not of the request that was given")
	}
	data := m.Requests()[0].Body
	if sent.Header.Get("Accept-Encoding") != "" || sent.Header.Get("Content-Length") != "" || sent.ContentLength != int64(len(data)) {
		t.Errorf("sent %d bytes, %v", sent.ContentLength, sent.Header)
	}
	if resp.ContentLength != -1 || resp.Header.Get("Content-Length") != "" {
		t.Errorf("length of the response: %d, %q", resp.ContentLength, resp.Header.Get("Content-Length"))
	}
	if resp.Header.Get("X-Request-Id") == "" {
		t.Error("a header of the response was lost")
	}
	for range 2 {
		body, err := sent.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := io.ReadAll(body); !bytes.Equal(again, data) {
			t.Errorf("GetBody gives %q, sent was %q", again, data)
		}
	}
}

// TestPassedOn: other requests, and those that are signed or compressed, are passed on as they are,
// unread.
func TestPassedOn(t *testing.T) {
	for _, c := range []struct{ method, path, key, value, reason string }{
		{"GET", "/v1/models", "", "", ""},
		{"POST", "/v1/embeddings", "", "", ""},
		{"GET", "/v1/chat/completions", "", "", ""},
		{"POST", "/v1/messages/batches", "", "", ""},
		{"POST", chat, "Authorization", "AWS4-HMAC-SHA256 Credential=x", "the request is signed: rewrite it before that"},
		{"POST", chat, "Content-Encoding", "gzip", "the body is compressed"},
	} {
		req := newRequest(c.path, weatherRequest)
		req.Method = c.method
		req.Header.Set(c.key, c.value)
		reason := ""
		opts := Options{OnRewrite: func(_ *http.Request, r Rewrite) { reason = r.Reason }}
		_, err := Middleware(opts)(req, func(got *http.Request) (*http.Response, error) {
			if got != req {
				t.Errorf("%+v: another request", c)
			}
			return nil, io.EOF
		})
		if err != io.EOF || reason != c.reason {
			t.Errorf("%+v: %v, reason %q", c, err, reason)
		}
	}
}

// failing is a body that ends in an error and remembers that it was closed.
type failing struct {
	io.Reader
	closed int
}

func (f *failing) Close() error { f.closed++; return nil }

// TestNotSent: the body of a request that fails before it is sent is closed.
func TestNotSent(t *testing.T) {
	for want, opts := range map[string]Options{"broken": {}, unknownEngine: {Constrain: "gpt"}} {
		body := &failing{Reader: io.MultiReader(strings.NewReader(`{"to`), iotest.ErrReader(errors.New("broken")))}
		req := newRequest(chat, "")
		req.Body = body
		_, err := Middleware(opts)(req, func(*http.Request) (*http.Response, error) {
			t.Error("sent")
			return nil, nil
		})
		if err == nil || !strings.Contains(err.Error(), want) || body.closed != 1 {
			t.Errorf("%s: %v, closed %d times", want, err, body.closed)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestRequestOverTheLimit passes on whole, whether its length is known or not.
func TestRequestOverTheLimit(t *testing.T) {
	for _, known := range []bool{true, false} {
		reply := written(chat, weatherRequest, "<call>getWeather</call>")
		m := canned(reply)
		var body io.Reader = strings.NewReader(weatherRequest)
		if !known {
			body = io.NopCloser(body)
		}
		req, _ := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", body)
		var reasons []string
		opts := Options{MaxRequest: 100, OnRewrite: func(_ *http.Request, r Rewrite) { reasons = append(reasons, r.Reason) }}
		resp, err := (&Transport{Base: m, Options: shown(opts)}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(resp.Body)
		if sent := string(m.Requests()[0].Body); sent != weatherRequest || string(out) != reply || resp.Request != req {
			t.Errorf("known %v: sent %q, got %q", known, sent, out)
		}
		if len(reasons) != 1 || reasons[0] != "the body is over the limit" {
			t.Errorf("reasons %q", reasons)
		}
	}
}

// closer is a transport that counts how often its idle connections are closed.
type closer struct {
	roundTripper
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

// TestCloseIdleConnections reaches the transport below, if that knows of it.
func TestCloseIdleConnections(t *testing.T) {
	base := &closer{}
	(&http.Client{Transport: &Transport{Base: base}}).CloseIdleConnections()
	if base.closed != 1 {
		t.Errorf("closed %d times", base.closed)
	}
	(&http.Client{Transport: &Transport{Base: base.roundTripper}}).CloseIdleConnections()
	defaults := http.DefaultTransport
	defer func() { http.DefaultTransport = defaults }()
	http.DefaultTransport = base
	(&http.Client{Transport: &Transport{}}).CloseIdleConnections()
	if base.closed != 2 {
		t.Errorf("the default transport's are not closed: %d", base.closed)
	}
}

// No request is an error, one that is no request of an API goes on as it is, and so do errors.
func TestNoRequest(t *testing.T) {
	if resp, err := new(Transport).RoundTrip(nil); err == nil || resp != nil {
		t.Errorf("%v, %v", resp, err)
	}
	asked := 0
	next := func(*http.Request) (*http.Response, error) { asked++; return nil, http.ErrNotSupported }
	if _, err := Middleware(shown(Options{}))(nil, next); err == nil || asked > 0 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	for _, req := range []*http.Request{{}, {Method: http.MethodPost}, newRequest(chat, weatherRequest)} {
		if _, err := Middleware(shown(Options{}))(req, next); err != http.ErrNotSupported {
			t.Error(err)
		}
	}
}
