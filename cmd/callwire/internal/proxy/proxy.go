package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream/middleware"
)

// Options say what a proxy does. Their zero value stands for nothing: begin with
// [Default].
type Options struct {
	Upstream  string        // the URL of the model
	Listen    string        // the address of the proxy
	Public    bool          // others may connect, too
	MaxBody   int64         // bytes of a request
	Wait      time.Duration // that the upstream may say nothing
	Grace     time.Duration // that running answers have to end
	Rewriting middleware.Options

	Out    io.Writer // where the proxy tells what happens
	Screen terminal.Screen
	Debug  bool                  // tell what was rewritten
	Count  func(text string) int // tokens, for that; nil to count bytes

	times times
	log   *proxyLog
}

// Default returns the options of a proxy without flags; they have no upstream yet.
func Default() Options {
	return Options{
		Listen: "127.0.0.1:8787", MaxBody: middleware.DefaultMaxRequest, Wait: 10 * time.Minute, Grace: 10 * time.Second,
		Out: io.Discard, times: defaultTimes,
	}
}

// ErrCutOff says that answers had to be cut off when the proxy was stopped.
var ErrCutOff = errors.New("answers were cut off")

// Handler returns what answers the requests to the proxy.
func (o *Options) Handler() (http.Handler, error) {
	upstream, err := o.check()
	if err != nil {
		return nil, err
	}
	o.log = newLog(o.Out, o.Screen, o.Debug, o.Count)
	return newHandler(o, upstream), nil
}

// Run listens and serves until ctx is done.
func (o *Options) Run(ctx context.Context) error {
	upstream, err := o.check()
	if err != nil {
		return err
	}
	o.log = newLog(o.Out, o.Screen, o.Debug, o.Count)
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another address: --listen 127.0.0.1:0 takes any free port", o.Listen, loopback.Cause(err))
	}
	if loopback.IsSelf(listener.Addr(), upstream) {
		listener.Close()
		return fmt.Errorf("--upstream %s is the proxy itself; give the URL of the model", safeURL(upstream))
	}
	o.log.say("proxy on http://%s for %s; stop it with Ctrl-C", listener.Addr(), safeURL(upstream))
	if o.Public {
		o.log.say("warning: --public lets everybody who reaches %s use the proxy", o.Listen)
	}
	if upstream.Scheme == "http" && !loopback.Is(upstream.Hostname()) {
		o.log.say("warning: keys travel to %s unencrypted; use https where you can", upstream.Host)
	}
	return o.serve(ctx, listener, newHandler(o, upstream))
}

// check says what is wrong with the flags, and returns the upstream.
func (o *Options) check() (*url.URL, error) {
	if o.Upstream == "" {
		return nil, errors.New("proxy needs the URL of the model, as in --upstream https://api.openai.com")
	}
	upstream, err := url.Parse(o.Upstream)
	if err != nil {
		return nil, errors.New("--upstream is no URL; write it like https://api.openai.com") // err may hold a password
	}
	if upstream.Scheme != "http" && upstream.Scheme != "https" || upstream.Host == "" || upstream.RawQuery != "" || upstream.Fragment != "" {
		return nil, fmt.Errorf("--upstream is http:// or https://, a host and perhaps a path, not %s", safeURL(upstream))
	}
	if o.MaxBody < 1 || o.Rewriting.MaxResponse < 0 || o.Wait <= 0 || o.Grace < 0 {
		return nil, errors.New("--max-body and --wait are positive; --max-answer and --grace are not negative")
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen is host:port, as in 127.0.0.1:8787, not %q", o.Listen)
	}
	if !o.Public && !loopback.Is(host) {
		return nil, fmt.Errorf("--listen %s can be reached by others; listen on 127.0.0.1, or say --public if you mean it", o.Listen)
	}
	return upstream, nil
}
