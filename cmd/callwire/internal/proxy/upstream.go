package proxy

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// newUpstreamTransport returns the transport to the upstream. It gives up after a silence of wait.
func newUpstreamTransport(wait time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = wait
	t.DisableCompression = true // clients get only what they asked for
	t.MaxIdleConnsPerHost = 64
	t.ReadBufferSize, t.WriteBufferSize = bufferSize, bufferSize
	return timeoutTransport{t, wait}
}

// bufferSize is the size of the buffers of an answer. Events are short, and an answer may
// wait for a long time, so large ones would be a waste.
const bufferSize = 2 << 10

// buffers makes the buffers for answers. It is a [httputil.BufferPool]. An answer has one, so there
// is nothing to save by keeping them.
type buffers struct{}

func (buffers) Get() []byte { return make([]byte, bufferSize) }
func (buffers) Put([]byte)  {}

// joinPath returns the path of a request after that of the upstream. A part that the
// one ends with and the other begins with is written once.
func joinPath(upstream, path string) string {
	upstream = strings.TrimSuffix(upstream, "/")
	for i := range len(upstream) {
		end := upstream[i:]
		if end[0] == '/' && (path == end || strings.HasPrefix(path, end+"/")) {
			return upstream[:i] + path
		}
	}
	return upstream + path
}

// sendTo points the URL of a request to the upstream.
func sendTo(upstream, target *url.URL) {
	target.Scheme, target.Host, target.User = upstream.Scheme, upstream.Host, upstream.User
	raw := joinPath(upstream.EscapedPath(), target.EscapedPath())
	target.Path, target.RawPath = joinPath(upstream.Path, target.Path), raw
}

// timeoutTransport limits silence within an answer. net/http only limits it before the answer.
type timeoutTransport struct {
	http.RoundTripper
	wait time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (t timeoutTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err == nil && r.Header.Get("Upgrade") == "" { // that is a connection, not an answer
		answer.Body = newTimeoutBody(answer.Body, t.wait)
	}
	return answer, err
}

// timeoutBody is the body of an answer. The clock runs only during Read.
type timeoutBody struct {
	io.ReadCloser
	wait  time.Duration
	timer *time.Timer
	late  atomic.Bool
}

func newTimeoutBody(body io.ReadCloser, wait time.Duration) *timeoutBody {
	b := &timeoutBody{ReadCloser: body, wait: wait}
	b.timer = time.AfterFunc(wait, func() {
		b.late.Store(true)
		body.Close()
	})
	b.timer.Stop()
	return b
}

func (b *timeoutBody) Read(p []byte) (int, error) {
	b.timer.Reset(b.wait)
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	if err != nil && b.late.Load() {
		err = silence(b.wait)
	}
	return n, err
}

// silence is the error of an upstream that sent nothing for so long.
type silence time.Duration

func (s silence) Error() string {
	return fmt.Sprintf("the upstream sent nothing for %s; wait longer with --wait",
		time.Duration(s))
}

func (silence) Timeout() bool { return true }
