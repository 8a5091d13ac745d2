package middleware

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
)

// TestFirstText reaches the client while the upstream still waits. Closing the body, or canceling
// the request, ends the upstream's request.
func TestFirstText(t *testing.T) {
	for _, closes := range []bool{true, false} {
		gone := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			stream := chunksRaw(`"Hello"`, `"<call>getWea"`)
			for _, part := range []string{stream[:80], stream[80:]} {
				io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
			close(gone)
		}))
		t.Cleanup(server.Close)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, "POST", server.URL+chat, strings.NewReader(weatherRequest))
		resp, err := new(Transport).RoundTrip(req)
		var got strings.Builder
		buf := make([]byte, 512)
		for n := 0; err == nil && !strings.Contains(got.String(), "Hello"); got.Write(buf[:n]) {
			n, err = resp.Body.Read(buf)
		}
		if err != nil {
			t.Fatal(err)
		}
		if closes {
			resp.Body.Close()
		} else {
			cancel()
		}
		_, err = io.ReadAll(resp.Body)
		if err == nil || !closes && !errors.Is(err, context.Canceled) {
			t.Errorf("closed %t: error %v", closes, err)
		}
		<-gone
		resp.Body.Close()
	}
}

// endless is a body without an end.
type endless struct {
	head string
	fill string
	at   int // in fill
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	if e.head != "" {
		n = copy(p, e.head)
		e.head = e.head[n:]
	}
	for n < len(p) {
		k := copy(p[n:], e.fill[e.at:])
		n += k
		e.at = (e.at + k) % len(e.fill)
	}
	e.read += int64(n)
	return n, nil
}

// TestHostileUpstreams: the body ends in an error with the reason, after a bounded part. If nothing
// was delivered, that is the response, and clients don't try again.
func TestHostileUpstreams(t *testing.T) {
	const limit = 1 << 20
	call := chunksRaw(`"held <"`)
	var choices, whole, frame strings.Builder
	for i := range maxChoices + 1 {
		fmt.Fprintf(&frame, `,{"index":%d,"delta":{"content":%q}}`, i, rome)
		fmt.Fprintf(&choices, `data: {"choices":[{"index":%d,"delta":{"content":"<"}}]}`+"\n\n", i)
		fmt.Fprintf(&whole, `,{"index":%d,"message":{"content":%q},"finish_reason":"stop"}`, i, rome)
	}
	for _, c := range []struct {
		name string
		kind string
		body io.Reader
		code string
		text string // that comes before the error
	}{
		{"no newline", "text/event-stream", &endless{fill: "x"}, eventTooLong, ""},
		{"an endless line", "text/event-stream", &endless{head: call + "data: ", fill: "<call>"}, eventTooLong, "held <"},
		{"an endless event", "text/event-stream", &endless{head: call, fill: "data: {\n"}, eventTooLong, "held <"},
		{"an endless line after the end", "text/event-stream", &endless{head: strings.TrimSuffix(written(chat, weatherRequest, "held <"), "data: [DONE]\n\n"), fill: "x"}, eventTooLong, "held <"},
		{"an endless comment", "text/event-stream", &endless{fill: ":\n"}, eventTooLong, ""},
		{"an event too long", "text/event-stream", io.MultiReader(strings.NewReader(call+"data: "+strings.Repeat(" ", limit)+"{}\n\n"), &endless{fill: "x"}), eventTooLong, "held <"},
		{"an endless response", "application/json", &endless{head: `{"choices":"`, fill: "x"}, responseTooLong, ""},
		{"no JSON", "text/event-stream", &endless{head: call + "data: {\"choices\":[\n\n", fill: "x"}, invalidEvent, "held <"},
		{"no object", "text/event-stream", &endless{head: call + "data: 7\n\n", fill: "x"}, invalidEvent, "held <"},
		{"many choices", "text/event-stream", strings.NewReader(choices.String()), tooManyChoices, ""},
		{"many choices at once", "application/json", strings.NewReader(`{"choices":[` + whole.String()[1:] + `]}`), tooManyChoices, ""},
		{"many choices in an event", "text/event-stream", strings.NewReader(`data: {"choices":[` + frame.String()[1:] + "]}\n\n"), tooManyChoices, ""},
		{"compressed", "text/event-stream", strings.NewReader(""), compressedResponse, ""},
		{"lone carriage returns", "text/event-stream", strings.NewReader("event: ping\rdata: {}\r\r" + strings.ReplaceAll(call, "\n", "\r")), invalidEvent, ""},
		{"a lone carriage return", "text/event-stream", strings.NewReader(call + "event: ping\rdata: {}\ndata: 7\n\n" + call), invalidEvent, "held <"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stages []Stage
			calls := 0
			opts := shown(Options{MaxResponse: limit, OnRewrite: func(_ *http.Request, r Rewrite) {
				if stages = append(stages, r.Stage); r.Stage == Call {
					calls++
				}
			}})
			upstream := response(c.kind, c.body)
			if c.code == compressedResponse {
				upstream.Header.Set("Content-Encoding", "br")
			}
			resp, err := Middleware(opts)(newRequest(chat, weatherRequest), once(upstream))
			var out []byte
			if err == nil {
				out, err = io.ReadAll(resp.Body)
			}
			var e *Error
			isWhole := err == nil && resp.StatusCode == http.StatusUnprocessableEntity && strings.Contains(string(out), c.code)
			if isWhole && fmt.Sprint(stages) != "[request warned]" || !isWhole && (!errors.As(err, &e) || e.Code != c.code || e.Error() == "") {
				t.Fatalf("error %v", err)
			}
			if got := strings.Count(string(out), `"name":"getWeather"`); got != calls {
				t.Errorf("%d calls are reported, %d delivered", calls, got)
			}
			if e, ok := c.body.(*endless); ok && e.read > 4*limit {
				t.Errorf("%d bytes were read", e.read)
			}
			if c.text != "" {
				whole, _, _ := strings.Cut(string(out), "data: {\"choices\":[\n\n")
				whole, _, _ = strings.Cut(whole, "data: 7\n\n")
				if got := readChat(t, whole); got.Text != c.text {
					t.Errorf("text %q", got.Text)
				}
			}
		})
	}
}

