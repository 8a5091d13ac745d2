package grammar

import (
	"slices"
	"strings"
)

// A checker checks the content of one call: its name, its keys, and the limits. It sees
// every token, even if a syntax error follows.
type checker interface {
	// check reads the last token. It returns the first fault in the content, which
	// doesn't end the reading, and one that does, where damage begins.
	check(tokens []token) (content, stop *fault)
}

// A tree is the syntax tree of a call.
type tree interface {
	// read returns the tool's name, its arguments as JSON, and issues.
	read(tokens []token, limits Limits) (name string, input []byte, issues []Issue)
}

// A fault is an error in a call: its code and offset.
type fault struct {
	code Code
	at   int
	from int // for content: it counts if reading gets this far; zero is the token's end
}

// first returns the fault with the smallest offset. At the same offset, the order
// of the arguments decides: limits, then ill-formed UTF-8, then syntax.
//
// Rule: recovery.first-fault
func first(faults ...*fault) *fault {
	var first *fault
	for _, f := range faults {
		if f != nil && (first == nil || f.at < first.at) {
			first = f
		}
	}
	return first
}

// Read divides a text into prose, calls and malformed calls.
func (g *Grammar) Read(text []byte, options Options) []Segment {
	r := &reader{g: g, text: string(text), options: options, limits: options.Limits.OrDefault()}
	r.frame = newFrame(g.frame, r.text, r.limits.Bytes)
	for pos := 0; pos < len(text); {
		start := r.frame.next(r.frame.calls, pos)
		if start > pos {
			r.segments = append(r.segments, Segment{Kind: TextSegment, Start: pos, End: start})
		}
		if start == len(text) {
			break
		}
		pos = r.call(start)
	}
	return r.segments
}

// A reader holds the state of one Read.
type reader struct {
	g        *Grammar
	options  Options
	limits   Limits
	text     string
	frame    *frame
	bound    int  // where the limit on the bytes of the current call is, or the text ends
	wrong    bool // a segment so far was malformed or suspicious
	segments []Segment
}

// call reads the call at start and returns its end. Limits, ill-formed UTF-8 and syntax
// errors stop reading, and damage begins there. Faults of content do not: those before
// the end of reading count.
//
// Rule: recovery.read-on
func (r *reader) call(start int) (end int) {
	tokens, content, stop := r.scan(start)
	tree, bad := r.g.parse(tokens)
	switch {
	case bad < len(tokens):
		stop = first(stop, r.faultOf(&tokens[bad]))
	case tree == nil:
		stop = first(stop, &fault{code: UnterminatedCall, at: len(r.text)})
	}
	last := &tokens[len(tokens)-1]
	stop = r.checkUTF8(start, last.end(), stop)

	s := Segment{Start: start, End: last.end(), Closed: last.Value != ""}
	if stop != nil {
		s.End, s.Closed = r.damage(tokens, stop)
	}
	if content != nil && (stop == nil || content.at < stop.at && content.from <= stop.at) {
		stop = content
	}
	r.finish(s, tree, tokens, stop)
	return s.End
}

// finish appends the segment of a call with its tree or its fault, taking earlier
// segments into account.
//
// Rule: recovery.mark
func (r *reader) finish(s Segment, t tree, tokens []token, f *fault) {
	if f == nil && r.wrong && r.options.StopAfterMalformed {
		f = &fault{code: AfterMalformed, at: s.Start}
	}
	if f != nil {
		// A limit may fall into the opener that ends the damage.
		s.Kind, s.Code, s.At = MalformedSegment, f.code, min(f.at, s.End)
		r.wrong = true
	} else {
		name, input, issues := t.read(tokens, r.limits)
		s.Kind, s.AfterMalformed = CallSegment, r.wrong
		s.Name, s.Input, s.Issues = name, string(input), issues
		s.Call, _ = t.(*Call)
		isOpenQuote := func(i Issue) bool { return i.Code == OpenQuote }
		r.wrong = r.wrong || slices.ContainsFunc(issues, isOpenQuote)
	}
	r.segments = append(r.segments, s)
}

