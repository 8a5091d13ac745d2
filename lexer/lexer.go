package lexer

import (
	"bytes"
	"math"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Config says how a Lexer reads. The zero value reads the format as specified.
type Config struct {
	Delims Delims
	Limits Limits

	// AcceptAtEnd accepts a call whose body is complete at the end of input, for
	// callers whose API swallows the close tag as a stop string.
	AcceptAtEnd bool

	// Reasoning reads <think>…</think> and similar tags as reasoning, in which no
	// call is read: tokens ThoughtOpen, Thought and ThoughtClose.
	Reasoning bool

	// Code makes a call in Markdown code malformed (in-code): in a code span or a
	// fence, except a fence at the very start of the input.
	Code bool

	// NearMisses reads openers of other formats, and misspellings of ours, as the
	// beginning of a malformed call (wrong-opener).
	NearMisses bool
}

// Tags returns the tags of c as they are compared: none if they are not legal.
func (c Config) Tags() lexeme.Tags {
	switch d := c.Delims.OrDefault(); {
	case d == defaultDelims && c.NearMisses:
		return nearTags
	case d == defaultDelims:
		return defaultTags
	case d.Validate() != nil:
		return lexeme.Tags{}
	case c.NearMisses && d.Open[0] == '<':
		return lexeme.NewTags(d.Open, d.Close, nearOf(d.Open))
	default:
		return lexeme.NewTags(d.Open, d.Close, nil)
	}
}

// Opening returns the byte with which everything begins that is not text, and 0 if there
// is no such byte, or if what comes before a region matters.
func (c Config) Opening() byte {
	open := c.Delims.OrDefault().Open
	if open == "" || c.Reasoning || c.Code || c.NearMisses && open[0] != '<' {
		return 0
	}
	return open[0]
}

// defaultTags are the default tags, nearTags those that know near misses. A Decoder
// asks for them each time it makes a parser: for each call, and where one might begin.
var (
	defaultTags = lexeme.NewTags(defaultDelims.Open, defaultDelims.Close, nil)
	nearTags    = lexeme.NewTags(defaultDelims.Open, defaultDelims.Close, nearOf(defaultDelims.Open))
)

// Lexer splits input into tokens. The zero value reads the format as specified. A
// Lexer must not be copied, and not be used by two goroutines at once.
type Lexer struct {
	config Config // of the input
	tags   lexeme.Tags
	limits Limits // with their defaults

	window
	state   state
	call    call
	regions regions

	fault   Code
	faultAt int
	raw     []byte // the damage, when it has outgrown the limit: its first bytes

	closed, ended bool
	aborted       bool
	dry           bool // more input is needed
	pause         bool // return what there is: a fault, or the end of its damage

	toks  []Token
	steps int
}

// call is how far the call being read has come.
type call struct {
	start  int           // its offset
	dots   int           // nesting by the dots of the path being read
	nest   []byte        // open brackets, innermost last: '[' or '{'
	json   bool          // the body is one JSON object
	args   bool          // an argument has begun: no JSON body can follow
	done   bool          // a JSON body has ended
	quote  byte          // the quote of the open string, 0 outside strings
	part   Flags         // of the string being read: First until its first piece is out, MemberKey
	high   bool          // the lexeme being read holds bytes from 0x80 up
	quotes lexeme.Quotes // the quotes of the bare word being read
}

// state says what is read next.
type state uint8

const (
	inText      state = iota
	inThought         // in reasoning
	inOpen            // in the whitespace after an opener
	inName            //
	inSpace           // between the parts of a call
	inSegment         // at the first byte of a path segment after a dot
	inKey             // in a path segment
	inValue           // after =
	inBare            //
	inString          //
	afterValue        // after a quoted, array or object value
	inFirst           // after [ or {: an item, a member or the closing bracket
	inNext            // after a comma: the same
	inItem            // a value is due
	inBareItem        //
	afterItem         // a comma or the closing bracket is due
	inMember          // in a bare key
	afterMember       // a colon is due
	inSkip            // in damage
	inSkipOpen        // in damage, in the whitespace after an opener
)

// enough is how many bytes make it worth asking Peek before a name or an argument.
const enough = 8

// tape is the number of tokens after which Tokens returns.
const tape = 40

// New returns a Lexer for input under c. It returns the same errors as [Lexer.Reset].
func New(c Config) (*Lexer, error) {
	l := new(Lexer)
	return l, l.Reset(c)
}

// Reset makes l read new input under c. Buffers are kept. The error is that of
// [Delims.Validate]: under such tags all input is text.
func (l *Lexer) Reset(c Config) error {
	var err error
	if c != l.config || l.tags.Classes == nil {
		err = l.configure(c)
	}
	if l.regions.closer, l.regions.last = "", 0; l.regions.bytewise {
		l.regions = regions{wanted: l.regions.wanted}
	}
	l.window = window{buf: l.buf[:0], spare: l.spare}
	l.state = inText
	l.call = call{nest: l.call.nest[:0]}
	l.fault, l.faultAt, l.raw = "", 0, nil
	l.closed, l.ended, l.aborted, l.dry = false, false, false, false
	l.toks = l.toks[:0]
	l.steps = 0
	return err
}

// configure makes l read under c.
func (l *Lexer) configure(c Config) error {
	err := c.Delims.OrDefault().Validate()
	if err != nil {
		c = Config{}
	}
	l.config, l.limits = c, c.Limits.OrDefault()
	l.tags = c.Tags()
	l.regions = regions{wanted: wantedBy(c, &l.tags)}
	if err != nil {
		l.limits.Bytes = 0 // so that no opener begins a call
		l.config.Limits.Bytes = -1
	}
	return err
}

// Feed lends l the next chunk of input. Tokens reads it; it must not change
// before Tokens has returned none. What was not read of an earlier chunk is
// kept and read first. After Close, Feed does nothing.
func (l *Lexer) Feed(chunk []byte) {
	switch {
	case l.closed:
		return
	case l.tags.Classes == nil:
		l.configure(Config{})
	}
	if l.dry && l.owned && len(chunk) <= firstStep && l.keep() == 0 { // what feed does, in a third of the time
		l.win = append(l.win, chunk...)
		l.buf = l.win
		l.rebound()
		l.dry = l.state != inString && l.lengthens()
		return
	}
	l.dry = false
	if l.state == inText && l.drained() {
		l.base += len(l.win)
		l.win, l.pos, l.scan = chunk, 0, 0
		l.chunk, l.used, l.owned = chunk, len(chunk), false
		return
	}
	l.feed(chunk, l.keep())
}

// keep returns the index in the window of the first byte that is still needed:
// while a call is read, all its bytes, unless the damage has outgrown the limit.
func (l *Lexer) keep() int {
	if l.state <= inOpen || l.raw != nil {
		return l.pos
	}
	return l.call.start - l.base
}

// Tokens reads on and returns the next tokens; none means that the chunk is
// used up. It returns before each name and each argument with eight bytes or more
// after it, so that Peek can be asked. The slice is used again by the next call.
func (l *Lexer) Tokens() []Token {
	l.toks = l.toks[:0]
	for {
		l.run()
		if len(l.toks) > 0 || l.dry {
			return l.toks
		}
		if l.more() {
			continue
		}
		if l.closed && !l.ended {
			l.ended = true
			l.end()
		}
		return l.toks
	}
}

// more makes more of the chunk readable. At its end it saves what must outlive
// the chunk and returns false.
func (l *Lexer) more() bool {
	l.freeze()
	if l.refill(l.keep()) {
		return true
	}
	l.dry = l.state != inText || l.pos < len(l.win)
	return false
}

// freeze sets the first bytes of damage apart once it has outgrown the limit,
// so that the rest need not be kept.
func (l *Lexer) freeze() {
	if end := l.limit(); l.state >= inSkip && l.raw == nil && len(l.win) > end {
		l.raw = bytes.Clone(l.win[l.call.start-l.base : end])
	}
}

// run reads tokens until the window is used up, the tape is full, or a name or an
// argument is due.
func (l *Lexer) run() {
	l.pause = false
	more := true
	for more && l.scan < len(l.win) && !l.pause && len(l.toks) < tape {
		if len(l.toks) > 0 && (l.state == inName || l.state == inSpace) && l.scan == l.pos && len(l.win)-l.pos >= enough {
			return
		}
		switch l.state {
		case inText:
			more = l.readText()
		case inThought:
			more = l.readThought()
		case inOpen:
			more = l.readOpen()
		case inName:
			more = l.readName()
		case inSpace:
			more = l.readSpace()
		case inSegment:
			more = l.readSegment()
		case inKey:
			more = l.readKey()
		case inValue:
			more = l.readValue()
		case inBare:
			more = l.readBare()
		case inString:
			more = l.readString()
		case afterValue:
			more = l.readAfterValue()
		case inFirst, inNext:
			more = l.readFirst()
		case inItem:
			more = l.readItem()
		case inBareItem:
			more = l.readBareItem()
		case afterItem:
			more = l.readAfterItem()
		case inMember:
			more = l.readMember()
		case afterMember:
			more = l.readAfterMember()
		case inSkip:
			more = l.readSkip()
		case inSkipOpen:
			more = l.readSkipOpen()
		}
	}
	l.dry = (!more || l.scan == len(l.win)) && l.saved() && l.state < inSkip
}

// saved reports whether the lexer has copied all of the chunk, and holds some of it
// back.
func (l *Lexer) saved() bool {
	return l.owned && l.used == len(l.chunk) && l.state > inOpen && !l.closed
}

// Close says that the input has ended: Tokens returns what is left of it. After
// that, only Reset is of use.
func (l *Lexer) Close() { l.closed, l.dry = true, false }

// Abort is Close for an input that broke off: Config.AcceptAtEnd does not apply.
func (l *Lexer) Abort() { l.closed, l.aborted, l.dry = true, true, false }

// Slice returns the input from offset start to offset end. The span must lie in
// a token of the last Tokens, or in the call being read; for any other it returns
// nil. The bytes are valid as long as the chunk is, see Feed, and must not be changed.
func (l *Lexer) Slice(start, end int) []byte {
	if start < l.base || end < start || l.base+len(l.win) < end {
		return nil
	}
	return l.win[start-l.base : end-l.base : end-l.base]
}

// Fault returns code and offset of the fault after the Fault token that Tokens
// returned last. A Fault token is always the last of its slice, except for
// Damage and Cut at the end of input.
func (l *Lexer) Fault() (Code, int) { return l.fault, l.faultAt }

// Raw returns the bytes of the malformed span from offset start to offset end,
// after its Close or Cut token and before the next Tokens; cut reports that
// they are only its first [Limits.Bytes] bytes.
func (l *Lexer) Raw(start, end int) (raw []byte, cut bool) {
	n := min(end-start, l.limits.Bytes)
	if l.raw != nil && start == l.call.start {
		n = max(0, min(n, len(l.raw)))
		return l.raw[:n:n], n < end-start
	}
	return l.Slice(start, start+n), n < end-start
}

// Steps returns how many bytes l has looked at since Reset, repeated looks
// included: work that does not depend on the clock. It is linear in the input
// plus the number of chunks.
func (l *Lexer) Steps() int { return l.steps }

// Place says what is read next.
type Place uint8

// The places.
const (
	Elsewhere  Place = iota // ask Tokens
	Spent                   // the chunk is used up
	Prose                   // between calls
	AtName                  // before a call's name
	AtArgument              // after the name or an argument of a call
	AtValue                 // after the = of an argument; Peek does not say so
	Quoted                  // in a quoted string, at the first byte of a unit
)

// Peek returns the bytes still to be read, what they begin with, and the offset of
// the first, for a caller that reads them itself instead of asking Tokens. They end
// with the window, or at the limit on the call's bytes, and are valid as long as the
// chunk is.
func (l *Lexer) Peek() (w []byte, at Place, offset int) {
	switch {
	case l.dry:
		return nil, Spent, 0
	case l.scan > l.pos: // inside a lexeme
		return
	case l.pos < len(l.win):
	case l.closed && l.drained():
		if l.state == inText {
			return nil, Spent, 0
		}
	case l.saved():
		l.dry = true
		return nil, Spent, 0
	case (l.state != inText || l.used < len(l.chunk)) && !l.more():
		return nil, Spent, 0
	}
	switch l.state {
	case inText:
		if w, at = l.win[l.pos:], Prose; l.regions.bytewise && l.regional(w) {
			return nil, Elsewhere, 0
		}
	case inName:
		w, at = l.win[l.pos:l.bound], AtName
	case inSpace:
		if !l.call.done {
			w, at = l.win[l.pos:l.bound], AtArgument
		}
	case inString:
		w, at = l.win[l.pos:l.bound], Quoted
	}
	return w, at, l.base + l.pos
}

// Discard says that the caller has read the next n bytes of what Peek returned, as
// Tokens would have, and what comes after them. No token holds them. Before AtArgument
// they are a name or whole arguments; before AtValue they end with a path and its =;
// before Quoted they are whole units of a string; before Prose they may be more than
// Peek returned, and the rest will not be fed.
//
// Discard reports whether the chunk is known to be used up. It does nothing if n cannot
// be right: if it is negative or more than there is, or if a lexeme is half read. No
// offset grows beyond half of the largest int.
func (l *Lexer) Discard(n int, before Place) (spent bool) {
	there := len(l.win) - l.pos
	if n < 0 || n > there || l.scan > l.pos {
		if n < 0 || before != Prose || l.scan > l.pos {
			return false
		}
		n = min(n, max(math.MaxInt/2-l.base-l.pos, there))
	}
	if before == AtName && n < len(l.tags.Open) || before == AtArgument && l.state <= inOpen || before == AtValue && (n == 0 || l.state != inSpace) {
		return false
	}
	l.steps += min(n, there)
	l.pos += n
	l.scan = l.pos
	switch before {
	case Prose:
		l.state = inText
		over := l.pos - len(l.win)
		if over < 0 {
			return false
		}
		if l.regions.on && n > 0 {
			if l.regions.last = ' '; over == 0 { // else it is not known, but no tag was in it
				l.regions.last = l.win[l.pos-1]
			}
		}
		l.base += over
		l.pos, l.scan = len(l.win), len(l.win)
		return l.used == len(l.chunk)
	case AtArgument:
		l.call.args = l.call.args || l.state == inSpace && n > 0
		l.state = inSpace
	case AtName:
		l.enter(l.pos - len(l.tags.Open))
	case AtValue:
		c := &l.call
		c.dots, c.args, c.quotes, c.high = 0, true, lexeme.Quotes{}, false
		for i := l.pos - 1; i >= l.pos-n && l.tags.Classes[l.win[i]]&lexeme.Space == 0; i-- {
			if l.win[i] == '.' {
				c.dots++
			}
		}
		l.state = inValue
	}
	if l.pos < len(l.win) {
		return false
	}
	l.dry = l.saved()
	return l.dry
}

// emit appends the token win[from:to] and moves after it.
func (l *Lexer) emit(k Kind, f Flags, from, to int) {
	l.toks = append(l.toks, Token{Start: l.base + from, End: l.base + to, Kind: k, Flags: f})
	l.pos, l.scan = to, to
}
