package middleware

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/internal/engines"
)

// Transport is an [http.RoundTripper] that rewrites requests with tools and the responses to them,
// and passes everything else on. The zero value works over [http.DefaultTransport]. It may be used
// by several goroutines at once; its fields must not change after the first use.
type Transport struct {
	Base    http.RoundTripper // nil: http.DefaultTransport
	Options Options

	once     sync.Once
	opts     Options // with defaults
	toolsets memo[[sha256.Size]byte, *toolset]
	stored   memo[string, string] // ids of responses, by the ids that the application got
}

// mostStored is how many of those ids are kept.
const mostStored = 4096

// RoundTrip implements [http.RoundTripper]. It does not change the request.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.do(req, t.base().RoundTrip)
}

// CloseIdleConnections closes the idle connections of the transport below, if
// that has such a method. [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper { return cmp.Or(t.Base, http.DefaultTransport) }

// Middleware does what a [Transport] does, as a function around the next one. It is the
// type of middleware that openai-go and anthropic-sdk-go accept.
func Middleware(
	opts Options,
) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	t := &Transport{Options: opts}
	return t.do
}

// roundTrip sends a request.
type roundTrip = func(*http.Request) (*http.Response, error)

// do sends a request with next. It rewrites a request that involves tools.
func (t *Transport) do(req *http.Request, next roundTrip) (*http.Response, error) {
	t.once.Do(func() { t.opts = t.Options.withDefaults() })
	opts := &t.opts
	if req == nil {
		return nil, errors.New("middleware: the request is nil")
	}
	d := dialectOf(req)
	if d == nil {
		return next(req)
	}
	if opts.Constrain != "" && !slices.Contains(engines.Names, opts.Constrain) {
		req.Body.Close()
		return nil, newError(unknownEngine, "Options.Constrain is %q", opts.Constrain)
	}
	x := &exchange{Transport: t, dialect: d, req: req, next: next,
		rescues: opts.Rescue != nil, voices: make(map[int]*voice)}
	reason, coding := "", req.Header.Get("Content-Encoding")
	switch {
	case coding != "" && coding != "identity":
		reason = "the body is compressed"
	case strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-"):
		reason = "the request is signed: rewrite it before that"
	case req.ContentLength > opts.MaxRequest:
		reason = tooLong
	}
	if reason != "" {
		x.tell(Rewrite{Stage: Untouched, Reason: reason})
		return next(req)
	}
	data, err := io.ReadAll(io.LimitReader(req.Body, opts.MaxRequest+1))
	if err != nil {
		return nil, errors.Join(err, req.Body.Close())
	}
	if int64(len(data)) > opts.MaxRequest {
		x.tell(Rewrite{Stage: Untouched, Reason: tooLong})
		out := req.Clone(req.Context())
		out.Body = readCloser{io.MultiReader(bytes.NewReader(data), req.Body), req.Body}
		return x.pass(out)
	}
	err = req.Body.Close()
	if err != nil {
		return nil, err
	}
	return x.start(data)
}

const tooLong = "the body is over the limit"

// A readCloser reads from one thing and closes another.
type readCloser struct {
	io.Reader
	io.Closer
}

// Anthropic can keep a conversation on the server: a request creates a thread or continues one,
// and then sends neither the tools nor the earlier messages. Without them a call cannot be read,
// and a correction would continue the same message twice. So a request that creates a thread is
// sent without one, and a request that continues a thread with a result is answered with the error
// by which clients learn to send the whole conversation again.

// lostThread is the reason of a request that continues a thread.
const lostThread = "the thread is unknown"

