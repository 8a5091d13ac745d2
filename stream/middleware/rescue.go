package middleware

import "github.com/callwire/callwire/parse"

// Servers that turn their model's calls into native ones sometimes leave a call in the
// text, in the format that the model was trained on. Under Options.Rescue requests are
// sent unchanged, and such calls are taken out of the text. Everything that is not a call
// of a declared tool stays text, byte for byte.

// rescue prepares to read the response to a request that stays unchanged, and returns the
// reason why it does.
func (x *exchange) rescue(data []byte) (reason string) {
	if len(x.want.tools) == 0 || x.want.mode == none || x.form == nil {
		return "no call is expected"
	}
	set := x.toolset(x.req, distinct(x.want.tools))
	if set.catalog == nil {
		return set.problem
	}
	x.set, x.ids = set, idSource{prefix: x.idPrefix, body: data}
	return "its tools stay native"
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
