package grammar

import (
	"math"
	"slices"
)

// A tree is the syntax tree of a call. After an error it has what was read before that.
type tree interface {
	// read returns the tool's name and its arguments as JSON, and reports faults to c.
	read(c *content) (name, input string)
}

// A fault is an error in a call: its code and offset.
type fault struct {
	code Code
	at   int
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
	options.Limits = options.Limits.OrDefault()
	r := &reader{Grammar: g, Options: options, text: string(text)}
	for pos := 0; pos < len(text); {
		start := pos
		for start < len(text) && !r.startsCall(start) {
			start++
		}
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
	*Grammar
	Options
	text           string
	afterMalformed bool // a segment so far was malformed or suspicious
	segments       []Segment
}

// call reads the call at start and returns its end. Limits, ill-formed UTF-8 and syntax
// errors stop reading, and damage begins there. Faults of content do not.
//
// Rule: recovery.read-on
func (r *reader) call(start int) (end int) {
	tokens, stop := r.scan(start)
	t, err := r.parse(tokens)
	if stop == nil && err != nil {
		panic("grammar: the states accept what the productions do not: " + err.Error())
	}
	c := &content{reader: r}
	name, input := t.read(c)
	last := &tokens[len(tokens)-1]
	stop = r.checkUTF8(start, last.end(), first(stop, c.stop))

	s := Segment{
		Kind: CallSegment, Start: start, End: last.end(), Closed: last.Value != "",
		Name: name, Input: input, Issues: c.issues, AfterMalformed: r.afterMalformed,
	}
	s.Call, _ = t.(*Call)
	if stop != nil {
		s.End, s.Closed = r.damage(tokens, stop.at)
	}
	reached := math.MaxInt
	if stop != nil {
		reached = stop.at
	}
	if last.fault != nil {
		reached = min(reached, last.start())
	}
	switch { // a fault of content counts only if reading reached c.until
	case c.fault != nil && c.until <= reached:
		stop = c.fault
	case stop == nil && r.afterMalformed && r.StopAfterMalformed:
		stop = &fault{AfterMalformed, start}
	}
	if stop != nil {
		s = Segment{
			Kind: MalformedSegment, Start: start, End: s.End, Closed: s.Closed, Code: stop.code,
			At: min(stop.at, s.End), // a limit may fall into the opener that ends the damage
		}
	}
	isOpenQuote := func(i Issue) bool { return i.Code == OpenQuote }
	r.afterMalformed = r.afterMalformed || stop != nil || slices.ContainsFunc(c.issues, isOpenQuote)
	r.segments = append(r.segments, s)
	return s.End
}

// scan reads the tokens of the call at start, up to its closing tag or the first fault.
func (r *reader) scan(start int) (tokens []token, stop *fault) {
	s := &scanner{reader: r, pos: start + len(r.open), state: r.states[0].Name}
	bound := min(len(r.text)-start, r.Limits.Bytes) + start
	opener := token{name: tokOpen}
	opener.Value, opener.Pos.Offset = r.text[start:s.pos], start
	tokens = []token{opener}
	for stop == nil {
		t := s.next()
		if t.name == "" && r.AcceptAtEnd && r.table[t.state].Close {
			t.name, t.fault = tokClose, nil // the tag that a stop sequence removed
		}
		if t.end() > bound {
			stop = &fault{CallTooLong, bound}
		}
		if s.depth() > r.Limits.Depth {
			stop = first(stop, &fault{TooDeep, t.start()})
		}
		stop = first(stop, t.fault)
		tokens = append(tokens, t)
		if t.name == tokClose {
			break
		}
	}
	return tokens, stop
}

// checkUTF8 checks the call up to its end, or up to and including the byte at which
// reading stops. It returns the first fault.
//
// Rule: value.utf8
func (r *reader) checkUTF8(start, end int, stop *fault) *fault {
	text := r.text
	if stop != nil {
		end = min(stop.at+1, len(text))
	}
	var ill *fault
	at, incomplete := illFormed(text[start:end])
	switch at += start; {
	case incomplete && at == len(text):
		ill = &fault{UnterminatedCall, at}
	case at < end:
		ill = &fault{InvalidUTF8, at}
	}
	if stop != nil && slices.Contains([]Code{CallTooLong, NameTooLong, TooDeep}, stop.code) {
		return first(stop, ill)
	}
	return first(ill, stop)
}

// damage returns the end of the damage that begins at an offset. Damage inside an escape or a tag
// begins at its first byte; damage inside raw text begins after that text.
func (r *reader) damage(tokens []token, at int) (end int, closed bool) {
	pos, quote := at, byte(0)
	for i := range tokens {
		t := &tokens[i]
		if t.end() < at || t.end() == at && t.name != tokUnclosed {
			continue
		}
		switch {
		case t.state == stateText && t.start() <= at:
			pos = t.end()
		case at <= t.start():
		case t.name == tokClose:
			pos = t.start()
		case r.isQuote(t.Value[0]):
			pos, quote = t.start()+unitAt(t.Value, at-t.start()), t.Value[0]
		}
	}
	return r.skip(pos, quote)
}
