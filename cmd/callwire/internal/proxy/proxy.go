package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream/middleware"
)

// Options configure a proxy. Start with [Default].
type Options struct {
	Upstream  string        // URL of the model
	Listen    string        // address of the proxy
	Public    bool          // other machines may connect
	MaxBody   int64         // bytes of a request
	Wait      time.Duration // the longest silence of the upstream
	Grace     time.Duration // that running answers have to end
	Rewriting middleware.Options

	Out    io.Writer // gets the log; several goroutines write to it
	Screen terminal.Screen
	Debug  bool // also show the conversations
}

// Default returns the default options, which have no upstream.
func Default() Options {
	return Options{
		Listen: "127.0.0.1:8787", MaxBody: 32 << 20,
		Wait: 10 * time.Minute, Grace: 10 * time.Second, Out: io.Discard,
		Rewriting: middleware.Options{Options: parse.Options{Repair: true}},
	}
}

// How long the server waits for clients. An answer may take any time.
const (
	headerTime = 10 * time.Second // for the header of a request
	bodyTime   = 5 * time.Minute  // for its body
	idleTime   = 2 * time.Minute  // between two requests of a connection
)

// ErrCutOff reports that answers were cut off when the proxy was stopped.
var ErrCutOff = errors.New("answers were cut off")

// Run listens and serves until ctx is done.
func (o *Options) Run(ctx context.Context) error {
	h, err := newHandler(o)
	if err != nil {
		return err
	}
	upstream := h.upstream
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another address: "+
			"--listen 127.0.0.1:0 takes any free port", o.Listen, terminal.Cause(err))
	}
	o.say("proxy on http://%s for %s; stop it with Ctrl-C", listener.Addr(), safeURL(upstream))
	if o.Public {
		o.say("warning: --public lets everybody who reaches %s use the proxy", o.Listen)
	}
	if upstream.Scheme == "http" && !loopback.Is(upstream.Hostname()) {
		o.say("warning: keys travel to %s unencrypted; use https where you can", upstream.Host)
	}
	return o.serve(ctx, listener, h)
}

// say writes a line about the proxy itself.
func (o *Options) say(format string, args ...any) {
	fmt.Fprintf(o.Out, "callwire: %s\n", terminal.Visible(fmt.Appendf(nil, format, args...)))
}

// serve serves connections until ctx is done, and then until their answers have ended.
func (o *Options) serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		ErrorLog: log.New(io.Discard, "", 0), // about clients that hang up
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("cannot go on listening: %w", err)
	case <-ctx.Done():
	}
	o.say("stopping; running answers have %s to end", o.Grace)
	grace, cancel := context.WithTimeout(context.Background(), o.Grace)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		server.Close()
		o.say("answers were cut off; give them more time with --grace")
		return ErrCutOff
	}
	o.say("stopped")
	return nil
}

// check returns the upstream, or what is wrong with the options.
func (o *Options) check() (*url.URL, error) {
	upstream, err := url.Parse(o.Upstream)
	host, _, badListen := net.SplitHostPort(o.Listen)
	switch {
	case o.Upstream == "":
		return nil, errors.New("proxy needs the URL of the model, " +
			"as in --upstream https://api.openai.com")
	case err != nil: // it may contain a password
		return nil, errors.New("--upstream is not a URL, such as https://api.openai.com")
	case upstream.Scheme != "http" && upstream.Scheme != "https" || upstream.Host == "",
		upstream.RawQuery != "" || upstream.Fragment != "":
		return nil, fmt.Errorf("--upstream is http:// or https://, a host and an optional path, "+
			"not %s", safeURL(upstream))
	case o.MaxBody < 1 || o.Wait <= 0:
		return nil, errors.New("--max-body and --wait are positive")
	case o.Rewriting.MaxResponse < 0 || o.Grace < 0:
		return nil, errors.New("--max-answer and --grace are not negative")
	case badListen != nil:
		return nil, fmt.Errorf("--listen is host:port, as in 127.0.0.1:8787, not %q", o.Listen)
	case !o.Public && !loopback.Is(host):
		return nil, fmt.Errorf("--listen %s can be reached by others; "+
			"listen on 127.0.0.1, or give --public if you mean it", o.Listen)
	}
	return upstream, nil
}

// safeURL returns a URL without parts that may contain a key. Some servers expect it in the path
// or as the user name.
func safeURL(u *url.URL) string {
	safe := (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	if u.User != nil || len(u.Path) > 1 || u.RawQuery != "" || u.Fragment != "" {
		safe += "/…"
	}
	return safe
}
