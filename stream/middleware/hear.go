package middleware

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// hear takes a piece of text. An event whose text is delivered as it came is passed on unchanged.
func (v *voice) hear(e *event) {
	n := len(v.x.events)
	isExact := !e.own && v.carry == nil && highSurrogate(e.value) == nil
	v.at = e.at
	e.text = v.unquote(e.value)
	if isExact {
		v.current = e
	}
	v.feed(e.text)
	v.current = nil
	if isExact && len(e.text) == 0 && len(v.x.events) == n {
		v.x.deliver(*e)
	}
}

// unquote returns the text of a JSON string, joined with the half character that ended
// the string before.
func (v *voice) unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && v.carry == nil {
		return quoted[1 : len(quoted)-1]
	}
	if v.carry != nil {
		quoted = slices.Concat([]byte{'"'}, v.carry, quoted[1:])
		v.carry = nil
	}
	half := highSurrogate(quoted)
	if half != nil {
		v.carry = bytes.Clone(half)
		quoted = append(bytes.Clone(quoted[:len(quoted)-1-len(half)]), '"')
	}
	// A surrogate without its partner becomes U+FFFD.
	return lexeme.AppendJSONUnquoted(nil, quoted[1:len(quoted)-1], utf8.RuneError)
}

// feed reads a piece of text.
func (v *voice) feed(text []byte) {
	switch v.phase {
	case readsText:
		v.say(text)
		return
	case readsNothing:
		return
	}
	v.add(text)
	v.decoder.Write(text)
	if !v.mayRetry() && !v.mayLoad() { // the text so far isn't needed any more
		v.drop()
	}
	if v.x.rescues && (v.phase == readsText || len(v.text) > v.longest()) {
		v.interrupt()
		v.phase = readsText
	}
}

// longest is the length limit, under Options.Rescue, of a span that isn't a call. After a
// longer one the rest of the message is text, since the span must be kept completely.
func (v *voice) longest() int { return 2 * v.x.opts.Limits.OrDefault().Bytes }

// errDone stops the decoder: nothing more of the message is read.
var errDone = errors.New("the message is over")

// read takes an event of the decoder.
func (v *voice) read(e stream.Event) error {
	switch e.Type {
	case stream.InputStart:
		v.say(v.results.flush())
		v.start(e.Name)
		return nil
	case stream.InputDelta:
		v.arrive(e.Delta)
		return nil
	}
	v.pos = max(v.pos, e.Start, e.End)
	switch e.Type {
	case stream.TextDelta:
		v.prose(e.Delta)
	case stream.ReasoningDelta:
		v.think(e.Delta)
	case stream.ReasoningStart, stream.ReasoningEnd:
		v.think(v.span(e.Start, e.End))
	case stream.Call, stream.Malformed:
		v.say(v.results.flush())
		s := &parse.Segment{Start: e.Start, End: e.End, Text: e.Text, Call: e.Call, Err: e.Err}
		if e.Err != nil {
			v.malformed(s)
		} else {
			v.call(s)
		}
	}
	if v.phase == readsNothing || v.x.replied != nil {
		return errDone
	}
	return nil
}

// think takes reasoning and its tags.
func (v *voice) think(text []byte) {
	v.say(v.results.flush())
	v.say(text)
	v.inCode = ""
	v.thinking = v.base + v.pos
}

// prose takes text outside of calls and reasoning.
func (v *voice) prose(text []byte) {
	if v.inCode != "" && len(bytes.Trim(text, " \t\r\n`~")) > 0 {
		v.inCode = ""
	}
	said, dropped := v.results.pass(text)
	v.say(said)
	if dropped > 0 {
		v.phase = readsNothing
		v.text = v.upTo(v.pos - dropped)
		const reason = "the model invented a result; the message ends before it"
		v.x.report(Rewrite{Stage: Invented, Reason: reason})
	}
}

func (v *voice) say(text []byte) {
	isStripped := v.x.opts.StripAll || v.x.opts.StripLeading && v.calls == 0
	if v.x.rescues || !isStripped {
		v.sayAlways(text)
	}
}

