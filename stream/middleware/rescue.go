package middleware

import (
	"net/http"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A server that should turn the calls of its model into native ones does not always
// do so: some come out as text, in the format that the model was trained on. Under
// Options.Rescue requests are sent as they are, and such calls are taken out of the
// text. What is no call of a tool that the request declares stays text, byte for
// byte.

// rescue begins an exchange whose request stays as it is. The reason says why its
// response does, too.
func (e *engine) rescue(d *dialect, req *http.Request, data []byte, next roundTrip) (x *exchange, reason string) {
	r, ok := new(known).read(d, data)
	if !ok {
		return nil, "the body is no JSON object"
	}
	want, reason := d.read(req, r.body, r.objects, false, &e.opts)
	switch {
	case reason != "":
		return nil, reason
	case len(want.tools) == 0 || want.mode == none || d.codec == nil:
		return nil, "no call is to be made"
	}
	tools := appendArray(nil, want.tools)
	set := e.cache.get(tools, func() *toolset { return newToolset(tools, len(want.tools), e.opts.Manual) })
	if set.catalog == nil {
		return nil, set.problem
	}
	x = &exchange{opts: &e.opts, dialect: d, want: want, set: set, rescues: true, req: req, next: next}
	x.ids = idSource{prefix: d.idPrefix, body: data}
	return x, ""
}

// rescue takes a call that stands in the text.
func (d *decoder) rescue(s *parse.Segment) {
	if d.damaged && !d.x.opts.ContinueAfterMalformed || d.x.want.one && d.calls > 0 || !d.x.want.allows(s.Name) {
		d.leave(s, d.source(s))
		return
	}
	for _, issue := range s.Issues {
		d.damaged = d.damaged || issue.Code == lexer.OpenQuote
	}
	id := d.deliver()
	if d.x.opts.OnRewrite != nil {
		after := object{{"id", quoted(id)}, {"name", quoted(s.Name)}, {"input", s.Input}}
		d.x.report(Rewrite{Stage: Call, Before: d.source(s), After: after.appendTo(nil)})
	}
	d.sink.call(id, s.Name, s.Input)
}

// leave leaves text what is no call, or may not be one.
func (d *decoder) leave(s *parse.Segment, source []byte) {
	reason := "it may not be called now"
	if s.Err != nil {
		reason = s.Err.Error()
	}
	d.damaged = true
	d.text(source)
	d.x.report(Rewrite{Stage: Malformed, Before: source, After: source, Reason: reason})
}
