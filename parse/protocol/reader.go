package protocol

import (
	"bytes"
	"math"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// reader reads the calls of a protocol. It finds where calls begin and where damage
// ends; the body reads what is between.
type reader struct {
	window
	asm     *parse.Assembler
	frame   frame
	body    body
	drift   *drift // nil without Salvage
	catalog *sig.Catalog
	opts    parse.Options

	state   state
	look    int    // how many bytes after win[pos] were looked at
	start   int    // offset of the call
	ended   int    // offset of the end of the body
	extra   bool   // an extra brace follows
	wrap    string // the end of what wraps the body; it must come before the closer
	prev    byte   // in damage: the byte before win[pos]
	quote   byte   // in damage: the quote of an open string, or 0
	inValue bool   // in damage: maybe in a value without quotes
	closer  string // of the reasoning being read
	last    byte   // the byte before win[pos], in text
	frozen  []byte // the first bytes of damage that has outgrown the limit
	spent   bool   // the chunk is used up
	closed  bool
	aborted bool
	steps   int

	code   lexer.Markdown // of the text, if calls in code are refused
	spoken int            // offset after an opener that prose may only mention, since no part of a call has followed; or 0
	quiet  int            // offset up to which nothing shows a block of YAML or closes one: see yamlBody.mapping
	others []body         // of other protocols in this frame, if they are read
	own    body           // the protocol's own
}

// state says what is read next.
type state uint8

const (
	inText state = iota
	inThought
	inBody
	atClose // the body is complete, the closer is due
	inDamage
)

// frame finds the tags of calls.
type frame interface {
	// first returns the byte that begins every opener.
	first() byte

	// opens looks for an opener at w[i]. It returns the index at which the body begins,
	// 0 if no call begins at w[i]. More says that the window is too short to tell;
	// looked is how many bytes after w[i] need no second look; the next call gets it as
	// look.
	opens(w []byte, i, look int) (begin int, more bool, looked int)

	// closes looks for a closer at w[i]; end is the index after it.
	closes(w []byte, i int) (end int, more bool)
}

// body reads what stands in the frame.
type body interface {
	// takes reports whether w begins like this body.
	takes(w []byte) bool

	// begin begins a call whose first byte is at offset start and whose body begins at
	// win[pos].
	begin(r *reader)

	// read reads on in win[pos:bound]. It returns the part that it completes, if any,
	// and whether it can go on; otherwise it needs more input.
	read(r *reader, bound int) (part parse.Part, more bool)

	// quotes returns the quotes that hide tags.
	quotes() string

	// quote returns the quote of the string being read, or 0, and how many bytes after
	// win[pos] its first unread unit begins.
	quote() (quote byte, from int)

	// spoil marks the call as malformed. Faults in parts that were deferred come first.
	spoil(r *reader)

	// pass reads damage up to the end of the unquoted value with the fault, and reports
	// whether it is past that value; otherwise it needs more input.
	pass(r *reader) (past bool)
}

func newReader(f frame, b body, catalog *sig.Catalog, o parse.Options) *reader {
	r := &reader{frame: f, own: b, body: b, catalog: catalog, opts: o}
	r.asm = parse.NewAssembler(catalog, o, r.source)
	return r
}

func (r *reader) Reset() {
	r.window.reset()
	r.asm.Reset()
	r.state, r.look, r.last, r.frozen = inText, 0, 0, nil
	r.spent, r.closed, r.aborted = false, false, false
	r.code = lexer.Markdown{}
	r.steps, r.quiet = 0, 0
}

func (r *reader) Feed(chunk []byte) {
	if r.closed {
		return
	}
	r.spent = false
	r.asm.Feed()
	r.feed(chunk, r.keep())
}

func (r *reader) Close() { r.spent, r.closed = false, true }

func (r *reader) Abort() { r.spent, r.closed, r.aborted = false, true, true }

func (r *reader) Segment() *parse.Segment { return r.asm.Segment() }
func (r *reader) Delta() []byte           { return r.asm.Delta() }
func (r *reader) Steps() int              { return r.steps + r.asm.Steps() }

// Opening returns 0 if text can hold reasoning, which can begin with several bytes, or
// if every byte of text matters.
func (r *reader) Opening() byte {
	if r.opts.Reasoning || r.opts.Code {
		return 0
	}
	return r.frame.first()
}

func (r *reader) Skip(n int, text []byte) bool {
	if n < 0 || n > math.MaxInt/2-r.base-len(r.win) || r.state != inText || r.pos < len(r.win) || r.used < len(r.chunk) || !r.clear(text) {
		return false
	}
	if len(text) > 0 {
		r.last = text[len(text)-1]
	}
	r.slide(nil, r.pos)
	r.chunk, r.used, r.owned = nil, 0, false
	r.base += n
	return true
}

// clear reports whether neither a call nor reasoning can begin in text.
func (r *reader) clear(text []byte) bool { return r.next(text, 0) == len(text) }

// keep returns the index in the window of the first byte still needed.
func (r *reader) keep() int {
	if r.state <= inThought || r.frozen != nil {
		return r.pos
	}
	return r.start - r.base
}

func (r *reader) Next() parse.Part {
	if part := r.asm.Pending(); part != parse.NoPart {
		return part
	}
	for !r.spent {
		part, more := r.read()
		switch {
		case part != parse.NoPart:
			return part
		case more:
			continue
		}
		if end := r.limit(); r.state == inDamage && r.frozen == nil && len(r.win) > end && !r.speaks() {
			r.frozen = bytes.Clone(r.win[r.start-r.base : end])
		}
		if r.refill(r.keep()) {
			continue
		}
		if r.closed {
			if part, more = r.finish(); part != parse.NoPart {
				return part
			} else if more {
				continue
			}
		}
		r.spent = true
	}
	return r.asm.More()
}

// limit returns the index at which the call reaches its limit of bytes, which may be
// after the window's end.
func (r *reader) limit() int { return r.start - r.base + r.asm.Limits().Bytes }

// read reads on. It returns a part, or whether there is more to read.
func (r *reader) read() (part parse.Part, more bool) {
	switch r.state {
	case inText:
		return r.readText()
	case inThought:
		return r.readThought()
	case inBody:
		bound := min(len(r.win), r.limit())
		if r.pos > bound { // the body's first bytes extend beyond it
			return r.failFrom(lexer.CallTooLong, bound, bound), true
		}
		for more = true; more && part == parse.NoPart && r.state == inBody; { // returning after each step costs a tenth
			part, more = r.body.read(r, bound)
		}
		if part != parse.NoPart || more {
			return part, true
		}
		if bound < len(r.win) {
			r.look = 0
			if bad := lexeme.IllFormed(r.win[r.pos:bound]); bad >= 0 && r.pos+bad < bound {
				return r.fail(lexer.InvalidUTF8, r.pos+bad), true
			}
			_, from := r.body.quote()
			return r.failFrom(lexer.CallTooLong, bound, min(r.pos+from, bound)), true
		}
		return parse.NoPart, false
	case atClose:
		return r.readClose()
	}
	return r.readDamage()
}

// readText reads text up to the next call.
func (r *reader) readText() (part parse.Part, more bool) {
	w := r.win
	for i := r.pos; ; i++ {
		if i = r.next(w, i); i == len(w) {
			return r.text(i), false
		}
		look := 0
		if i == r.pos {
			look = r.look
		}
		begin, more, looked := r.frame.opens(w, i, look)
		r.steps += looked - look + 1
		r.look = 0
		more = more && looked < r.asm.Limits().Bytes
		bare := false
		if r.drift != nil && begin == 0 && !more {
			bare, more = r.drift.opens(w, i)
			r.steps += r.drift.longest
			looked = 0
		}
		switch {
		case more:
			r.look = looked
			return r.text(i), false
		case bare:
			begin = i
		case begin == 0 && r.opts.Reasoning:
			n, closer, more := lexer.ThoughtAt(w[i:])
			before := r.last
			if i > r.pos {
				before = w[i-1]
			}
			if n == 0 && !more || before == '`' { // after a backquote, prose only mentions a tag
				continue
			}
			if n == 0 || r.pos < i {
				return r.text(i), n > 0
			}
			r.state, r.closer, r.last = inThought, closer, 0
			r.pos += n
			return r.asm.Thought(parse.ReasoningStartPart, w[i:i+n:i+n]), true
		case begin == 0 || begin-i >= r.asm.Limits().Bytes:
			continue
		}
		if r.pos < i { // the opener is read again after the text
			return r.text(i), true
		}
		r.start = r.base + i
		r.state, r.last = inBody, 0
		r.pos = begin
		r.frozen, r.wrap, r.spoken = nil, "", 0
		if r.salvages() {
			r.beginDrift(w[i:begin])
		} else {
			r.body.begin(r)
		}
		if !r.opts.Code {
			return parse.NoPart, true
		}
		if r.code.Call(); r.code.Code() {
			r.asm.Fail(lexer.InCode, r.start)
		}
		return parse.NoPart, true
	}
}

// next returns the index of the first byte of w, from i on, that may begin an opener or
// reasoning, or len(w). It looks at no byte after that one.
func (r *reader) next(w []byte, i int) int {
	first, from := r.frame.first(), i
	if r.opts.Reasoning {
		for i < len(w) && w[i] != first && !lexer.BeginsThought(w[i]) {
			i++
		}
	} else if n := bytes.IndexByte(w[i:], first); n >= 0 {
		i += n
	} else {
		i = len(w)
	}
	r.steps += i - from
	return i
}

// readThought reads reasoning up to its close tag.
func (r *reader) readThought() (part parse.Part, more bool) {
	w, from := r.win, r.pos
	for i := from; ; i++ {
		n := bytes.IndexByte(w[i:], r.closer[0])
		if n < 0 {
			n = len(w) - i
		}
		r.steps += n + 1
		i += n
		n = lexeme.MatchTag(w[i:], r.closer)
		switch closed := n == len(r.closer); {
		case i == len(w):
			i -= lexeme.PartialRune(w[from:])
			fallthrough
		case closed, n > 0:
			if r.pos = i; i > from {
				return r.asm.Thought(parse.ReasoningPart, w[from:i:i]), true
			} else if !closed {
				return parse.NoPart, false
			}
			r.state = inText
			r.pos += n
			return r.asm.Thought(parse.ReasoningEndPart, w[i:r.pos:r.pos]), true
		}
	}
}

// text returns win[pos:to] as text.
func (r *reader) text(to int) parse.Part {
	from := r.pos
	r.pos = to
	if from == to {
		return parse.NoPart
	}
	r.last = r.win[to-1]
	for i := from; r.opts.Code && i < to; i++ {
		r.code.Pass(r.win[i])
	}
	return r.asm.Text(r.win[from:to:to])
}

// readClose reads the closer, and the whitespace before it.
func (r *reader) readClose() (part parse.Part, more bool) {
	bound := min(len(r.win), r.limit())
	from := r.pos
	r.pos = lexeme.SkipSpace(r.win[:bound], r.pos)
	r.steps += r.pos - from + 1
	bare := r.drift != nil && r.drift.bare
	if r.pos == bound {
		switch {
		case bound == len(r.win):
			return parse.NoPart, false
		case bare:
			return r.endBare(), true
		}
		return r.fail(lexer.CallTooLong, bound), true
	}
	if r.wrap != "" {
		switch n := lexeme.MatchTag(r.win[r.pos:], r.wrap); {
		case n == 0:
			return r.fail(worse(r.win, r.pos, lexer.ExpectedClose), r.pos), true
		case n < len(r.wrap):
			return parse.NoPart, false
		case r.pos+n > bound:
			return r.fail(lexer.CallTooLong, bound), true
		}
		r.pos += len(r.wrap)
		r.wrap = ""
		return parse.NoPart, true
	}
	end, more := r.frame.closes(r.win, r.pos)
	switch {
	case more:
		return parse.NoPart, false
	case end == 0 && bare:
		return r.endBare(), true
	case end == 0 && lexeme.BeginsNone(r.win[r.pos]):
		return r.fail(lexer.InvalidUTF8, r.pos), true
	case end == 0 && r.salvages() && r.body.quotes() != "" && r.win[r.pos] == '}' && !r.extra:
		if !r.asm.Dead() {
			r.asm.Repaired("extra-brace", r.offset(r.pos), true)
		}
		r.extra = true
		r.pos++
		return parse.NoPart, true
	case end == 0 && r.salvages():
		begin, more, _ := r.frame.opens(r.win, r.pos, 0)
		found := begin > 0
		if r.drift != nil && !found && !more {
			found, more = r.drift.opens(r.win, r.pos)
		}
		switch {
		case more:
			return parse.NoPart, false
		case !found:
			return r.fail(lexer.ExpectedClose, r.pos), true
		}
		return r.unclosed(r.offset(r.pos)), true
	case end == 0:
		return r.fail(lexer.ExpectedClose, r.pos), true
	case end > r.limit():
		return r.failFrom(lexer.CallTooLong, r.limit(), r.pos), true
	}
	r.state = inText
	start := r.pos
	r.pos = end
	return r.asm.Finish(r.offset(start), r.offset(end)), true
}

// salvages reports whether a closer may be missing after a complete body.
func (r *reader) salvages() bool { return r.opts.Salvage && !r.opts.Strict }

// complete says that the body is complete: the closer is due at win[pos].
func (r *reader) complete() { r.state, r.ended, r.extra = atClose, r.offset(r.pos), false }

// fail makes the call malformed at win[at], and skips from there.
func (r *reader) fail(code lexer.Code, at int) parse.Part { return r.failFrom(code, at, at) }

// failFrom is like fail, but skips from win[from], the first byte of the unit with the
// fault.
func (r *reader) failFrom(code lexer.Code, at, from int) parse.Part {
	quote := byte(0)
	if r.state == inBody {
		quote, _ = r.body.quote()
	}
	return r.failIn(code, at, from, quote)
}

// failIn is failFrom inside a string with that quote, if quote is not 0.
func (r *reader) failIn(code lexer.Code, at, from int, quote byte) parse.Part {
	if r.inValue = r.state == inBody; r.inValue {
		r.body.spoil(r)
	}
	r.state, r.quote = inDamage, quote
	r.prev = 0
	if from > 0 {
		r.prev = r.win[from-1]
	}
	r.pos = from
	return r.asm.Fail(code, r.offset(at))
}

// readDamage reads to the end of the damage: a closer, or an opener that begins a call,
// outside quoted strings.
func (r *reader) readDamage() (part parse.Part, more bool) {
	w, quotes := r.win, r.body.quotes()
	if r.inValue {
		if !r.body.pass(r) {
			return parse.NoPart, false
		}
		r.inValue = false
	}
	for r.pos < len(w) {
		c := w[r.pos]
		r.steps++
		switch {
		case r.quote != 0:
			switch {
			case c == r.quote:
				r.quote = 0
			case c != '\\':
			case r.pos+1 == len(w): // the byte after the backslash is still to come
				return parse.NoPart, false
			default:
				r.pos++
				r.steps++
			}
		case quotes != "" && (c == quotes[0] || len(quotes) > 1 && c == quotes[1]):
			if lexeme.IsSpace(r.prev) || lexeme.Introduces(r.prev) {
				r.quote = c
			}
		default:
			begin, more, looked := r.frame.opens(w, r.pos, r.look) // first, since a closer may begin an opener
			r.steps += looked - r.look
			r.look = 0
			switch {
			case more && looked < r.asm.Limits().Bytes:
				r.look = looked
				return parse.NoPart, false
			case begin > 0 && begin-r.pos < r.asm.Limits().Bytes:
				if r.speaks() {
					return r.drop(), true
				}
				r.state = inText
				return r.asm.Spoil(r.offset(r.pos), false), true
			}
			switch end, more := r.frame.closes(w, r.pos); {
			case more:
				return parse.NoPart, false
			case end > 0:
				r.state, r.pos = inText, end
				return r.asm.Spoil(r.offset(end), true), true
			}
		}
		r.prev = w[r.pos]
		r.pos++
	}
	return parse.NoPart, false
}

// speaks reports whether the damage is text if it ends here, since prose mentions its
// opener.
func (r *reader) speaks() bool { return r.spoken > 0 && r.pos <= r.limit() }

// drop returns the opener of the damage as text, and reads on after it.
func (r *reader) drop() parse.Part {
	r.asm.Drop()
	r.state, r.pos = inText, r.start-r.base
	return r.text(r.spoken - r.base)
}

// source returns the kept part of a malformed span's text.
func (r *reader) source(start, end int) (text []byte, cut bool) {
	n := min(end-start, r.asm.Limits().Bytes)
	if r.frozen != nil {
		return r.frozen[:n:n], n < end-start
	}
	return r.slice(start, start+n), n < end-start
}

// finish reads the end of the message, once everything before it is read.
func (r *reader) finish() (part parse.Part, more bool) {
	n := len(r.win)
	switch {
	case r.state == inText:
		return r.text(n), false
	case r.state == inThought:
		if from := r.pos; from < n {
			r.pos = n
			return r.asm.Thought(parse.ReasoningPart, r.win[from:n:n]), true
		}
		r.state = inText
		return r.asm.Thought(parse.ReasoningEndPart, nil), true
	case r.state == inDamage:
		if r.inValue {
			r.pos = n
		}
		if r.pos < n { // the beginning of a tag that never came
			if end, more := r.frame.closes(r.win, r.pos); end > 0 && !more {
				r.state, r.pos = inText, end
				return r.asm.Spoil(r.offset(end), true), true
			}
			r.look = 0
			r.prev = r.win[r.pos]
			r.pos++
			part, _ = r.readDamage()
			return part, true
		}
		if r.speaks() {
			return r.drop(), true
		}
		r.pos = n
		r.state = inText
		return r.asm.Spoil(r.offset(n), false), true
	case r.state == atClose && r.wrap != "": // whose end is missing
	case r.state == atClose && r.pos == n && r.opts.AcceptAtEnd && !r.aborted:
		r.state = inText
		return r.asm.Finish(r.offset(n), r.offset(n)), true
	case r.state == atClose && r.drift != nil && r.drift.bare && !r.aborted:
		return r.endBare(), true
	case r.state == atClose && r.pos == n && r.salvages() && !r.aborted:
		return r.unclosed(r.offset(n)), true
	}
	at := n
	code := lexer.Unterminated
	if bad := lexeme.IllFormed(r.win[r.pos:]); bad >= 0 && r.pos+bad < n {
		code, at = lexer.InvalidUTF8, r.pos+bad
	}
	return r.failFrom(code, at, n), true
}
