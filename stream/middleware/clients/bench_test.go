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

// delta is an event of Anthropic's.
type delta struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"delta"`
}

// textDelta is an event of a response.
type textDelta struct {
	Type         string `json:"type"`
	Sequence     int    `json:"sequence_number"`
	ItemID       string `json:"item_id"`
	OutputIndex  int    `json:"output_index"`
	ContentIndex int    `json:"content_index"`
	Delta        string `json:"delta"`
	Logprobs     []any  `json:"logprobs"`
	Obfuscation  string `json:"obfuscation"`
}

const (
	firstChunk = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`
	proseChunk = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":" some words"},"logprobs":null,"finish_reason":null}]}`
	lastChunk  = `{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}`
	aRequest   = `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"getWeather","parameters":` + weatherSchema + `}}],"messages":[{"role":"user","content":"Hi"}]}`

	opening = `<call>getWeather location=\"`
)

// chunks returns a stream of n events.
func chunks(n int) string {
	return "data: " + firstChunk + "\n\n" + strings.Repeat("data: "+proseChunk+"\n\n", n) + "data: " + lastChunk + "\n\ndata: [DONE]\n\n"
}

// BenchmarkEvent is what an event costs in the middleware, in prose and in a long
// argument, and to decode and encode it by sonic and by encoding/json.
func BenchmarkEvent(b *testing.B) {
	for _, c := range []struct {
		name, path, request, head, event string
		value                            func() any
	}{
		{"chat", "chat/completions", aRequest, "data: " + firstChunk + "\n\n", "data: " + proseChunk + "\n\n", func() any { return new(chunk) }},
		{
			"anthropic", "messages",
			`{"model":"m","max_tokens":9,"stream":true,"tools":[{"name":"getWeather","input_schema":` + weatherSchema + `}],"messages":[{"role":"user","content":"Hi"}]}`,
			`event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

`,
			"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" some words"}}` + "\n\n",
			func() any { return new(delta) },
		},
		{
			"responses", "responses",
			`{"model":"m","stream":true,"tools":[{"type":"function","name":"getWeather","parameters":` + weatherSchema + `}],"input":"Hi"}`,
			`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}

`,
			"event: response.output_text.delta\ndata: " + `{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" some words","logprobs":[],"obfuscation":"x0Yd"}` + "\n\n",
			func() any { return new(textDelta) },
		},
	} {
		argument := strings.Replace(c.event, " some words", opening, 1)
		for name, head := range map[string]string{"prose": c.head + c.event, "argument": c.head + argument} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				req, err := http.NewRequest("POST", "http://upstream.test/v1/"+c.path, strings.NewReader(c.request))
				if err != nil {
					b.Fatal(err)
				}
				opts := middleware.Options{MaxResponse: 1 << 40}
				opts.Limits.Bytes = 1 << 40
				stream := io.MultiReader(strings.NewReader(head), &repeated{text: c.event, left: b.N})
				resp, err := middleware.Middleware(opts)(req, func(*http.Request) (*http.Response, error) {
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
		}
		for name, library := range map[string]struct {
			decode func([]byte, any) error
			encode func(any) ([]byte, error)
		}{"sonic": {sonic.Unmarshal, sonic.Marshal}, "encoding-json": {json.Unmarshal, json.Marshal}} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				_, data, _ := strings.Cut(c.event, "data: ")
				for b.Loop() {
					v := c.value()
					if err := library.decode([]byte(data), v); err != nil {
						b.Fatal(err)
					}
					if _, err := library.encode(v); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// repeated is a stream of one event, again and again.
type repeated struct {
	text     string
	at, left int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.left > 0 {
		k := copy(p[n:], r.text[r.at:])
		if n, r.at = n+k, r.at+k; r.at == len(r.text) {
			r.at, r.left = 0, r.left-1
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
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
