package middleware

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
	set := x.toolset(x.req, x.want.tools)
	if set.catalog == nil {
		return set.problem
	}
	x.set, x.ids = set, idSource{prefix: x.idPrefix, body: data}
	return "its tools stay native"
}

// leave keeps what isn't a call, or must not be one, as text.
func (v *voice) leave(r refusedCall) {
	v.damaged = true
	v.endless = v.endless || len(r.source) > v.longest()
	v.say(r.source)
	v.x.report(Rewrite{Stage: Malformed, Before: r.source, After: r.source, Reason: r.feedback})
}
