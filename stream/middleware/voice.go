package middleware

import "bytes"

// maxChoices is how many messages a response may have, as OpenAI allows.
const maxChoices = 128

// voice is one of the messages that a response consists of.
type voice struct {
	*decoder
	out     []event
	at      int          // what the text being read stands in
	closing *event       // the end of a block that ended with something held back
	refused map[int]bool // calls of the upstream's that are not delivered
	broke   bool         // the message, which is not streamed, was cut off
	done    bool
	pieces  bool   // calls may come in pieces
	all     []byte // text of a message that is not streamed
}

func (a *body) voice(choice int) *voice {
	v := a.voices[choice]
	if v == nil && len(a.voices) < maxChoices {
		v = &voice{refused: make(map[int]bool), done: a.over, pieces: a.streams && a.x.dialect != geminiAPI && !a.lines}
		v.decoder = a.x.newDecoder(v, choice)
		v.whole = !a.streams
		a.voices[choice] = v
	}
	return v
}

// take takes the next event of a message. It returns false if the message was sent back.
func (v *voice) take(e event) bool {
	if closing := v.closing; closing != nil && e.kind != kindMeta {
		v.closing = nil
		if !v.close(e.kind != kindEnd || e.cut) {
			return false
		}
		v.newline = false
		v.reset()
		closing.cut = v.less()
		v.out = append(v.out, *closing)
	}
	e.same = !e.own
	switch {
	case e.kind == kindMeta && e.id != "":
		v.reply, v.broke = e.id, e.cut
	case e.kind == kindEnd && !v.done:
		if !v.close(e.cut) || v.whole && v.x.retryWhole(v.all, v.decoder, e.cut) || !v.finish(e.cut) {
			return false
		}
		v.done = true
		if v.whole && !e.cut {
			v.x.missing = v.x.missing || v.x.misses(v.calls)
		}
		if v.x.missing {
			return true
		}
		if v.calls > 0 && !e.cut {
			e.called = true
		}
	case v.done:
		e.called = v.calls > 0
	case e.kind == kindText:
		return v.hear(e)
	case e.kind == kindNative && !v.native(e.name):
		v.refused[e.at] = true
		v.newline = v.newline && e.value == nil
		return true
	case e.kind == kindNative:
		v.refused[e.at] = false
	case e.kind == kindNativeMore && v.refused[e.at]:
		return true
	case e.kind == kindOther:
		v.interrupt()
		v.fixed = v.fixed || e.cut
	case e.kind == kindTextEnd && (v.idle() || v.whole):
		v.close(!v.whole || v.broke)
		v.newline = false
		v.reset()
		e.cut = v.less()
	case e.kind == kindTextEnd:
		e.source, e.same = readObject(nil, e.source.appendTo(nil)), false
		v.closing = &e
		return true
	}
	v.out = append(v.out, e)
	return true
}

// hear takes text.
func (v *voice) hear(e event) bool {
	n, exact := len(v.out), !e.own && v.carry == nil && highSurrogate(e.value) == nil
	v.at = e.at
	text := v.unquote(e.value)
	if v.whole {
		v.all = append(v.all, text...)
	}
	if !v.feed(text) {
		return false
	}
	if e.text = text; exact && (len(text) == 0 && len(v.out) == n || len(v.out) == n+1 && v.out[n].kind == kindText && bytes.Equal(v.out[n].text, text)) {
		e.same = true
		v.out = append(v.out[:n], e)
	}
	return true
}

// text implements sink.
func (v *voice) text(text []byte) {
	v.out = append(v.out, event{kind: kindText, choice: v.choice, at: v.at, text: bytes.Clone(text)})
}

// call implements sink.
func (v *voice) call(id, name string, input []byte) {
	if v.x.opts.SplitDeltas && v.pieces {
		callInPieces(v, id, name, input)
		return
	}
	v.out = append(v.out, event{kind: kindCall, choice: v.choice, at: v.at, id: id, name: name, text: bytes.Clone(input)})
}

// splits implements liveSink.
func (v *voice) splits() bool { return v.pieces }

// begin implements liveSink.
func (v *voice) begin(id, name string) {
	v.out = append(v.out, event{kind: kindCallStart, choice: v.choice, at: v.at, id: id, name: name})
}

// piece implements liveSink.
func (v *voice) piece(input []byte) {
	v.out = append(v.out, event{kind: kindCallInput, choice: v.choice, at: v.at, text: bytes.Clone(input)})
}

// complete implements liveSink.
func (v *voice) complete(input []byte, broken bool) {
	v.out = append(v.out, event{kind: kindCallEnd, choice: v.choice, at: v.at, text: bytes.Clone(input), cut: broken})
}
