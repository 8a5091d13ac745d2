package middleware

import (
	"maps"
	"slices"
)

// maxChoices is how many messages a response may have, as OpenAI allows.
const maxChoices = 128

// A reply is a response being read: the messages that it consists of.
type reply struct {
	x      *exchange
	form   form
	voices map[int]*voice
	events []event // memory for those of a frame
	err    *Error
}

func newReply(x *exchange, f form) *reply {
	return &reply{x: x, form: f, voices: make(map[int]*voice)}
}

// voice returns the voice of a message, or nil if there are too many.
func (r *reply) voice(choice int) *voice {
	v := r.voices[choice]
	if v == nil && len(r.voices) < maxChoices {
		v = r.x.newVoice(choice)
		r.voices[choice] = v
	}
	return v
}

// filter returns the events that the application gets. Same reports that they are the
// original ones. Ok is false if the message was sent back: nothing after out counts.
func (r *reply) filter(list []event) (out []event, same, ok bool) {
	same = true
	out = r.events[:0]
	for i := range list {
		e := &list[i]
		if e.kind == kindMeta && e.id != "" {
			r.x.reply = e.id
		}
		n, v := len(out), r.voice(e.choice)
		if v == nil {
			r.err = newError(tooManyChoices, "expected at most %d", maxChoices)
			return nil, false, true
		}
		v.out = out
		ok = v.take(e)
		out = v.out
		if !ok {
			return out, false, false
		}
		same = same && len(out) == n+1 && out[n].same
	}
	r.events = out
	return out, same, true
}

// close returns the events held back of messages that have not ended. Last reports the
// end of the response.
func (r *reply) close(last bool) (out []event) {
	for _, n := range slices.Sorted(maps.Keys(r.voices)) {
		v := r.voices[n]
		if v.done {
			continue
		}
		v.out = out
		v.abandon(last)
		out = v.out
	}
	return out
}