// scan reads the tokens of the call at start, up to its closing tag or a token that
// cannot be there. It returns the first fault of content, and one that stops reading.
func (r *reader) scan(start int) (tokens []token, content, stop *fault) {
	c, judge := r.g.newChecker(r)
	body := start + len(r.g.frame.open)
	s := &scanner{g: r.g, frame: r.frame, text: r.text, pos: body, state: r.g.first, judge: judge}
	r.bound = min(len(r.text)-start, r.limits.Bytes) + start
	opener := token{name: tokOpen}
	opener.Value, opener.Pos.Offset = r.text[start:body], start
	tokens = []token{opener}
	for stop == nil {
		t := s.next()
		if t.end() > r.bound {
			stop = &fault{code: CallTooLong, at: r.bound}
			if t.start() >= r.bound {
				if t.state == stateText {
					tokens = append(tokens, t) // it hides tags from its first byte on
				}
				return tokens, content, stop
			}
		}
		if t.name == "" {
			if !r.options.AcceptAtEnd {
				return tokens, content, stop
			}
			t.name = tokClose // the tag that a stop sequence removed
		}
		tokens = append(tokens, t)
		said, broken := c.check(tokens)
		if t.isOneOf(tokOther, tokUnclosed, tokTruncated, tokOpen) {
			broken = first(broken, r.faultOf(&t))
		}
		stop = first(stop, broken)
		if said != nil && said.from == 0 {
			said.from = t.end()
		}
		content = first(content, said)
		if t.name == tokClose {
			break
		}
	}
	return tokens, content, stop
}

// faultOf returns the error of a token that no production takes.
//
// Rule: framing.truncated
func (r *reader) faultOf(t *token) *fault {
	unterminated := &fault{code: UnterminatedCall, at: len(r.text)}
	tooLong := &fault{code: CallTooLong, at: r.bound}
	state := r.g.states[t.state]
	f := &fault{code: state.Expects, at: t.start()}
	switch {
	case t.name == tokOpen && state.Bare:
		f.code = NestedCall
	case t.name == tokOther && t.end() > r.bound:
		f = tooLong // the rest of the word was not read
	case t.name == tokUnclosed:
		f = r.badString(t)
	case t.Value == "", t.name == tokTruncated:
		f = unterminated
	case t.isOneOf(tokOther, tokItem) && t.fits && t.end() == len(r.text):
		f = unterminated // the word may go on
	}
	if f.at >= r.bound && r.bound < len(r.text) {
		return tooLong
	}
	return f
}

// checkUTF8 checks the call up to its end, or up to and including the byte at which
// reading stops. It returns the first fault.
//
// Rule: value.utf8
func (r *reader) checkUTF8(start, end int, stop *fault) *fault {
	if stop != nil {
		end = min(stop.at+1, len(r.text))
	}
	var ill *fault
	at, incomplete := IllFormed(r.text[start:end])
	switch at += start; {
	case incomplete && at == len(r.text):
		ill = &fault{code: UnterminatedCall, at: at}
	case at < end:
		ill = &fault{code: InvalidUTF8, at: at}
	}
	if stop != nil {
		switch stop.code {
		case CallTooLong, NameTooLong, TooDeep:
			return first(stop, ill)
		}
	}
	return first(ill, stop)
}

// damage returns the end of the damage that begins where the call stops. Damage does
// not begin inside an escape or a tag, but at its first byte, nor inside raw text.
func (r *reader) damage(tokens []token, stop *fault) (end int, closed bool) {
	pos, quote := stop.at, byte(0)
	for i := range tokens {
		t := &tokens[i]
		isString := t.Value != "" && strings.IndexByte(r.g.frame.quotes, t.Value[0]) >= 0
		switch {
		case t.state == stateText && t.start() <= stop.at && stop.at < t.end():
			pos = t.end()
		case t.name == tokUnclosed && isString && stop.code == CallTooLong && t.end() < stop.at:
			pos, quote = t.end(), t.Value[0] // at the escape that the limit cuts
		case stop.at <= t.start(), t.end() < stop.at, t.end() == stop.at && t.name != tokUnclosed:
		case t.name == tokClose:
			pos = t.start()
		case isString:
			pos, quote = t.start()+unitAt(t.Value, stop.at-t.start()), t.Value[0]
		}
	}
	return r.frame.skip(pos, quote)
}
