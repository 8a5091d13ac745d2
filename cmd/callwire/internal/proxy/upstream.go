package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// newUpstreamTransport returns the transport to the upstream. It gives up after a silence of wait.
func newUpstreamTransport(wait time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return impatientConn{conn, wait}, err
	}
	t.ResponseHeaderTimeout = wait
	t.DisableCompression = true // clients get only what they asked for
	t.MaxIdleConnsPerHost = 64
	t.ReadBufferSize, t.WriteBufferSize = bufferSize, bufferSize
	return t
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

// ownGoroutine is a transport that sends each request from a new goroutine. Rewriting a request
// takes a deep stack, and the stack of a goroutine that waits in an answer doesn't shrink.
type ownGoroutine struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (g ownGoroutine) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	var ended sync.WaitGroup
	ended.Go(func() {
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("the proxy has failed: %v", fault)
			}
		}()
		answer, err = g.RoundTripper.RoundTrip(r)
	})
	ended.Wait()
	return answer, err
}

// An impatientConn is a connection on which a silence of the other side is an error. It isn't
// silent as long as something is sent to it.
type impatientConn struct {
	net.Conn
	wait time.Duration
}

func (c impatientConn) Read(p []byte) (int, error) {
	c.SetReadDeadline(time.Now().Add(c.wait))
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = silence(c.wait)
	}
	return n, err
}

func (c impatientConn) Write(p []byte) (int, error) {
	c.SetReadDeadline(time.Now().Add(c.wait))
	return c.Conn.Write(p)
}

// silence is the error of an upstream that sent nothing for so long.
type silence time.Duration

func (s silence) Error() string {
	return fmt.Sprintf("the upstream sent nothing for %s; wait longer with --wait",
		time.Duration(s))
}

func (silence) Timeout() bool { return true }
