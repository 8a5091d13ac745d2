package clients

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/bytedance/sonic"

	"github.com/callwire/callwire/stream/middleware"
)

// chunk is an event of a stream of chat completions, as programs declare it.
type chunk struct {
	ID                string `json:"id"`
	Object            string `json:"object"`
	Created           int64  `json:"created"`
	Model             string `json:"model"`
	SystemFingerprint string `json:"system_fingerprint"`
	Choices           []struct {
		Index int `json:"index"`
		Delta struct {
			Role    string `json:"role,omitempty"`
			Content string `json:"content"`
		} `json:"delta"`
		Logprobs     any     `json:"logprobs"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
}

const (
	firstChunk = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`
	proseChunk = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":" some words"},"logprobs":null,"finish_reason":null}]}`
	lastChunk  = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}`
	aRequest   = `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"getWeather","parameters":` + weatherSchema + `}}],"messages":[{"role":"user","content":"Hi"}]}`
)

// chunks returns a stream of n events.
func chunks(n int) string {
	return "data: " + firstChunk + "\n\n" + strings.Repeat("data: "+proseChunk+"\n\n", n) + "data: " + lastChunk + "\n\ndata: [DONE]\n\n"
}

// BenchmarkEvent is what an event costs in the middleware, and to decode and encode
// it by sonic and by encoding/json.
func BenchmarkEvent(b *testing.B) {
	b.Run("middleware", func(b *testing.B) {
		b.ReportAllocs()
		req, err := http.NewRequest("POST", "http://upstream.test/v1/chat/completions", strings.NewReader(aRequest))
		if err != nil {
			b.Fatal(err)
		}
		stream := strings.NewReader(chunks(b.N))
		resp, err := middleware.Middleware(middleware.Options{})(req, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(stream)}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		if n, err := io.Copy(io.Discard, resp.Body); err != nil || n < int64(b.N) {
			b.Fatal(n, err)
		}
	})
	for name, library := range map[string]struct {
		decode func([]byte, any) error
		encode func(any) ([]byte, error)
	}{"sonic": {sonic.Unmarshal, sonic.Marshal}, "encoding-json": {json.Unmarshal, json.Marshal}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			data := []byte(proseChunk)
			for b.Loop() {
				var c chunk
				if err := library.decode(data, &c); err != nil {
					b.Fatal(err)
				}
				if _, err := library.encode(&c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkProxy is what an event costs in a reverse proxy of the standard library,
// and in the same one over a Transport, in turns and without a network.
func BenchmarkProxy(b *testing.B) {
	const events = 2000
	stream := chunks(events)
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(iotest.DataErrReader(strings.NewReader(stream)))}, nil
	})
	send := func(transport http.RoundTripper) time.Duration {
		proxy := &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: transport, FlushInterval: -1}
		w := &counter{header: make(http.Header)}
		begin := time.Now()
		proxy.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(aRequest)))
		if took := time.Since(begin); w.n == len(stream) {
			return took
		}
		b.Fatalf("%d of %d bytes", w.n, len(stream))
		return 0
	}
	ours := &middleware.Transport{Base: base}
	var alone, with time.Duration
	for b.Loop() {
		alone += send(base)
		with += send(ours)
	}
	perEvent := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / events }
	b.ReportMetric(perEvent(alone), "reverse-ns/event")
	b.ReportMetric(perEvent(with), "ours-ns/event")
}

// roundTrip is a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// counter is a client that counts what it gets.
type counter struct {
	header http.Header
	n      int
}

func (c *counter) Header() http.Header         { return c.header }
func (c *counter) WriteHeader(int)             {}
func (c *counter) Flush()                      {}
func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }
