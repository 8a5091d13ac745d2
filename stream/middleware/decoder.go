package middleware

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// sink takes what a decoder finds, in order. The bytes hold until the method
// returns.
type sink interface {
	text(text []byte)
	call(id, name string, input []byte)
}

// decoder reads the text of one choice of a response, or of the text blocks of
// an Anthropic message, and gives text and whole calls to its sink.
type decoder struct {
	x      *exchange
	parser *parse.Parser
	sink   sink
	choice int
	reply  string // id of the response

	// Whole says that nothing of the message is delivered before its end, so
	// that whatever is malformed in it may be sent back to the model.
	whole  bool
	faults []string // under whole: what the model is told

	calls   int    // delivered
	said    bool   // text or a call was delivered
	damaged bool   // a malformed span was read, or an open quote
	newline bool   // the text so far ends with a line that must end
	run     []byte // text of the piece being read that was not given to the sink yet
	lead    []byte // white space at the beginning, until it is known not to be sent back
	carry   []byte // half of a surrogate pair, as an escape, that the last piece ended with
	buf     []byte // memory for unquoted text
}

func (x *exchange) newDecoder(s sink, choice int) *decoder {
	p, err := parse.NewParser(x.set.catalog, parse.Options{
		Delims:             x.opts.Manual.Delims,
		Limits:             x.opts.Limits,
		Strict:             x.opts.Strict,
		StopAfterMalformed: !x.opts.ContinueAfterMalformed,
		AcceptAtEnd:        x.opts.AcceptAtEnd,
	})
	if err != nil {
		panic("middleware: tags that were legal in the request: " + err.Error()) // Rewrite has checked them
	}
	p.Whole()
	return &decoder{x: x, parser: p, sink: s, choice: choice}
}

// unquote returns the text that a JSON string spells, joined with what the
// string before ended in the middle of. It holds until the next call.
func (d *decoder) unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && d.carry == nil {
		return quoted[1 : len(quoted)-1]
	}
	if d.carry != nil {
		joined := append([]byte{'"'}, d.carry...)
		quoted = append(joined, quoted[1:]...)
		d.carry = nil
	}
	if half := highSurrogate(quoted); half != nil {
		d.carry = bytes.Clone(half)
		cut := append([]byte(nil), quoted[:len(quoted)-1-len(half)]...)
		quoted = append(cut, '"')
	}
	d.buf = appendUnquoted(d.buf[:0], quoted)
	return d.buf
}

// plain takes a piece that is text as it is, with nothing held back before it or
// in it, and returns true; or does nothing. The sink does not get it.
func (d *decoder) plain(text []byte) bool {
	if d.carry != nil || d.newline || len(d.lead) > 0 || !d.said && d.mayRetry() && isBlank(text) {
		return false
	}
	if !d.parser.Prose(text) {
		return false
	}
	d.said = d.said || len(text) > 0
	return true
}

// idle reports whether nothing is held back.
func (d *decoder) idle() bool {
	return d.parser.Idle() && d.carry == nil && len(d.lead) == 0
}

// feed reads a piece of text. It returns false where the message was sent back
// to the model: then nothing more of it may be read.
func (d *decoder) feed(text []byte) bool {
	d.parser.Feed(text)
	return d.read()
}

// close ends the message. A message that was cut off has no call at its end,
// and is not sent back. Like feed it returns false where it was sent back.
func (d *decoder) close(cutOff bool) bool {
	if d.carry != nil {
		half := append(append([]byte{'"'}, d.carry...), '"')
		d.carry = nil
		if !d.feed(appendUnquoted(nil, half)) {
			return false
		}
	}
	if cutOff {
		d.said = true
		d.parser.Abort()
	} else {
		d.parser.Close()
	}
	if !d.read() {
		return false
	}
	d.flushLead()
	return true
}

// reset prepares for the next block of text of the same message.
func (d *decoder) reset() { d.parser.Reset() }

func (d *decoder) read() bool {
	for {
		switch d.parser.Next() {
		case parse.NoPart:
			d.endRun()
			return true
		case parse.TextPart:
			d.run = append(d.run, d.parser.Text()...)
		case parse.CallPart:
			d.endRun()
			d.call(d.parser.Segment())
		case parse.MalformedPart:
			d.endRun()
			if !d.malformed(d.parser.Segment()) {
				return false
			}
		}
	}
}

// mayRetry reports whether a malformed call would be sent back now.
func (d *decoder) mayRetry() bool { return !d.said && !d.whole && d.x.mayRetry() }

// endRun delivers the text read so far.
func (d *decoder) endRun() {
	if len(d.run) > 0 {
		d.text(d.run)
		d.run = d.run[:0]
	}
}

func (d *decoder) text(text []byte) {
	if d.mayRetry() && isBlank(text) {
		d.lead = append(d.lead, text...)
		return
	}
	d.flushLead()
	d.say(text)
}

// flushLead delivers the white space that was held at the beginning.
func (d *decoder) flushLead() {
	if len(d.lead) > 0 {
		lead := d.lead
		d.lead = nil
		d.say(lead)
	}
}

func (d *decoder) say(text []byte) {
	if d.newline {
		d.newline = false
		if text[0] != '\n' && text[0] != '\r' {
			d.sink.text(newline)
		}
	}
	d.said = true
	d.sink.text(text)
}

var newline = []byte("\n")

func (d *decoder) call(s *parse.Segment) {
	switch {
	case d.damaged && !d.x.opts.ContinueAfterMalformed: // in an earlier block
		d.refuse(s, parse.Segment{
			Kind: parse.Malformed, Name: s.Name, Start: s.Start, End: s.End,
			Err: &lexer.Error{Code: lexer.AfterMalformed, Offset: s.Start, Tool: s.Name},
		})
		return
	case d.x.one && d.calls > 0:
		d.refuse(s, parse.Segment{})
		return
	}
	d.flushLead()
	d.said = true
	id := d.x.ids.id(d.reply, d.choice, d.calls)
	d.calls++
	for _, issue := range s.Issues {
		d.damaged = d.damaged || issue.Code == lexer.OpenQuote
	}
	if d.x.opts.OnRewrite != nil {
		after := object{{"id", quoted(id)}, {"name", quoted(s.Name)}, {"input", s.Input}}
		d.x.report(Rewrite{Stage: Call, Before: d.source(s), After: after.appendTo(nil)})
	}
	d.sink.call(id, s.Name, s.Input)
}

// source returns a call as it is written canonically: its own bytes are gone.
func (d *decoder) source(s *parse.Segment) []byte {
	text, err := parse.FormatOptions{Delims: d.x.opts.Manual.Delims}.Format(d.x.set.catalog, s.Name, s.Input)
	if err != nil {
		return s.Input
	}
	return []byte(text)
}

// refuse gives a call to the application as text that was not malformed itself.
// Wrong says what it is instead; without it, one call too many.
func (d *decoder) refuse(s *parse.Segment, wrong parse.Segment) {
	source := d.source(s)
	if wrong.Err == nil {
		d.broken(source, d.x.opts.Manual.ErrorResult(s.Name, "This call was not executed: one call in each message is allowed. Write it again in the next one."))
		return
	}
	wrong.Text = source
	d.broken(source, d.x.opts.Manual.Feedback(d.x.set.catalog, wrong))
}

// malformed takes a malformed call. It returns false where the message was sent
// back.
func (d *decoder) malformed(s *parse.Segment) bool {
	d.damaged = true
	feedback := d.x.opts.Manual.Feedback(d.x.set.catalog, *s)
	if d.whole {
		d.faults = append(d.faults, feedback)
	} else if d.mayRetry() && !s.Cut && d.x.retry(s.Text, feedback) {
		return false
	}
	d.broken(s.Text, feedback)
	return true
}

// broken gives the source of a call that is not delivered to the application, as
// text, and behind it what was wrong.
func (d *decoder) broken(source []byte, feedback string) {
	d.flushLead()
	d.say(source)
	d.sink.text(newline)
	d.sink.text([]byte(feedback))
	d.newline = true
	d.x.report(Rewrite{Stage: Malformed, Before: source, After: []byte(feedback), Reason: feedback})
}

// isBlank reports whether text is white space only.
func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
