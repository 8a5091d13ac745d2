package protocols

import (
	"strings"

	"github.com/callwire/callwire/grammar"
)

// A Segment is a part of a text. The segments of a text tile it; no two text segments
// are neighbours.
type Segment struct {
	Kind       grammar.SegmentKind
	Start, End int

	// Of a malformed segment: what is wrong, and where.
	Code grammar.Code
	At   int

	Closed         bool // a close tag ends the segment
	AfterMalformed bool // the text went wrong before this call

	// Of a call.
	Name   string
	Input  string // the arguments, one JSON object, read without a schema
	Issues []grammar.Issue
}

// Read divides a text into prose, calls and malformed calls.
func (p *Protocol) Read(text string, options grammar.Options) []Segment {
	r := &reader{p: p, text: text, options: options, limits: options.Limits.OrDefault()}
	start := 0
	for pos := 0; pos < len(text); {
		if _, ok := r.opener(pos); !ok {
			pos++
			continue
		}
		s := r.call(pos)
		if pos = s.End; s.Kind != grammar.TextSegment {
			r.prose(start, s.Start)
			r.segments = append(r.segments, s)
			start = pos
		}
	}
	r.prose(start, len(text))
	return r.segments
}

// A reader holds the state of one Read.
type reader struct {
	p        *Protocol
	text     string
	options  grammar.Options
	limits   grammar.Limits
	wrong    bool // something went wrong before
	bound    int  // where the limit on the bytes of the call falls, or the text ends
	segments []Segment
}

func (r *reader) prose(start, end int) {
	if start < end {
		r.segments = append(r.segments, Segment{Kind: grammar.TextSegment, Start: start, End: end})
	}
}

// opener returns the length of the opener at pos. It is one only where a body begins
// after it, within the limit.
func (r *reader) opener(pos int) (n int, ok bool) {
	n, body, ok := r.p.opens(r.text[pos:], r.options)
	return n, ok && body < r.limits.Bytes
}

// call reads the call at start, or the text that it is.
func (r *reader) call(start int) Segment {
	n, _ := r.opener(start)
	tokens, says, stop := r.scan(start, start+n)
	tree, bad := r.p.tree(tokens)
	if bad < len(tokens) {
		stop = first(stop, r.faultOf(&tokens[bad]))
	} else if tree == nil {
		stop = first(stop, &fault{code: grammar.UnterminatedCall, at: len(r.text)})
	}
	end := tokens[len(tokens)-1].end()
	if stop != nil {
		end = min(stop.at+1, len(r.text))
	}
	if ill := r.illFormed(start, end); stop != nil && stop.limit() {
		stop = first(stop, ill)
	} else {
		stop = first(ill, stop)
	}
	s := Segment{Start: start}
	if stop != nil {
		s.Kind = grammar.MalformedSegment
		s.End, s.Closed = r.damage(tokens, stop)
		if says != nil && says.at < stop.at && says.from <= stop.at {
			stop = says
		}
		s.Code, s.At = stop.code, min(stop.at, s.End) // a limit may fall in the opener that ends the damage
		r.wrong = true
		return s
	}
	s.End, s.Closed = end, true
	switch {
	case says != nil:
		s.Kind, s.Code, s.At = grammar.MalformedSegment, says.code, says.at
	case r.wrong && r.options.StopAfterMalformed:
		s.Kind, s.Code, s.At = grammar.MalformedSegment, grammar.AfterMalformed, start
	default:
		s.Kind, s.AfterMalformed, s.Closed = grammar.CallSegment, r.wrong, false
		name, input, issues := tree.said(r)
		s.Name, s.Input, s.Issues = name, string(input), issues
	}
	if s.Kind == grammar.MalformedSegment {
		s.Closed = tokens[len(tokens)-1].Value != ""
		r.wrong = true
	}
	return s
}

