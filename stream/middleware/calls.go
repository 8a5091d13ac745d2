package middleware

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A liveCall is a call that may be delivered before it is complete. If a call contains a
// whole file, the application could seem to hang for minutes. So arguments longer than
// Options.LiveAfter are delivered as they arrive. They cannot be taken back: see spoil.
type liveCall struct {
	name  string
	id    string // "" until it is being delivered
	input []byte // so far
}

// start begins a call, unless only its end decides whether it is delivered.
func (v *voice) start(name string) {
	x := v.x
	problem, _ := v.objection(name, false)
	isWhole := !x.streams || !x.pieces || x.opts.LiveAfter < 0 || x.rescues
	isStrict := x.opts.Strict || slices.Contains(x.want.strict, name)
	if problem == "" && name != x.set.loader && !isWhole && !isStrict {
		v.live = &liveCall{name: name}
	}
}

// arrive takes the next piece of the arguments.
func (v *voice) arrive(piece []byte) {
	l := v.live
	if l == nil {
		return
	}
	n := len(l.input)
	l.input = append(l.input, piece...)
	switch {
	case l.id != "":
		v.emit(kindCallInput, l, l.input[n:])
	case len(l.input) > v.x.opts.LiveAfter:
		v.emit(kindCallStart, l, nil)
		v.emit(kindCallInput, l, l.input)
	}
}

// settle returns the call being delivered, or nil.
func (v *voice) settle() *liveCall {
	l := v.live
	v.live = nil
	if l == nil || l.id == "" {
		return nil
	}
	return l
}

// spoil ends a call that broke after its beginning was delivered, so that its arguments are
// invalid JSON for every reader: with more closing brackets than were opened, both outside of a
// string and in one that they end. They are of the wrong kind, because arguments begin with a
// brace.
func (v *voice) spoil(l *liveCall) {
	n := len(l.input)
	brackets := strings.Repeat("]", 1+bytes.Count(l.input, []byte("[")))
	l.input = append(l.input, brackets+`"`+brackets...)
	v.emit(kindCallInput, l, l.input[n:])
	v.emit(kindCallEnd, l, l.input)
	v.x.events[len(v.x.events)-1].cut = true
}

// emit appends an event about a call, unless it is an empty piece of its arguments. The first
// event gives the call its id.
func (v *voice) emit(kind kind, l *liveCall, text []byte) {
	switch {
	case kind == kindCallInput && len(text) == 0:
		return
	case l.id == "":
		l.id = v.x.callID(v.x.reply, v.choice, v.calls)
		v.calls++
	}
	v.x.deliver(event{kind: kind, choice: v.choice, at: v.at,
		id: l.id, name: l.name, text: text, end: v.pos})
}

// call takes a call.
func (v *voice) call(s *parse.Segment) {
	name := s.Call.Name
	l := v.settle()
	if l == nil {
		v.coerce(s.Call, s.End)
		problem, retry := v.objection(name, false)
		isStrict := slices.Contains(v.x.want.strict, name) && !v.x.rescues
		switch {
		case problem != "":
			v.refuse(v.refusal(name, problem, v.source(s), retry))
			return
		case isStrict && slices.ContainsFunc(s.Call.Issues, misfits):
			v.refuse(refusedCall{name: name, source: v.source(s), retry: true,
				feedback: v.x.set.manual.Feedback(*s)})
			return
		case name == v.x.set.loader && v.mayLoad():
			v.x.loads--
			if !v.x.again(Load, v.upTo(s.End), v.x.set.manual.Feedback(*s)) {
				v.refuse(v.refusal(name, loadFailed, v.source(s), false))
			}
			return
		}
		l = &liveCall{name: name}
		v.emit(kindCall, l, bytes.Clone(s.Call.Input)) // which would keep all of the call
	} else {
		v.emit(kindCallInput, l, s.Call.Input[len(l.input):])
		v.emit(kindCallEnd, l, s.Call.Input)
	}
	isOpenQuote := func(issue parse.Issue) bool { return issue.Code == lexer.OpenQuote }
	v.damaged = v.damaged || slices.ContainsFunc(s.Call.Issues, isOpenQuote)
	if v.x.opts.OnRewrite != nil {
		after := members("id", l.id, "name", name, "input", []byte(s.Call.Input))
		v.x.report(Rewrite{Stage: Call, Before: v.source(s), After: after.Append(nil),
			Repairs: repairsOf(s.Call)})
	}
}

// A refusedCall is a call that isn't delivered.
type refusedCall struct {
	source   []byte // what the model wrote; nil for a call of the upstream
	name     string
	feedback string // what is wrong, for the model
	retry    bool   // the message may be sent back because of it
	isExtra  bool   // it is only one too many
}

const (
	afterMalformed = "This call was not executed, because a malformed one comes before it. " +
		"Write it again in the next message."
	oneAtATime = "This call was not executed: one call in each message is allowed. " +
		"Write it again in the next one."
	notAllowed = "This call was not executed: this tool may not be called now. "
	loadAlone  = "This call was not executed: write it alone in a message, " +
		"and not again for the same tools."
	loadFailed = "This call was not executed: the model could not be asked again."
)

// objection returns why a call isn't delivered now, with any arguments, or "". Retry
// reports that the message may be sent back because of it.
func (v *voice) objection(name string, isNative bool) (problem string, retry bool) {
	x := v.x
	switch {
	case isNative && x.rescues:
	case v.phase == readsText && !isNative || v.damaged && !x.opts.AllowAfterMalformed:
		return afterMalformed, false
	case x.want.one && v.calls > 0:
		return oneAtATime, false
	case isNative:
	case x.want.mode == none:
		return notAllowed + x.want.instruction(), true
	case name == x.set.loader && !x.rescues:
		if !v.mayLoad() {
			return loadAlone, !x.streams
		}
	case x.want.allowed != nil && !slices.Contains(x.want.allowed, name):
		return notAllowed + x.want.instruction(), true
	}
	return "", false
}

