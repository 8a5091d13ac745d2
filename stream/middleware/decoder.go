package middleware

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// sink takes what a decoder finds, in order. The bytes are valid until the method
// returns.
type sink interface {
	text(text []byte)
	call(id, name string, input []byte)
}

// decoder reads the text of one choice of a response, or of the text blocks of
// a message that consists of blocks, and gives text and whole calls to its sink.
type decoder struct {
	x      *exchange
	parser parse.Reader
	opts   parse.Options // of the parser
	speech speech
	sink   sink
	lively liveSink // nil: nothing is delivered before its end
	live   *liveCall
	choice int
	reply  string // id of the response

	// Whole says that nothing of the message is delivered before its end, so whatever
	// is malformed in it may be sent back to the model.
	whole  bool
	faults []string // under whole: what the model is told
	loaded []string // under whole: what the loader answers

	made     int    // calls delivered from the text
	calls    int    // calls delivered, the upstream's own included
	told     int    // calls that were reported as wrong
	found    int    // issues found in calls during repair
	thinking bool   // reasoning is being read
	inCode   string // the tool of a call in Markdown code that the text so far ends with
	leak     leak   // under Options.Rescue
	fixed    bool   // nothing more is sent back
	damaged  bool   // a malformed span was read, or an open quote
	cutOff   bool   // what is being closed was cut off
	stripped bool   // text was left out, by Options.Strip
	newline  bool   // the text so far ends within a line that must end
	wrote    []byte // what the model has written, while it may be sent back
	thought  int    // how much of it was written when the last reasoning ended
	run      []byte // text of the piece being read that the sink has not got yet
	carry    []byte // half of a surrogate pair, escaped, that ended the last piece
	buf      []byte // memory for unquoted text
}

// mostSentBack is the length of the longest message, or call in it, that is sent back.
const mostSentBack = 1 << 20

func (x *exchange) newDecoder(s sink, choice int) *decoder {
	d := &decoder{x: x, sink: s, choice: choice}
	d.opts = parse.Options{
		Protocol:           x.protocol(),
		Delims:             x.opts.Manual.Delims,
		Limits:             x.opts.Limits,
		Strict:             x.opts.Strict,
		StopAfterMalformed: !x.opts.ContinueAfterMalformed,
		AcceptAtEnd:        x.opts.AcceptAtEnd,
		Salvage:            !x.opts.NoSalvage,
		Code:               !x.opts.CallsInCode && !x.forced,
		Reasoning:          true,
		InReasoning:        x.opts.InReasoning,
	}
	lively, ok := s.(liveSink)
	if d.opts.WholeCalls = !ok || !lively.splits() || x.opts.LiveAfter < 0 || x.opts.Strict || x.rescues; !d.opts.WholeCalls {
		d.lively = lively
	}
	var err error
	if d.parser, err = parse.NewReader(x.set.catalog, d.opts); err != nil {
		x.warn("no call is read: " + err.Error()) // of a protocol; the tags were checked when the request was rewritten
	}
	if d.speech.keeps = x.rescues; x.opts.Manual.Protocol != nil {
		d.speech.result = resultOpener(&x.opts.Manual)
	}
	return d
}

// restart makes the parser read what comes next as the beginning of text, in another
// block or after a part that is not read. The message itself goes on.
func (d *decoder) restart() {
	d.leak.reset()
	if !d.opts.InReasoning {
		d.parser.Reset()
		return
	}
	d.opts.InReasoning = false
	d.parser, _ = parse.NewReader(d.x.set.catalog, d.opts) // the error was reported
}

// unquote returns the text of a JSON string, joined with the half character that ended
// the string before. It is valid until the next call.
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
	if d.carry != nil || d.newline || d.strips() || !d.speech.plain(text) || !d.pass(text) {
		return false
	}
	d.record(text)
	return true
}

// strips reports whether text is left out now.
func (d *decoder) strips() bool {
	switch d.x.opts.Strip {
	case stream.StripAll:
		return !d.x.rescues
	case stream.StripLeading:
		return d.calls == 0 && !d.x.rescues
	}
	return false
}

// less reports whether the application gets less text than the model wrote.
func (d *decoder) less() bool { return d.speech.over || d.stripped }

// pass takes text past the reader if nothing else begins in it.
func (d *decoder) pass(text []byte) bool {
	if d.leak.endless {
		return true
	}
	ok := d.parser.Skip(len(text), text)
	if ok {
		d.leak.fed += len(text)
	}
	return ok
}

