package scripted

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	responsesPath = "/v1/responses"
	openAIPath    = "/v1/chat/completions"
	anthropicPath = "/v1/messages"
	geminiPath    = "/v1beta/models/m:generateContent"
	geminiStream  = "/v1beta/models/m:streamGenerateContent"
	ollamaPath    = "/api/chat"
	text          = "Grüße 🎉\n<call>t s=\"a b\" n=1</call> & done."
)

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
	m := &Model{Replies: []Reply{{Text: text}}}
	answer := send(t, ctx, m)
	if _, err := answer.Body.Read(make([]byte, 10000)); err != nil {
		t.Fatal(err)
	}
	cancel()
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