// refusal returns a call that isn't delivered because of a problem.
func (v *voice) refusal(name, problem string, source []byte, retry bool) refusedCall {
	return refusedCall{name: name, source: source, retry: retry, isExtra: problem == oneAtATime,
		feedback: v.x.set.manual.Result(name, problem, true)}
}

// native takes a call that the upstream makes itself, and reports whether it is delivered.
func (v *voice) native(name string) bool {
	if v.phase == readsNothing {
		return false
	}
	problem, _ := v.objection(name, true)
	if problem == "" {
		v.calls++
		return true
	}
	v.interrupt()
	v.refuse(v.refusal(name, problem, nil, false))
	return false
}

// malformed takes a malformed call.
func (v *voice) malformed(s *parse.Segment) {
	source := []byte(s.Text)
	if s.Err.Code == lexer.InCode || s.Err.Code == lexer.InReasoning { // it is text
		v.say(source)
		v.inCode = v.calledInCode(s)
		v.x.report(Rewrite{Stage: Malformed, Before: source, After: source,
			Reason: string(s.Err.Code)})
		return
	}
	l := v.settle()
	r := refusedCall{name: s.Err.Tool}
	if v.shown < mostShown {
		r.feedback = v.x.set.manual.Feedback(*s)
	}
	switch {
	case l != nil:
		v.spoil(l)
		v.refuse(r)
		return
	case v.x.rescues:
		source = v.source(s)
	case isCut(s): // the rest was not kept
		n := len(source) - lexeme.PartialRune(source)
		source = append(source[:n:n], "…"...)
	}
	r.source, r.retry = source, len(source) <= mostSentBack
	v.refuse(r)
}

// isCut reports whether a malformed call has more source than is kept.
func isCut(s *parse.Segment) bool { return s.End-s.Start > len(s.Text) }

// mostShown is how many calls of a message are explained to the application or the
// model. An explanation takes far more time and bytes than the call.
const mostShown = 16

// refuse takes a call that isn't delivered. It sends the message back to the model if
// it may. Otherwise the application gets a text in its place.
func (v *voice) refuse(r refusedCall) {
	v.damaged = v.damaged || !r.isExtra
	if r.retry && !v.x.rescues && v.retry(v.pos, r.feedback) {
		return
	}
	if v.x.rescues && len(r.source) > v.longest() {
		v.phase = readsText
	}
	v.shown++
	after := v.inPlaceOf(r)
	v.sayAlways(after)
	before := r.source
	if before == nil {
		before = []byte(r.name)
	}
	reason := cmp.Or(r.feedback, "a further malformed call")
	v.x.report(Rewrite{Stage: Malformed, Before: before, After: after, Reason: reason})
}

// inPlaceOf returns the text that the application gets in place of a call: its source
// and, on lines of its own, what is wrong with it, or a note that it is missing.
func (v *voice) inPlaceOf(r refusedCall) []byte {
	isShown := v.x.opts.ShowMalformed
	switch {
	case v.x.rescues || isShown && v.shown > mostShown && len(r.source) > 0:
		return r.source
	case v.shown > mostShown || v.cutOff && !isShown:
		return nil
	case isShown && len(r.source) > 0:
		return fmt.Appendf(nil, "%s\n%s\n", r.source, r.feedback)
	case isShown:
		return []byte(r.feedback + "\n")
	}
	what, name := "Malformed call", ""
	if len(r.source) == 0 || !v.damaged {
		what = "Call"
	}
	if r.name != "" {
		name = fmt.Sprintf(" to %q", r.name)
	}
	return []byte("(" + what + name + " removed.)")
}

// source returns what the model wrote as a call, as far as it was kept.
func (v *voice) source(s *parse.Segment) []byte {
	source := v.span(s.Start, s.End)
	switch {
	case source != nil:
		return source
	case s.Call != nil:
		return s.Call.Input
	}
	return []byte(s.Text)
}

// coerce makes the arguments of a call fit if that is a matter of spelling: see
// [parse.Coerce]. That reports every missing argument, so after many of them later calls
// stay as they are. The call ends at an offset in the message.
func (v *voice) coerce(call *parse.Call, end int) {
	const most, perIssue = 10_000, 16 // issues, and bytes of the message that allow one more
	if v.issues > most+end/perIssue || !slices.ContainsFunc(call.Issues, coercible) {
		return
	}
	input, issues, err := parse.Coerce(v.x.set.catalog, call.Name, call.Input)
	v.issues += len(issues)
	if err == nil && !slices.ContainsFunc(issues, coercible) {
		call.Input, call.Issues = input, slices.DeleteFunc(call.Issues, coercible)
	}
}

// coercible reports whether an issue may be a matter of spelling.
func coercible(issue parse.Issue) bool {
	return issue.Code == lexer.TypeMismatch || issue.Code == lexer.NotInEnum
}

// misfits reports whether an issue means that the arguments don't fit the schema.
func misfits(issue parse.Issue) bool {
	return issue.Code != lexer.Coerced && issue.Code != lexer.Repaired &&
		issue.Code != lexer.Doubtful
}

// callID returns the id of call n of a choice, both counted from 0. It is derived from the id of
// the response, the choice and the number of the call, and from the request, because some servers
// give every response the same id and others none. So the same exchange always gets the same ids,
// and the steps of a conversation, whose requests grow, get different ones. An id is as long as
// the providers' ids, and has only letters, digits and _.
func (x *exchange) callID(response string, choice, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %d %d %s", x.hash, choice, n, response))
	return x.idPrefix + hex.EncodeToString(sum[:12])
}