// scan reads the tokens of the call at start, whose body begins at pos, up to the
// close tag or a token that cannot stand. It returns the first fault of what the call
// says, and one that stops it.
func (r *reader) scan(start, pos int) (tokens []placed, says, stop *fault) {
	c := r.p.newChecker(r)
	s := &scanner{p: r.p, text: r.text, pos: pos, state: "body", judge: c}
	bound := len(r.text)
	if r.limits.Bytes < bound-start {
		bound = start + r.limits.Bytes
	}
	r.bound = bound
	open := placed{name: "Open", state: "open"}
	open.Type, open.Value, open.Pos.Offset = r.p.symbols["Open"], r.text[start:pos], start
	tokens = []placed{open}
	if _, stop = c.check(&open); stop != nil {
		return tokens, nil, stop
	}
	for stop == nil {
		t := s.next()
		if bound < len(r.text) && t.end() > bound {
			stop = &fault{code: grammar.CallTooLong, at: bound}
			if t.start() >= bound {
				if t.state == "text" {
					tokens = append(tokens, t) // it hides tags from its first byte on
				}
				return tokens, says, stop
			}
		}
		if t.name == "" {
			if t.state == "close" && r.options.AcceptAtEnd {
				t.name, t.Type = "Close", r.p.symbols["Close"]
				tokens = append(tokens, t)
			}
			return tokens, says, stop
		}
		tokens = append(tokens, t)
		said, broken := c.check(&t)
		if t.name == other || t.name == unclosed || t.name == cut {
			broken = first(broken, r.faultOf(&t))
		}
		if broken != nil && bound < len(r.text) && (broken.at >= bound || broken.code == grammar.TooDeep && t.end() > bound) {
			broken = &fault{code: grammar.CallTooLong, at: bound}
		}
		if said != nil && said.from == 0 {
			said.from = t.end()
		}
		stop = first(stop, broken)
		if stop == nil || said != nil && said.at < stop.at {
			says = first(says, said)
		}
		if t.name == "Close" {
			break
		}
	}
	return tokens, says, stop
}

// faultOf returns what is wrong with a token that no production takes.
func (r *reader) faultOf(t *placed) *fault {
	expects := r.p.states[t.state].expects
	switch {
	case t.name == other && t.start() < r.bound && r.bound < t.end():
		return &fault{code: grammar.CallTooLong, at: r.bound} // what it is was not seen
	case t.name == unclosed:
		f := badString(t, r.text)
		if f.code == InvalidJSON && f.at < r.bound && r.text[f.at] == '\\' && f.at+len(cutEscape.FindString(r.text[f.at:r.bound])) == r.bound {
			return &fault{code: grammar.CallTooLong, at: r.bound} // the limit cuts the escape
		}
		return f
	case t.name == cut, (t.name == other || t.name == "Literal") && t.ofRule && t.end() == len(r.text):
		return &fault{code: grammar.UnterminatedCall, at: len(r.text)}
	}
	return &fault{code: expects, at: t.start()}
}

// illFormed checks the UTF-8 of the call up to end.
func (r *reader) illFormed(start, end int) *fault {
	at, incomplete := grammar.IllFormed(r.text[start:end])
	switch at += start; {
	case incomplete && at == len(r.text):
		return &fault{code: grammar.UnterminatedCall, at: at}
	case at < end:
		return &fault{code: grammar.InvalidUTF8, at: at}
	}
	return nil
}

// damage returns where the damage ends that begins where the call stops. It ends with
// the close tag, or before an opener that begins a call; strings hide both where the
// format has quotes. An escape and a tag are not taken apart.
func (r *reader) damage(tokens []placed, stop *fault) (end int, closed bool) {
	pos, inString := stop.at, false
	for i := range tokens {
		t := &tokens[i]
		if t.state == "text" && t.start() <= stop.at && stop.at < t.end() {
			pos = t.end() // raw text hides tags
		}
		if t.name == unclosed && r.p.quote && stop.code == grammar.CallTooLong && t.end() < stop.at {
			pos, inString = t.end(), true // at the escape that the limit cuts
		}
		if stop.at <= t.start() || t.end() < stop.at || t.end() == stop.at && t.name != unclosed {
			continue
		}
		switch {
		case t.name == "Close":
			pos = t.start()
		case strings.HasPrefix(t.Value, `"`) && r.p.quote:
			inString = true
			pos = t.start() + unitAt(t.Value, stop.at-t.start())
		}
	}
	for pos < len(r.text) {
		c := r.text[pos]
		switch {
		case inString && c == '\\':
			pos++
		case inString:
			inString = c != '"'
		case r.p.quote && c == '"' && pos > 0 && strings.IndexByte(" \t\r\n=[{(,:", r.text[pos-1]) >= 0:
			inString = true
		default:
			if _, ok := r.opener(pos); ok {
				return pos, false
			}
			if n := r.p.closes(tokens[0].Value, r.text[pos:]); n > 0 {
				return pos + n, true
			}
		}
		pos++
	}
	return len(r.text), false
}

// unitAt returns the offset in a quoted string of the unit that the offset at is in.
func unitAt(quoted string, at int) int {
	for i := 1; i < at; {
		n := 1
		if m := unit.FindString(quoted[i:]); m != "" {
			n = len(m)
		}
		if i+n > at {
			return i
		}
		i += n
	}
	return at
}
