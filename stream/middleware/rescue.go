package middleware

import (
	"net/http"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A server that should turn its model's calls into native ones does not always do so:
// some come out as text, in the format the model was trained on. Under Options.Rescue,
// requests are sent unchanged, and such calls are taken out of the text. Everything
// that is not a call of a declared tool stays text, byte for byte.

// rescue begins an exchange whose request stays unchanged. The reason says why its
// response does, too.
func (e *engine) rescue(d *dialect, req *http.Request, data []byte, next roundTrip) (x *exchange, reason string) {
	body := readValid(data)
	if body == nil {
		return nil, "the body is no JSON object"
	}
	want, reason := d.read(req, body, readObjects(d.conversation(body)), &e.opts)
	switch {
	case reason != "":
		return nil, reason
	case len(want.tools) == 0 || want.mode == none || d.form == nil:
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
	if d.damaged && !d.x.opts.ContinueAfterMalformed || d.x.want.one && d.calls > 0 || !d.x.want.allows(s.Name) || d.leak.endless {
		d.leave(s)
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

// leak keeps the bytes of what may be a call, even beyond the limit on one, because
// what is not a call must stay text to its last byte.
type leak struct {
	kept    []byte // what was fed since nothing was held back
	from    int    // offset of it in the message
	first   int    // bytes of the piece that it begins with
	fed     int    // bytes of the message so far
	endless bool   // a leak was twice as long as a call may be: what follows is text
}

func (l *leak) reset() { *l = leak{kept: l.kept[:0], endless: l.endless} }

// leaked reads a piece of text. It returns false if nothing more may be read.
func (d *decoder) leaked(text []byte) bool {
	l := &d.leak
	if l.endless {
		d.text(text)
		return true
	}
	if len(l.kept) == 0 {
		l.from, l.first = l.fed, len(text)
	}
	l.kept, l.fed = append(l.kept, text...), l.fed+len(text)
	d.parser.Feed(text)
	ok := d.read()
	switch {
	case d.parser.Skip(0, nil):
		l.kept = l.kept[:0]
	case l.endless || len(l.kept)-l.first > 2*d.x.opts.Limits.OrDefault().Bytes:
		d.interrupt()
		l.endless = true
	}
	return ok
}

// leave keeps as text what is not a call, or must not be one.
func (d *decoder) leave(s *parse.Segment) {
	reason := "it may not be called now"
	if s.Err != nil {
		reason = s.Err.Error()
	}
	d.damaged = true
	l := &d.leak
	l.endless = l.endless || s.End-s.Start > 2*d.x.opts.Limits.OrDefault().Bytes
	source := l.kept[s.Start-l.from : s.End-l.from]
	d.text(source)
	d.x.report(Rewrite{Stage: Malformed, Before: source, After: source, Reason: reason})
}
