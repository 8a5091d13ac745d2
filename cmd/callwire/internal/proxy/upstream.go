package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// newUpstreamTransport returns the transport to the upstream. It gives up after a silence of wait.
func newUpstreamTransport(wait time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = wait
	t.DisableCompression = true // clients get only what they asked for
	t.MaxIdleConnsPerHost = 64
	t.ReadBufferSize, t.WriteBufferSize = bufferSize, bufferSize
	return patient{t, wait}
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

// apart is a transport that sends requests from a goroutine of their own. Rewriting a request
// takes a deep stack, and the stack of a goroutine that waits in an answer doesn't shrink.
type apart struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (a apart) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("the proxy has failed: %v", fault)
			}
		}()
		answer, err = a.RoundTripper.RoundTrip(r)
	}()
	<-ended
	return answer, err
}

// patient is a transport that limits silence within an answer. net/http only limits it before
// the answer.
type patient struct {
	http.RoundTripper
	wait time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Upgrade") != "" {
		return p.RoundTripper.RoundTrip(r) // a connection, not an answer
	}
	ctx, cancel := context.WithCancel(r.Context())
	answer, err := p.RoundTripper.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = &patientBody{ReadCloser: answer.Body, wait: p.wait, cancel: cancel}
	return answer, nil
}

// patientBody is the body of an answer. The clock runs only during Read.
type patientBody struct {
	io.ReadCloser
	wait   time.Duration
	cancel func()
	timer  *time.Timer // nil before the first Read
	late   bool
}

func (b *patientBody) Read(p []byte) (int, error) {
	if b.timer == nil {
		b.timer = time.AfterFunc(b.wait, b.cancel)
	} else {
		b.timer.Reset(b.wait)
	}
	n, err := b.ReadCloser.Read(p)
	b.late = !b.timer.Stop() || b.late
	if b.late && err != nil && err != io.EOF {
		err = silence(b.wait)
	}
	return n, err
}

func (b *patientBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// silence is the error of an upstream that sent nothing for so long. It is a
// [net.Error].
type silence time.Duration

func (s silence) Error() string {
	return fmt.Sprintf("the upstream sent nothing for %s; wait longer with --wait",
		time.Duration(s))
}

func (silence) Timeout() bool   { return true }
func (silence) Temporary() bool { return true }
