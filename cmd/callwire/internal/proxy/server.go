package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// serve serves connections until ctx is done, and then until their answers have
// ended.
func (o *Options) serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: o.times.header,
		IdleTimeout:       o.times.idle,
		ErrorLog:          log.New(io.Discard, "", 0), // about clients that hang up
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("cannot go on listening: %w", err)
	case <-ctx.Done():
	}
	o.log.say("stopping; running answers have %s to end", o.Grace)
	grace, cancel := context.WithTimeout(context.Background(), o.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		server.Close()
		o.log.say("answers were cut off; give them more time with --grace")
		return ErrCutOff
	}
	o.log.say("stopped")
	return nil
}

// newUpstreamTransport returns what speaks to the upstream, which may be silent
// for as long as wait.
func newUpstreamTransport(wait time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = wait
	t.DisableCompression = true // what the client does not ask for, it does not get
	t.MaxIdleConnsPerHost = 64
	return patient{t, wait}
}

// joinPath returns a path of a request after that of the upstream. What the
// upstream's path ends with and the request's begins with is written once.
func joinPath(upstream, path string) string {
	upstream = strings.TrimSuffix(upstream, "/")
	for i := 0; i < len(upstream); i++ {
		if end := upstream[i:]; end[0] == '/' && (path == end || strings.HasPrefix(path, end+"/")) {
			return upstream[:i] + path
		}
	}
	return upstream + path
}

// sendTo points a request to the upstream.
func sendTo(upstream, target *url.URL) {
	target.Scheme, target.Host, target.User = upstream.Scheme, upstream.Host, upstream.User
	path, raw := joinPath(upstream.Path, target.Path), joinPath(upstream.EscapedPath(), target.EscapedPath())
	target.Path, target.RawPath = path, raw
}

// begun waits until an answer that is not a stream begins: one that cannot be read
// is answered with an error then, not with nothing.
func begun(answer *http.Response) error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind != "application/json" {
		return nil
	}
	body := answer.Body
	buffered := bufio.NewReader(body)
	answer.Body = struct {
		io.Reader
		io.Closer
	}{buffered, body}
	if _, err := buffered.Peek(1); err != io.EOF {
		return err
	}
	return nil
}

// answerBody is the body of an answer. It tells about an end before the end.
type answerBody struct {
	io.ReadCloser
	ctx  context.Context
	tell func(error)
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		b.tell(err)
	}
	return n, err
}