// record keeps what the model wrote while it may be sent back.
func (d *decoder) record(text []byte) {
	if d.inCode != "" && len(bytes.Trim(text, " \t\r\n`~")) > 0 {
		d.inCode = ""
	}
	if d.mayRetry() || d.mayLoad() || d.whole && d.calls == 0 {
		d.wrote = append(d.wrote, text...)
	}
}

// idle reports whether nothing is held back.
func (d *decoder) idle() bool {
	return d.parser.Skip(0, nil) && d.carry == nil && len(d.speech.held) == 0
}

// feed reads a piece of text. It returns false if the message was sent back to the
// model: then nothing more of it may be read.
func (d *decoder) feed(text []byte) bool {
	over := d.speech.over
	ok := d.speech.read(text, d)
	if d.speech.over && !over {
		d.x.report(Rewrite{Stage: Invented, Reason: "a result that the model invented is cut off, with all that follows it"})
	}
	return ok
}

// said implements listener.
func (d *decoder) said(text []byte) (inside, ok bool) {
	if d.x.rescues {
		ok = d.leaked(text)
	} else {
		d.parser.Feed(text)
		ok = d.read()
	}
	return d.thinking || d.unfinished(), ok
}

// unfinished reports whether a call is being read.
func (d *decoder) unfinished() bool { return d.parser.Segment().Kind == parse.Unfinished }

// interrupt ends what is held back, because something that is not read follows.
func (d *decoder) interrupt() {
	if d.parser.Skip(0, nil) {
		return
	}
	d.parser.Abort()
	d.read()
	d.restart()
}

// close ends the text, or a block of it. Text that was cut off has no call at its end,
// and is not sent back. Like feed, close returns false if the message was sent back.
func (d *decoder) close(cutOff bool) bool {
	d.cutOff = cutOff
	defer func() { d.cutOff = false }()
	if d.carry != nil {
		half := append(append([]byte{'"'}, d.carry...), '"')
		d.carry = nil
		if !d.feed(appendUnquoted(nil, half)) {
			return false
		}
	}
	if !d.speech.close(d) {
		return false
	}
	if cutOff {
		d.parser.Abort()
	} else {
		d.parser.Close()
	}
	return d.read()
}

// finish ends a message whose text is all closed. It returns false if the message was
// sent back because it lacks a call.
func (d *decoder) finish(cutOff bool) bool {
	if cutOff || d.whole {
		return true
	}
	lack := d.lack()
	if lack == "" {
		return true
	}
	if d.mayRetry() && d.x.retry(d.wrote, lack, true) {
		return false
	}
	d.x.missing = d.x.misses(d.calls)
	return true
}

// reset prepares for the next block of text of the same message.
func (d *decoder) reset() {
	d.restart()
	d.speech = speech{over: d.speech.over, keeps: d.speech.keeps, result: d.speech.result, buf: d.speech.buf}
}

func (d *decoder) read() bool {
	for {
		switch part := d.parser.Next(); part {
		case parse.NoPart:
			d.endRun()
			return true
		case parse.ReasoningStartPart, parse.ReasoningPart, parse.ReasoningEndPart: // passes
			d.thinking = part != parse.ReasoningEndPart
			fallthrough
		case parse.TextPart:
			if d.record(d.parser.Delta()); part == parse.ReasoningEndPart {
				d.thought = len(d.wrote)
			}
			if d.strips() {
				d.stripped = true
				continue
			}
			d.run = append(d.run, d.parser.Delta()...)
		case parse.StartPart:
			d.endRun()
			d.start(d.parser.Segment())
		case parse.InputPart:
			d.arrive(d.parser.Delta())
		case parse.CallPart:
			d.endRun()
			if !d.call(d.parser.Segment()) {
				return false
			}
		case parse.MalformedPart:
			if s := d.parser.Segment(); s.Err.Code == lexer.InCode { // an example that the model shows
				if d.strips() {
					d.record(s.Text)
					d.stripped = true
				} else {
					d.untold(s)
				}
				d.inCode = d.calledInCode(s)
				continue
			}
			if d.told == mostTold && !d.x.rescues && (d.live == nil || !d.live.begun) {
				d.untold(d.parser.Segment())
				continue
			}
			d.endRun()
			if !d.malformed(d.parser.Segment()) {
				return false
			}
		}
	}
}

// mostTold is how many calls of a message are reported as wrong: a report takes far
// longer, and more bytes, than the call. Further wrong calls stay text.
const mostTold = 16

// untold treats a malformed call as text.
func (d *decoder) untold(s *parse.Segment) {
	d.record(s.Text)
	if d.newline && len(d.run) == 0 {
		d.newline = false
		d.run = append(d.run, '\n')
	}
	d.run = append(d.run, s.Text...)
	if d.x.opts.OnRewrite != nil {
		d.x.report(Rewrite{Stage: Malformed, Before: s.Text, Reason: string(s.Err.Code)})
	}
}