// start sends the request, whose body is data. It rewrites a request that involves tools.
func (x *exchange) start(data []byte) (*http.Response, error) {
	req := x.req
	body, reason, err := x.prepare(data)
	switch {
	case err != nil:
		return nil, err
	case reason == lostThread:
		err := members("type", "not_found_error",
			"message", "callwire keeps no threads; send the whole conversation",
			"details", members("error_code", "thread_not_found"))
		resp := &http.Response{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Request: req}
		body = members("type", "error", "error", err).Append(nil)
		x.warn("the request continues a thread, which is unknown here: it is answered with 404")
		return withFault(resp, http.StatusNotFound, body), nil
	}
	out := withBody(req.Context(), req, body)
	if reason != "" {
		x.tell(Rewrite{Stage: Untouched, Reason: reason})
	} else {
		x.tell(Rewrite{Stage: Request, Before: data, After: body})
		forget(out.Header)
	}
	if x.set == nil {
		return x.pass(out)
	}
	return x.begin(out, body)
}

// pass sends out in place of the request; the response names that as its request.
func (x *exchange) pass(out *http.Request) (*http.Response, error) {
	resp, err := x.next(out)
	if resp != nil {
		resp.Request = x.req
	}
	return resp, err
}

// mostLoads is how many messages with calls of the loader are answered for one request.
const mostLoads = 8

// prepare returns the body to send. If that is the original one, it returns the reason as
// well. It sets x.set if calls may be in the response.
func (x *exchange) prepare(data []byte) (out []byte, reason string, err error) {
	body := readValid(data)
	if body == nil {
		return data, "the body is not a JSON object", nil
	}
	reason = x.read(body)
	switch {
	case reason != "":
		return data, reason, nil
	case x.rescues:
		return data, x.rescue(), nil
	case x.want.mode == required && x.opts.KeepToolChoice:
		return data, "tool_choice is left to the upstream", nil
	case x.want.mode == required && len(x.want.tools) == 0:
		return data, "a call is required, and there is no tool", nil
	}
	set := x.toolset(x.want.tools)
	if set.problem != "" || set.err != nil {
		return data, set.problem, set.err
	}
	for _, name := range x.want.allowed {
		if set.catalog.Lookup([]byte(name)) == nil {
			return data, "tool_choice names a tool that is not declared", nil
		}
	}
	x.source = slices.Clone(body)
	id, isOurs := x.stored.find(body.Text("previous_response_id"))
	if isOurs {
		body = body.With("previous_response_id", id)
	}
	if x.want.n <= 1 {
		x.retries = x.opts.Retries
		if set.loader != "" {
			x.loads = mostLoads
		}
		if x.opts.Retries >= 0 && x.want.format != nil && !body.Has("conversation") {
			x.natives = 1
		}
	}
	body, err = x.rewrite(body, set)
	if err != nil {
		return data, err.Error(), nil
	}
	own := constraintOf(body)
	body, x.custom = x.constrain(body, set)
	x.forced = x.want.mode == required && constraintOf(body) != own
	out = body.Append(nil)
	canCall := x.want.mode != none || x.want.history // its calls are an example in any case
	if set.catalog != nil && canCall && x.form != nil {
		x.set = set
	}
	return out, "", nil
}

// rescue prepares to read the response to a request that stays unchanged, and returns the
// reason why it does. Everything in the text of the response that is not a call of a declared
// tool, or a tag around calls outside of Markdown code, stays text, byte for byte.
func (x *exchange) rescue() (reason string) {
	if len(x.want.tools) == 0 || x.want.mode == none || x.form == nil {
		return "no call is expected"
	}
	set := x.toolset(x.want.tools)
	if set.catalog == nil {
		return set.problem
	}
	x.set = set
	return "its tools stay native"
}

// forget removes header fields that described the old body.
func forget(h http.Header) {
	for _, key := range []string{"Content-Length", "Content-Md5", "Digest", "Content-Digest"} {
		h.Del(key)
	}
}

// withBody returns a copy of a request with another body.
func withBody(ctx context.Context, req *http.Request, body []byte) *http.Request {
	out := req.Clone(ctx)
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.ContentLength = int64(len(body))
	out.TransferEncoding = nil
	return out
}