// sayAlways delivers text even if the options strip it.
func (v *voice) sayAlways(text []byte) {
	switch {
	case len(text) == 0:
		return
	case v.holds:
		v.x.kept += len(text)
		v.answer = append(v.answer, text...)
		return
	}
	v.spoke = v.spoke || !isBlank(text)
	if v.current != nil && bytes.Equal(text, v.current.text) {
		v.x.deliver(*v.current)
		v.current = nil
		return
	}
	if n := len(v.x.events); n > 0 && v.isOurs(&v.x.events[n-1]) {
		v.x.events[n-1].text = append(v.x.events[n-1].text, text...)
		return
	}
	e := event{kind: kindText, choice: v.choice, at: v.at}
	e.text = append(make([]byte, 0, len(text)+8), text...)
	v.x.deliver(e)
}

// isOurs reports whether an event is text of this block that can be appended to.
func (v *voice) isOurs(e *event) bool {
	isHere := e.choice == v.choice && e.at == v.at
	return isHere && e.kind == kindText && !e.same && e.source == nil
}

// interrupt ends what is held back, because something that isn't text follows.
func (v *voice) interrupt() { v.flush((*stream.Decoder).Break) }

// closeText ends the text.
func (v *voice) closeText(isCut bool) {
	if isCut {
		v.flush((*stream.Decoder).Abort)
	} else {
		v.flush((*stream.Decoder).Close)
	}
}

// flush delivers what is held back, as end makes the decoder read it.
func (v *voice) flush(end func(*stream.Decoder) error) {
	if v.carry != nil {
		v.carry = nil
		v.feed([]byte("\ufffd"))
	}
	end(v.decoder)
	v.say(v.results.flush())
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// A transcript is the text of a message that may still be needed: the source of a call, or
// a message that may be sent back. The decoder counts offsets from text[base], which moves
// when text is dropped.
type transcript struct {
	text []byte
	base int
	fed  int  // bytes passed to the decoder
	pos  int  // end of what it has emitted
	most int  // bytes of text kept at most
	full bool // there was more, so the text is incomplete
}

func (t *transcript) add(text []byte) {
	if t.full || len(t.text)+len(text) > t.most {
		t.full, t.text = true, nil
	} else {
		t.text = append(t.text, text...)
	}
	t.fed += len(text)
}

// idle reports whether the decoder has emitted all text.
func (t *transcript) idle() bool { return t.pos == t.fed }

// drop forgets the text that the decoder has emitted.
func (t *transcript) drop() {
	n := max(0, min(t.base+t.pos, len(t.text)))
	t.text = t.text[:copy(t.text, t.text[n:])]
	t.base -= n
	if len(t.text) == 0 && t.idle() {
		t.full = false
		t.base = -t.pos
	}
}

// span returns a part of the text, or nil if it was not kept.
func (t *transcript) span(start, end int) []byte {
	from, to := t.base+start, t.base+end
	if t.full || from < 0 || to > len(t.text) {
		return nil
	}
	return t.text[from:to]
}

// upTo returns the text up to an offset.
func (t *transcript) upTo(end int) []byte {
	return t.text[:max(0, min(len(t.text), t.base+end))]
}

// After its call, a model may continue with a result that it invents. The rest of the
// message is useless, so the message ends there.

// inventedTags begin results, which only the application may write.
var inventedTags = []string{wireResult, "<tool-error"}

// A resultFilter passes text up to an invented result. It holds back what may be the
// beginning of one. The zero value passes everything.
type resultFilter struct {
	tags []string
	held []byte
	last byte // the byte before held
}

// pass returns the text that may be delivered, and how many bytes, from an invented
// result on, are dropped. It returns text itself if it can.
func (f *resultFilter) pass(text []byte) (out []byte, dropped int) {
	if len(f.held) > 0 {
		text = append(f.held, text...)
		f.held = nil
	}
	last := f.last
	for i, c := range text {
		size := f.match(text[i:])
		switch {
		case size == 0 || last == '`':
		case size <= len(text)-i:
			return text[:i], len(text) - i
		default:
			f.last = last
			f.held = append(f.held, text[i:]...)
			return text[:i], 0
		}
		last = c
	}
	f.last = last
	return text, 0
}

// flush returns what is held back, because something other than text follows.
func (f *resultFilter) flush() []byte {
	held := f.held
	f.held, f.last = nil, 0
	return held
}

// match returns the length of the tag that text begins with or may begin with; 0 if there is none.
func (f *resultFilter) match(text []byte) int {
	for _, tag := range f.tags {
		n := min(len(text), len(tag)) // 0 if results begin with a name
		if n > 0 && tag[0] == text[0] && tag[:n] == string(text[:n]) {
			return len(tag)
		}
	}
	return 0
}