// inUse returns the memory in use, in bytes.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the first one leaves what is in pools
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestLongStream: a stream of any length is read in little memory, by the bytes
// that are in use while it is read. That of text is a gigabyte long.
func TestLongStream(t *testing.T) {
	for _, c := range []struct {
		name, head, content string
		length              int64
		most                uint64 // bytes in use
		want                Stage  // that is reported
	}{
		{"text", "", strings.Repeat("all work and no play ", 3000), 1 << 24, 4 << 20, Request},
		{"a call without an end", "<call>getWeather location=\"", strings.Repeat("é", 2000), 1 << 24, 8 * uint64(parse.Limits{}.OrDefault().Bytes), Malformed},
		{"calls", "", strings.Repeat("<call>getWeather location=Rome</call>\n", 100), 1 << 23, 4 << 20, Call},
	} {
		if !*long {
			c.length >>= 2
		}
		head, fill := chunksRaw(string(rawjson.Quote(c.head))), chunksRaw(string(rawjson.Quote(c.content)))
		c.length -= (c.length - int64(len(head))) % int64(len(fill)) // the last event is whole
		up := &countedReader{Reader: io.LimitReader(&endless{head: head, fill: fill}, c.length)}
		seen := make(map[Stage]int)
		opts := Options{OnRewrite: func(_ *http.Request, r Rewrite) { seen[r.Stage]++ }}
		resp, err := Middleware(shown(opts))(newRequest(chat, weatherRequest), once(streaming(up)))
		if err != nil {
			t.Fatal(err)
		}
		most, buf := uint64(0), make([]byte, 32<<10)
		for i := 0; err == nil; i++ {
			_, err = resp.Body.Read(buf)
			if i%1024 == 0 {
				most = max(most, inUse())
			}
		}
		if err != io.EOF || up.n != c.length || most > c.most || seen[c.want] == 0 {
			t.Errorf("%s: %v after %d of %d bytes, in %d bytes of memory; reported %v", c.name, err, up.n, c.length, most, seen)
		}
	}
}

// TestKept: what is kept of a response counts against the limit: an answer in JSON, whitespace
// before a block, and the text that the last event repeats.
func TestKept(t *testing.T) {
	for _, f := range streamForms {
		head, text := strings.Join(f.head, "\n\ndata: "), `"`+strings.Repeat(" ", 1<<12)+`"`
		in := io.LimitReader(&endless{head: frameText(f.api, head), fill: frameText(f.api, strings.ReplaceAll(f.text, "$TEXT", text))}, 1<<21)
		request := f.request
		if f.head == nil {
			request = strings.Replace(request, "{", `{"format":"json","response_format":{"type":"json_object"},`, 1)
		}
		_, err := io.Copy(io.Discard, benchAnswer(t, Options{MaxResponse: 1 << 20}, f.api, request, in))
		var e *Error
		if !errors.As(err, &e) || e.Code != responseTooLong {
			t.Errorf("%s: %v", f.api, err)
		}
	}
}

// countedReader counts the bytes that are read.
type countedReader struct {
	io.Reader
	n int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += int64(n)
	return n, err
}

// TestMemory: 10,000 slow streams, each with text and the beginning of a call, fit into 320 MB.
func TestMemory(t *testing.T) {
	const streams = 300
	head := chunksRaw(`"Let me look. "`, `"<call>getWeather location=\"New "`)
	do := Middleware(shown(Options{}))
	before := inUse()
	bodies := make([]io.ReadCloser, streams)
	for i := range bodies {
		resp, err := do(newRequest(chat, weatherRequest), once(streaming(strings.NewReader(head))))
		if err != nil {
			t.Fatal(err)
		}
		bodies[i] = resp.Body
		buf := make([]byte, 512)
		for range 2 {
			resp.Body.Read(buf)
		}
	}
	after := inUse()
	runtime.KeepAlive(bodies)
	if got := (after - before) / streams; after > before && got > 32<<10 {
		t.Errorf("%d bytes for a stream", got)
	}
}
