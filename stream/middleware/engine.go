package middleware

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
)

// roundTrip sends a request.
type roundTrip func(*http.Request) (*http.Response, error)

// An engine is what a Transport and a Middleware share. It may be used concurrently.
type engine struct {
	opts     Options
	toolsets memo[[sha256.Size]byte, *toolset]
}

func newEngine(opts Options) *engine {
	if opts.MaxRequest <= 0 {
		opts.MaxRequest = defaultMaxRequest
	}
	if opts.MaxResponse <= 0 {
		opts.MaxResponse = defaultMaxResponse
	}
	if opts.Retries == 0 {
		opts.Retries = 1
	}
	if opts.LiveAfter == 0 {
		opts.LiveAfter = defaultLiveAfter
	}
	// One more byte than the limit is read, to see whether there are more.
	opts.MaxRequest = min(opts.MaxRequest, math.MaxInt64-1)
	opts.MaxResponse = min(opts.MaxResponse, math.MaxInt64-1)
	return &engine{opts: opts}
}

// do sends a request with next. It rewrites a request that involves tools.
func (e *engine) do(
	req *http.Request, next func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	if req == nil {
		return nil, errors.New("middleware: the request is nil")
	}
	d := dialectOf(req)
	if d == nil {
		return next(req)
	}
	if e.opts.Constrain != "" && !slices.Contains(engines, e.opts.Constrain) {
		return nil, &Error{Code: unknownEngine, detail: e.opts.Constrain}
	}
	reason := e.unread(req)
	if reason != "" {
		e.untouched(req, reason)
		return next(req)
	}
	data, err := readAll(req.Body, e.opts.MaxRequest+1)
	if err != nil {
		return nil, errors.Join(err, req.Body.Close())
	}
	if int64(len(data)) > e.opts.MaxRequest {
		e.untouched(req, tooLong)
		out := req.Clone(req.Context())
		out.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(data), req.Body), req.Body}
		return pass(req, out, next)
	}
	err = req.Body.Close()
	if err != nil {
		return nil, err
	}
	return e.send(d, req, data, next)
}

const tooLong = "the body is over the limit"

// unread returns why a request is sent without reading its body, or "".
func (e *engine) unread(req *http.Request) string {
	coding := req.Header.Get("Content-Encoding")
	switch {
	case coding != "" && coding != "identity":
		return "the body is compressed"
	case strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-"):
		return "the request is signed: rewrite it before that"
	case req.ContentLength > e.opts.MaxRequest:
		return tooLong
	}
	return ""
}

// send sends a request with that body. It rewrites a request that involves tools.
func (e *engine) send(
	d *dialect, req *http.Request, data []byte, next roundTrip,
) (*http.Response, error) {
	if e.opts.Rescue != nil {
		x, reason := e.rescue(d, req, data, next)
		if reason == "" {
			reason = "its tools stay native"
		}
		e.untouched(req, reason)
		out := withBody(req.Context(), req, data)
		if x == nil {
			return pass(req, out, next)
		}
		return x.begin(out, data)
	}
	x, body, reason, err := e.begin(d, req, data, next)
	switch {
	case err != nil:
		return nil, err
	case reason == lostThread:
		return threadNotFound(req), nil
	case reason != "":
		e.untouched(req, reason)
		return pass(req, withBody(req.Context(), req, data), next)
	}
	e.opts.report(req, Rewrite{Stage: Request, Before: data, After: body})
	out := withBody(req.Context(), req, body)
	forget(out.Header)
	if x.set == nil {
		return pass(req, out, next)
	}
	return x.begin(out, body)
}

// readAll reads at most limit bytes. Its memory follows the bytes that arrive.
func readAll(body io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(body, limit))
}

// pass sends out in place of req; the response names req as its request.
func pass(req, out *http.Request, next roundTrip) (*http.Response, error) {
	resp, err := next(out)
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}

// begin rewrites the body of a request. If the body must stay unchanged, it returns the
// reason.
func (e *engine) begin(
	d *dialect, req *http.Request, data []byte, next roundTrip,
) (x *exchange, rewritten []byte, reason string, err error) {
	body := readValid(data)
	if body == nil {
		return nil, nil, "the body is not a JSON object", nil
	}
	messages := d.conversation(body)
	objects := readObjects(messages)
	want, reason := e.demand(d, req, body, objects)
	if reason != "" {
		return nil, nil, reason, nil
	}
	var set *toolset
	if len(want.tools) > 0 {
		set = e.toolset(req, want.tools)
	} else {
		set = &toolset{}
		set.manual, set.err = manual.New(nil, &e.opts.Manual)
	}
	if set.problem != "" || set.err != nil {
		return nil, nil, set.problem, set.err
	}
	for _, name := range want.allowed {
		if set.catalog.Lookup([]byte(name)) == nil {
			return nil, nil, "tool_choice names a tool that is not declared", nil
		}
	}
	warn := func(err *manual.HistoryError) {
		e.warn(req, fmt.Sprintf("a call in message %d, part %d, cannot be written",
			err.Message, err.Part))
	}
	source := slices.Clone(body)
	body, err = d.rewrite(body, messages, objects, &want, set, &e.opts, warn)
	if err != nil {
		return nil, nil, err.Error(), nil
	}
	own := constraintOf(body)
	body, custom := e.constrain(req, d, body, &want, set)
	rewritten = body.Append(make([]byte, 0, len(data)+len(set.manual.String())))
	x = &exchange{
		opts: &e.opts, dialect: d, want: want, custom: custom, source: source, req: req, next: next,
		forced:  want.mode == required && constraintOf(body) != own,
		retries: e.opts.Retries, loads: mostLoads,
		ids: idSource{prefix: d.idPrefix, body: rewritten},
	}
	if set.catalog != nil && want.mode != none && d.form != nil {
		x.set = set
	}
	return x, rewritten, "", nil
}

// demand returns what a request asks for, or the reason to leave it unchanged.
func (e *engine) demand(
	d *dialect, req *http.Request, body object, messages []object,
) (want demand, reason string) {
	for _, o := range slices.Concat(messages, []object{body}) {
		key, twice := repeatedKey(o)
		if twice {
			return want, "two members are " + lexer.Excerpt([]byte(key))
		}
	}
	want, reason = d.read(req, body, messages, &e.opts)
	switch {
	case reason != "":
	case want.mode == required && e.opts.KeepToolChoice:
		reason = "tool_choice is left to the upstream"
	case want.mode == required && len(want.tools) == 0:
		reason = "a call is required, and there is no tool"
	}
	return want, reason
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

// untouched reports that a request is sent unchanged.
func (e *engine) untouched(req *http.Request, reason string) {
	e.opts.report(req, Rewrite{Stage: Untouched, Reason: reason})
}

// warn reports what could not be done.
func (e *engine) warn(req *http.Request, problem string) {
	e.opts.report(req, Rewrite{Stage: Warned, Reason: problem})
}
