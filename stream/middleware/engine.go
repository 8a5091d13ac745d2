package middleware

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
)

// roundTrip sends a request.
type roundTrip func(*http.Request) (*http.Response, error)

// engine is what a Transport and a Middleware share. It may be used by several
// goroutines at once.
type engine struct {
	opts  Options
	cache toolsetCache
}

func newEngine(opts Options) *engine {
	if opts.MaxRequest <= 0 {
		opts.MaxRequest = DefaultMaxRequest
	}
	opts.MaxRequest = min(opts.MaxRequest, math.MaxInt64-1) // one more byte is read, to see whether there are more
	if opts.Retries == 0 {
		opts.Retries = 1
	}
	if opts.LiveAfter == 0 {
		opts.LiveAfter = DefaultLiveAfter
	}
	if opts.MaxResponse <= 0 {
		opts.MaxResponse = DefaultMaxResponse
	}
	opts.MaxResponse = min(opts.MaxResponse, math.MaxInt64-1)
	return &engine{opts: opts}
}

// do sends a request with next, rewritten if it has to do with tools.
func (e *engine) do(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	if req == nil {
		return nil, errors.New("middleware: expected a request, found nil")
	}
	d := dialectOf(req)
	if d == nil {
		return next(req)
	}
	if coding := req.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		e.untouched(req, "the body is compressed")
		return next(req)
	}
	if strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-") {
		e.untouched(req, "the request is signed: rewrite it before that")
		return next(req)
	}
	if req.ContentLength > e.opts.MaxRequest {
		e.untouched(req, "the body is over the limit")
		return next(req)
	}
	data, err := readAll(req.Body, req.ContentLength, e.opts.MaxRequest+1)
	if err != nil {
		return nil, errors.Join(err, req.Body.Close())
	}
	if int64(len(data)) > e.opts.MaxRequest {
		e.untouched(req, "the body is over the limit")
		out := req.Clone(req.Context())
		out.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(data), req.Body), req.Body}
		return pass(req, out, next)
	}
	if err := req.Body.Close(); err != nil {
		return nil, err
	}
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

// begin sends the request, with that body, and reads the response.
func (x *exchange) begin(out *http.Request, body []byte) (*http.Response, error) {
	out.Header.Del("Accept-Encoding")
	x.body, x.sent = body, out
	resp, err := pass(x.req, out, x.next)
	if err != nil {
		return resp, err
	}
	return x.response(resp)
}

// readAll reads at most limit bytes. Size is how many are expected, negative if
// unknown.
func readAll(body io.Reader, size, limit int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(max(0, min(size, limit))) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(&steady{r: body}, limit))
	return b.Bytes(), err
}

// pass sends out in place of req; the response names req as its request.
func pass(req, out *http.Request, next roundTrip) (*http.Response, error) {
	resp, err := next(out)
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}

// begin rewrites the body of a request. The reason says why it stays unchanged.
func (e *engine) begin(d *dialect, req *http.Request, data []byte, next roundTrip) (x *exchange, rewritten []byte, reason string, err error) {
	body := readValid(data)
	if body == nil {
		return nil, nil, "the body is no JSON object", nil
	}
	messages := d.conversation(body)
	objects := readObjects(messages)
	for _, o := range slices.Concat(objects, []object{body}) {
		if key, is := o.twice(); is {
			return nil, nil, "two members are " + lexer.Excerpt([]byte(key)), nil
		}
	}
	want, reason := d.read(req, body, objects, &e.opts)
	if reason != "" {
		return nil, nil, reason, nil
	}
	if want.mode == required && e.opts.ToolChoice == Native {
		return nil, nil, "tool_choice is left to the upstream", nil
	}
	if want.mode == required && len(want.tools) == 0 {
		return nil, nil, "a call is required, and there is no tool", nil
	}
	set := &toolset{}
	if len(want.tools) > 0 {
		tools := appendArray(nil, want.tools)
		set = e.cache.get(tools, func() *toolset {
			set := newToolset(tools, len(want.tools), e.opts.Manual)
			if over := new(manual.BudgetError); set.problem == "" && e.opts.Manual.Budget > 0 && errors.As(e.opts.Manual.Check(set.catalog), &over) {
				e.opts.warn(req, over.Error())
			}
			return set
		})
	}
	if set.problem != "" {
		return nil, nil, set.problem, nil
	}
	for _, name := range want.allowed {
		if set.catalog.Lookup([]byte(name)) == nil {
			return nil, nil, "tool_choice names a tool that is not there", nil
		}
	}
	history := manual.HistoryOptions{Options: e.opts.Manual, API: mediaOf[d.name], NeutralizeUser: !e.opts.KeepUserText, Report: func(err *manual.HistoryError) {
		e.opts.warn(req, fmt.Sprintf("a call in message %d, part %d, cannot be written", err.Message, err.Part))
	}}
	source := slices.Clone(body)
	body, err = d.rewrite(body, messages, objects, &want, history, set, &e.opts)
	var tags *manual.DelimsError
	if errors.As(err, &tags) {
		return nil, nil, "", err
	}
	if err != nil {
		return nil, nil, err.Error(), nil
	}
	own := constraintOf(body)
	body, custom := e.constrain(req, d, body, &want, set)
	rewritten = body.appendTo(make([]byte, 0, len(data)+len(set.manual)))
	x = &exchange{opts: &e.opts, dialect: d, want: want, custom: custom, forced: want.mode == required && constraintOf(body) != own, source: source, req: req, next: next, retries: e.opts.Retries, loads: mostLoads}
	x.ids = idSource{prefix: d.idPrefix, body: rewritten}
	if set.catalog != nil && want.mode != none && d.form != nil {
		x.set = set
	}
	return x, rewritten, "", nil
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
	out.Body, _ = out.GetBody()
	out.ContentLength = int64(len(body))
	out.TransferEncoding = nil
	return out
}

// untouched reports that a request is sent unchanged.
func (e *engine) untouched(req *http.Request, reason string) {
	e.opts.report(req, Rewrite{Stage: Untouched, Reason: reason})
}

// warn tells the logger what could not be done.
func (o *Options) warn(req *http.Request, problem string) {
	if o.Logger != nil {
		o.Logger.LogAttrs(req.Context(), slog.LevelWarn, "callwire", slog.String("problem", problem))
	}
}

// report tells the logger and the hook what was done.
func (o *Options) report(req *http.Request, r Rewrite) {
	if o.Logger != nil {
		o.Logger.LogAttrs(req.Context(), slog.LevelDebug, "callwire",
			slog.String("stage", r.Stage.String()), slog.Int("before", len(r.Before)), slog.Int("after", len(r.After)))
	}
	if o.OnRewrite != nil {
		if r.Path = req.URL.Path; r.API == "" {
			if d := dialectOf(req); d != nil {
				r.API = d.name
			}
		}
		o.OnRewrite(r)
	}
}