// mayRetry reports whether a malformed call would be sent back now: only if no call of
// the message was delivered, so nothing happens twice.
func (d *decoder) mayRetry() bool {
	return d.calls == 0 && !d.whole && !d.cutOff && !d.fixed && len(d.wrote) < mostSentBack && d.x.mayRetry()
}

// mayLoad reports whether a call of the loader would be answered now.
func (d *decoder) mayLoad() bool {
	return d.calls == 0 && !d.cutOff && !d.fixed && len(d.wrote) < mostSentBack && d.x.mayLoad()
}

// load takes a call of the loader, which the application does not know about. It
// returns false if the message was answered.
func (d *decoder) load(s *parse.Segment) bool {
	o := d.x.opts.Manual
	if !d.mayLoad() {
		d.damaged = true
		return d.reject(d.source(s), true, o.ErrorResult(s.Name, "This call was not executed: write it alone in a message, and not again for the same tools."))
	}
	answer := o.LoadResult(d.x.set.catalog, s.Name, s.Input)
	if d.whole {
		d.loaded = append(d.loaded, answer)
		return true
	}
	return !d.x.load(append(d.wrote, d.source(s)...), answer)
}

// endRun delivers the text read so far.
func (d *decoder) endRun() {
	if len(d.run) > 0 {
		d.text(d.run)
		d.run = d.run[:0]
	}
}

// text delivers text.
func (d *decoder) text(text []byte) {
	if d.newline {
		d.newline = false
		if text[0] != '\n' && text[0] != '\r' {
			d.sink.text(newline)
		}
	}
	d.sink.text(text)
}

var newline = []byte("\n")

// call takes a call. It returns false if the message was sent back.
func (d *decoder) call(s *parse.Segment) bool {
	if d.x.rescues {
		d.rescue(s)
		return true
	}
	id, live := d.settle(s)
	if !live {
		s = d.repaired(s)
	}
	switch {
	case live && id == "": // repaired into one with another beginning
		d.brokenOff(s)
		return true
	case live:
	case d.damaged && !d.x.opts.ContinueAfterMalformed: // in an earlier block
		d.refuse(s, parse.Segment{
			Kind: parse.Malformed, Name: s.Name, Start: s.Start, End: s.End,
			Err: &lexer.Error{Code: lexer.AfterMalformed, Offset: s.Start, Tool: s.Name},
		})
		return true
	case d.x.want.one && d.calls > 0:
		d.refuse(s, parse.Segment{})
		return true
	case s.Name == d.x.set.loader:
		return d.load(s)
	case !d.x.want.allows(s.Name):
		d.damaged = true
		return d.reject(d.source(s), false, d.x.opts.Manual.ErrorResult(s.Name, "This call was not executed: this tool may not be called now. "+d.x.want.instruction()))
	case d.x.set.strict[s.Name] && slices.ContainsFunc(s.Issues, misfit):
		d.damaged = true
		return d.reject(d.source(s), false, d.x.opts.Manual.Feedback(d.x.set.catalog, *s))
	}
	if !live {
		id = d.deliver()
	}
	for _, issue := range s.Issues {
		d.damaged = d.damaged || issue.Code == lexer.OpenQuote
	}
	if d.x.opts.OnRewrite != nil {
		after := object{{"id", quoted(id)}, {"name", quoted(s.Name)}, {"input", s.Input}}
		d.x.report(Rewrite{Stage: Call, Before: d.source(s), After: after.appendTo(nil), Repairs: repairsOf(s)})
	}
	if !live {
		d.sink.call(id, s.Name, s.Input)
	}
	return true
}

// repaired returns a call whose arguments do not fit, as [parse.Repair] makes them fit:
// those of a JSON body, which is read exactly, and nulls for what may be left out.
// Repair reports every missing argument, so after many of them later calls are left as
// they are.
func (d *decoder) repaired(s *parse.Segment) *parse.Segment {
	const most, perIssue = 10_000, 16 // issues, and bytes of the message that allow one more
	if d.found > most+s.End/perIssue || !slices.ContainsFunc(s.Issues, repairable) {
		return s
	}
	input, issues, err := parse.Repair(d.x.set.catalog, s.Name, s.Input)
	d.found += len(issues)
	if err != nil || slices.ContainsFunc(issues, repairable) {
		return s
	}
	call := *s
	call.Input, call.Issues = input, slices.DeleteFunc(slices.Clone(s.Issues), repairable)
	return &call
}

