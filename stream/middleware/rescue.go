package middleware

import (
	"net/http"

	"github.com/callwire/callwire/parse"
)

// Servers that turn their model's calls into native ones sometimes leave a call in the
// text, in the format that the model was trained on. Under Options.Rescue requests are
// sent unchanged, and such calls are taken out of the text. Everything that is not a call
// of a declared tool stays text, byte for byte.

// rescue begins an exchange whose request stays unchanged. If the response must stay
// unchanged as well, it returns the reason.
func (e *engine) rescue(
	d *dialect, req *http.Request, data []byte, next roundTrip,
) (x *exchange, reason string) {
	body := readValid(data)
	if body == nil {
		return nil, "the body is not a JSON object"
	}
	want, reason := d.read(req, body, readObjects(d.conversation(body)), &e.opts)
	switch {
	case reason != "":
		return nil, reason
	case len(want.tools) == 0 || want.mode == none || d.form == nil:
		return nil, "no call is expected"
	}
	set := e.toolset(req, distinct(want.tools))
	if set.catalog == nil {
		return nil, set.problem
	}
	x = &exchange{opts: &e.opts, dialect: d, want: want, set: set, rescues: true, req: req,
		next: next}
	x.ids = idSource{prefix: d.idPrefix, body: data}
	return x, ""
}

// rescue takes a call out of the text.
func (v *voice) rescue(s *parse.Segment) {
	x := v.x
	tooMany := x.want.one && v.calls > 0
	isOver := v.endless || v.damaged && !x.opts.AllowAfterMalformed
	if isOver || tooMany || !x.want.allows(s.Call.Name) {
		v.leave(s)
		return
	}
	v.deliver(v.count(), s, false)
}

// leave keeps a span as text that isn't a call or must not be one.
func (v *voice) leave(s *parse.Segment) {
	reason := "it may not be called now"
	if s.Err != nil {
		reason = s.Err.Error()
	}
	v.damaged = true
	v.endless = v.endless || s.End-s.Start > v.longest()
	source := v.span(s.Start, s.End)
	if source == nil {
		source = []byte(s.Text)
	}
	v.say(source)
	v.report(Rewrite{Stage: Malformed, Before: source, After: source, Reason: reason})
}
