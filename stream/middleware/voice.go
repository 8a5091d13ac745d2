package middleware

import (
	"math"
	"slices"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// A phase is what becomes of the text of a message. From readsCalls it goes to readsText or to
// readsNothing, or to neither, and then to hasEnded: never back.
type phase uint8

const (
	readsCalls   phase = iota
	readsText          // everything that follows is text
	readsNothing       // the rest is an invented result, which is dropped with its calls
	hasEnded           // what follows is passed on, and closing is nil
)

// A voice turns the text of one message of a response into calls. It takes the events of the
// message, and delivers those that the application gets.
type voice struct {
	x      *exchange
	choice int
	phase  phase

	// Text being read.
	decoder *stream.Decoder
	reading parse.Options
	transcript
	results resultFilter
	carry   []byte // half of a surrogate pair, escaped, that ended the last piece
	at      int    // block of the text
	current *event // the event being read, if its text may be passed on as it came
	closing *event // end of a block whose last bytes are held back
	live    *liveCall

	// Delivered so far.
	calls  int  // the upstream's own included
	hosted bool // the upstream called a tool that it has, which must not be repeated
	spoke  bool // text other than whitespace
	holds  bool // text is held back in answer, because it must become JSON
	answer []byte

	// Not delivered.
	refused map[int]bool // calls of the upstream
	shown   int          // malformed calls that were reported to the application
	issues  int          // found while arguments were coerced

	damaged  bool   // a malformed call or an open quote was read
	cutOff   bool   // the message was cut off
	inCode   string // tool of a call in Markdown code that the text so far ends with
	thinking int    // length of the text when the last reasoning ended
}

// mostSentBack is the length of the longest message that is sent back to the model.
const mostSentBack = 1 << 20

func (x *exchange) newVoice(choice int) *voice {
	v := &voice{x: x, choice: choice, refused: make(map[int]bool)}
	o := &x.opts
	v.reading = o.Options
	v.reading.Format, v.reading.Tags, v.reading.NewID = o.Manual.Format, o.Manual.Tags, nil
	v.reading.AllowInCode = o.AllowInCode || x.forced
	v.reading.Reasoning = max(o.Reasoning, parse.TaggedReasoning)
	v.most = max(mostSentBack, v.longest())
	if x.rescues {
		v.reading.Format, v.most = o.Rescue, math.MaxInt
	}
	if x.native {
		v.phase = readsText
	}
	var err error
	v.decoder, err = stream.NewDecoder(x.set.catalog, v.read, &v.reading)
	if err != nil { // the whole message is text
		v.phase = readsText
		x.report(Rewrite{Stage: Warned, Reason: "calls are not read: " + err.Error()})
		v.decoder, _ = stream.NewDecoder(nil, v.read, nil)
	}
	if !x.rescues {
		v.results.tags = append(slices.Clone(inventedTags), resultOpener(&o.Manual))
	}
	v.holds = x.want.format != nil && !x.rescues && !x.native
	return v
}

// take takes the next event of the message. If x.replied is set afterwards, the message was sent
// back to the model: then the rest of it doesn't count.
func (v *voice) take(e *event) {
	v.cutOff = e.kind == kindEnd && e.cut
	isText := e.kind == kindText || e.kind == kindTextStart
	switch {
	case v.closing == nil || e.kind == kindMeta || e.kind == kindEnd:
	case isText: // what is held back goes on in this block: they become one
		v.closing = nil
		if e.kind == kindTextStart {
			return
		}
	default:
		v.interrupt()
		v.endBlock()
		if v.x.replied != nil {
			return
		}
	}
	e.same = !e.own
	if v.phase == hasEnded {
		e.called = v.calls > 0 && !e.cut
		if e.kind == kindText {
			e.text = v.unquote(e.value)
		}
		v.x.deliver(*e)
		return
	}
	switch e.kind {
	case kindText:
		v.hear(e)
		return
	case kindTextEnd:
		e.end = v.fed
		if !v.idle() {
			v.closing = &event{kind: e.kind, choice: e.choice, at: e.at, end: e.end,
				source: clone(e.source)}
			return
		}
	case kindOther:
		v.hosted = v.hosted || e.name != ""
		v.interrupt()
	case kindNative:
		v.refused[e.at] = !v.native(e.name)
	case kindEnd:
		v.end(e)
		return
	}
	isNative := e.kind == kindNative || e.kind == kindNativeMore
	isRefused := isNative && v.refused[e.at]
	if !isRefused && v.x.replied == nil {
		v.x.deliver(*e)
	}
}

// endBlock ends a block of text whose last bytes were held back.
func (v *voice) endBlock() {
	if v.closing != nil {
		v.x.deliver(*v.closing)
		v.closing = nil
	}
}

// end takes the end of the message.
func (v *voice) end(e *event) {
	v.closeText(e.cut)
	v.endBlock()
	if !e.cut && v.x.replied == nil {
		v.complete()
	}
	v.phase = hasEnded
	e.called = v.calls > 0 && !e.cut
	if v.x.replied != nil {
		return
	}
	v.release()
	if !v.x.missing {
		v.x.deliver(*e)
	}
}

// abandon ends a message that the upstream hasn't ended. Last reports the end of the response.
func (v *voice) abandon(last bool) {
	v.cutOff = true
	v.closeText(true)
	v.endBlock()
	v.release()
	v.phase = hasEnded
	if last && v.calls > 0 {
		v.x.deliver(event{kind: kindEnd, choice: v.choice, called: true})
	}
}

// idle reports whether no text is held back.
func (v *voice) idle() bool {
	isAllRead := v.transcript.idle() && v.carry == nil && len(v.results.held) == 0
	return isAllRead || v.phase == readsNothing
}

// mayRetry reports whether the message may be sent back now: only if none of its calls was
// delivered, so nothing happens twice. A message that isn't streamed is delivered at its end.
func (v *voice) mayRetry() bool {
	return v.x.retries > 0 && v.maySendBack() && (v.calls == 0 || !v.x.streams)
}

// mayLoad reports whether a call of the loader may be answered now.
func (v *voice) mayLoad() bool { return v.x.loads > 0 && v.maySendBack() && v.calls == 0 }

func (v *voice) maySendBack() bool {
	return !v.cutOff && !v.hosted && !v.full && len(v.text) < mostSentBack
}

// The end of the feedback on a message that was not delivered, and on one whose text was
// delivered.
const (
	rewriteAll  = "\nNothing of this message was executed. Write all of it again."
	continueNow = "\nNothing of this message was executed. Its text was delivered: " +
		"continue after it, do not repeat it."
)

// retry sends the message back if it may, with the text up to an offset and what is wrong with it.
// It reports whether another message replaces it, or continues the text of it that was delivered.
func (v *voice) retry(end int, feedback string) bool {
	if !v.mayRetry() {
		return false
	}
	v.x.retries--
	if v.x.streams && v.spoke {
		feedback += continueNow
	} else {
		feedback += rewriteAll
	}
	return v.x.again(Retry, v.upTo(end), feedback)
}

// complete completes a message whose text is all read, unless it sends it back.
func (v *voice) complete() {
	x := v.x
	lack := v.lack()
	if lack != "" && v.retry(v.fed, lack) {
		return
	}
	switch {
	case v.misses() && x.want.n > 1: // the other choices may have theirs
		x.warn("a choice lacks the required call")
	case v.misses():
		x.missing = true
	case v.holds && len(v.answer) > 0:
		v.fit()
	}
}

// fit makes the answer the JSON that the request wants, or asks for it natively.
func (v *voice) fit() {
	text, fits := v.x.want.format.fit(v.answer)
	switch {
	case fits:
		v.answer = text
	case v.calls == 0:
		v.x.askNatively()
	default: // clients read all text as JSON
		if !isBlank(v.answer) {
			v.x.warn("the text beside a call is left out, because it isn't the JSON wanted")
		}
		v.answer = nil
	}
}