// repairable reports whether a value does not fit in a way that could be repaired.
func repairable(issue parse.Issue) bool {
	return issue.Code == lexer.TypeMismatch || issue.Code == lexer.NotInEnum
}

// deliver counts a call as delivered, and returns its id.
func (d *decoder) deliver() (id string) {
	id = d.x.ids.id(d.reply, d.choice, d.made)
	d.made++
	d.calls++
	d.wrote = nil
	return id
}

// misfit reports whether the arguments of a call with this issue do not fit the
// schema. A value that was only spelled differently does.
func misfit(issue parse.Issue) bool {
	return issue.Code != lexer.Coerced && issue.Code != lexer.Repaired && issue.Code != lexer.Doubtful
}

// native takes a call that the upstream made itself, and reports whether it is
// delivered: the rules for calls in text apply to it.
func (d *decoder) native(name string) bool {
	if d.speech.over {
		return false
	}
	problem := ""
	switch {
	case d.x.rescues:
		d.calls++
		return true
	case d.damaged && !d.x.opts.ContinueAfterMalformed:
		problem = "This call was not executed, because a malformed one stands before it. Write it again in the next message."
	case d.x.want.one && d.calls > 0:
		problem = oneAtATime
	default:
		d.calls++
		d.wrote = nil
		return true
	}
	feedback := d.x.opts.Manual.ErrorResult(name, problem)
	d.interrupt()
	d.text([]byte(feedback))
	d.newline = true
	d.x.report(Rewrite{Stage: Malformed, Before: []byte(name), After: []byte(feedback), Reason: feedback})
	return false
}

const oneAtATime = "This call was not executed: one call in each message is allowed. Write it again in the next one."

// source returns a call in canonical form, since its own bytes are gone.
func (d *decoder) source(s *parse.Segment) []byte {
	format := parse.FormatOptions{Protocol: d.x.protocol(), Delims: d.x.opts.Manual.Delims, Salvage: true}
	text, err := format.Format(d.x.set.catalog, s.Name, s.Input)
	if err != nil {
		return s.Input
	}
	return []byte(text)
}

// refuse gives the application a call that is not malformed itself as text. Wrong says
// why; if it is zero, the call is one too many.
func (d *decoder) refuse(s *parse.Segment, wrong parse.Segment) {
	source := d.source(s)
	if d.told == mostTold {
		d.text(source)
		return
	}
	if wrong.Err == nil {
		d.broken(source, d.x.opts.Manual.ErrorResult(s.Name, oneAtATime))
		return
	}
	wrong.Text = source
	d.broken(source, d.x.opts.Manual.Feedback(d.x.set.catalog, wrong))
}

// malformed takes a malformed call. It returns false if the message was sent back.
func (d *decoder) malformed(s *parse.Segment) bool {
	if d.x.rescues {
		d.leave(s)
		return true
	}
	d.damaged = true
	if _, live := d.settle(s); live {
		d.brokenOff(s)
		return true
	}
	source := s.Text
	if s.Cut { // the rest is gone
		n := len(source) - lexeme.PartialRune(source)
		source = append(source[:n:n], "…"...)
	}
	return d.reject(source, len(source) > mostSentBack, d.x.opts.Manual.Feedback(d.x.set.catalog, *s))
}

// brokenOff tells the application what was wrong with a call that it has got the
// beginning of.
func (d *decoder) brokenOff(s *parse.Segment) {
	feedback := d.x.opts.Manual.Feedback(d.x.set.catalog, *s)
	d.told++
	d.damaged = true
	d.text([]byte(feedback))
	d.newline = true
	d.x.report(Rewrite{Stage: Malformed, Before: s.Text, After: []byte(feedback), Reason: feedback})
}

// reject takes the source of a call that is wrong, and tells the model, or, if that is
// final, the application. It returns false if the message was sent back.
func (d *decoder) reject(source []byte, final bool, feedback string) bool {
	switch {
	case d.whole:
		d.faults = append(d.faults, feedback)
	case d.mayRetry() && !final:
		if d.x.retry(append(d.wrote, source...), feedback, !isBlank(d.wrote) && !d.stripped) {
			return false
		}
		d.wrote = append(d.wrote, source...)
	}
	d.broken(source, feedback)
	return true
}

// broken gives the application the source of a call that is not delivered, as text,
// followed by what was wrong.
func (d *decoder) broken(source []byte, feedback string) {
	d.told++
	d.text(source)
	d.sink.text(newline)
	d.sink.text([]byte(feedback))
	d.newline = true
	d.x.report(Rewrite{Stage: Malformed, Before: source, After: []byte(feedback), Reason: feedback})
}

// isBlank reports whether text is only whitespace.
func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
