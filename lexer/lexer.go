package lexer

// Config says how a Lexer reads. The zero value reads the format as specified.
type Config struct {
	Delims Delims
	Limits Limits

	// AcceptAtEnd takes a call whose body is complete at the end of input for
	// a whole one, for callers whose API swallows the close tag as a stop
	// string.
	AcceptAtEnd bool
}

// Lexer splits input into tokens. The zero value reads the format as specified. A
// Lexer must not be copied, and not be used by two goroutines at once.
//
// Invariants of its window:
//   - win[0] is the byte at offset base of the input
//   - win[:pos] is in tokens already, win[pos:scan] is looked at but not yet in
//     a token, and 0 <= pos <= scan <= len(win)
//   - while a call is read, base <= start: all its bytes are in win, unless
//     raw is set because the damage has outgrown the limit
//   - win is either part of the chunk, or the owned buffer, in which case
//     chunk[:used] is a copy of its end
type Lexer struct {
	open, close string
	openWord    uint64 // the first eight bytes of open, to compare them at once
	openMask    uint64
	closeWord   uint64 // of close
	closeMask   uint64
	class       *[256]class
	limits      Limits
	acceptAtEnd bool

	win   []byte
	base  int
	pos   int
	scan  int
	bound int // of win: where the limit on the call's bytes falls, or len(win)

	chunk []byte
	used  int    // bytes of chunk that are in win
	owned bool   // win is held in buf and not in chunk
	buf   []byte // memory behind win when owned
	spare []byte // the buffer before that; earlier tokens of this chunk may point to it

	state  state
	start  int    // offset of the call being read
	dots   int    // nesting by the dots of the path being read
	nest   []byte // open brackets, innermost last: '[' or '{'
	json   bool   // the body is one JSON object
	args   bool   // an argument has begun: no JSON body can follow
	done   bool   // a JSON body has ended
	quote  byte   // the quote of the open string, 0 outside strings
	part   Flags  // of the string being read: First until its first piece is out, MemberKey
	high   bool   // the lexeme being read holds bytes from 0x80 up
	quotes quotes // the quotes of the bare word being read

	fault   Code
	faultAt int
	prev    byte   // the byte before win[0]
	raw     []byte // the damage, when it has outgrown the limit: its first bytes

	closed, ended bool
	aborted       bool
	dry           bool // all of the chunk is read, and what must outlive it is saved
	pause         bool // return what there is: a fault, or the end of its damage

	toks  []Token
	steps int
}

// state says what is read next.
type state uint8

const (
	inText      state = iota
	inOpen            // in the whitespace after an opener
	inName            //
	inSpace           // between the parts of a call
	inSegment         // at the first byte of a path segment behind a dot
	inKey             // in a path segment
	inValue           // behind =
	inBare            //
	inString          //
	afterValue        // behind a quoted, array or object value
	inFirst           // behind [ or {: an item, a member or the closing bracket
	inNext            // behind a comma: the same
	inItem            // a value is due
	inBareItem        //
	afterItem         // a comma or the closing bracket is due
	inMember          // in a bare key
	afterMember       // a colon is due
	inSkip            // in damage
	inSkipOpen        // in damage, in the whitespace after an opener
)

// tape is the number of tokens after which Tokens returns.
const tape = 40

// New returns a Lexer for input under c. The error is that of [Delims.Validate]; to
// a Lexer under such tags all input is text.
func New(c Config) (*Lexer, error) {
	l := new(Lexer)
	return l, l.Configure(c)
}

// Configure makes l read new input under c. Buffers are kept. Where it returns an
// error, that of New, l goes on as it was.
func (l *Lexer) Configure(c Config) error {
	if err := c.Delims.OrDefault().Validate(); err != nil {
		if l.class == nil {
			l.configure(Config{})
			l.limits.Bytes = 0 // so that no opener begins a call
		}
		return err
	}
	l.configure(c)
	l.Reset()
	return nil
}

// configure makes l read under c, the tags of which are legal.
func (l *Lexer) configure(c Config) {
	d := c.Delims.OrDefault()
	l.open, l.close = d.Open, d.Close
	l.openWord, l.openMask = word(d.Open)
	l.closeWord, l.closeMask = word(d.Close)
	l.class = classes
	if d != defaultDelims {
		l.class = classTable(d)
	}
	l.limits = c.Limits.OrDefault()
	l.acceptAtEnd = c.AcceptAtEnd
}

// Reset makes l read new input under the same configuration. Buffers are kept.
func (l *Lexer) Reset() {
	l.win, l.base, l.pos, l.scan, l.bound = nil, 0, 0, 0, 0
	l.chunk, l.used, l.owned = nil, 0, false
	l.state, l.start = inText, 0
	l.prev, l.raw = 0, nil
	l.fault, l.faultAt = "", 0
	l.closed, l.ended, l.aborted, l.dry = false, false, false, false
	l.toks = l.toks[:0]
	l.steps = 0
}

// Feed lends l the next chunk of input. Tokens reads it; it must not change
// before Tokens has returned none. What was not read of an earlier chunk is
// kept and read first. After Close, Feed does nothing.
func (l *Lexer) Feed(chunk []byte) {
	switch {
	case l.closed:
		return
	case l.class == nil:
		l.configure(Config{})
	}
	l.dry = false
	if l.Idle() {
		l.base += len(l.win)
		l.win, l.pos, l.scan = chunk, 0, 0
		l.chunk, l.used, l.owned = chunk, len(chunk), false
		return
	}
	if l.used < len(l.chunk) || !l.owned && len(l.win) > 0 {
		l.takeAll()
	}
	if l.owned {
		l.compact()
		if len(chunk) <= firstStep && len(l.chunk) == 0 { // no need to take it in steps
			l.append(chunk)
			return
		}
	}
	l.chunk, l.used = chunk, 0
}

// Tokens reads on and returns the next tokens; none means that the chunk is
// used up. It returns in front of each name and of each argument, so that Ahead
// can be asked. The slice is used again by the next call.
func (l *Lexer) Tokens() []Token {
	l.toks = l.toks[:0]
	for {
		used := l.run()
		if len(l.toks) > 0 {
			l.dry = used && l.owned && l.used == len(l.chunk) && !l.closed && l.state > inOpen && l.state < inSkip
			return l.toks
		}
		if l.refill() {
			continue
		}
		if l.closed && !l.ended {
			l.ended = true
			l.end()
		}
		return l.toks
	}
}

// Dry reports whether the chunk is used up, as far as that can be told before
// Tokens returns none: most often where chunks are small.
func (l *Lexer) Dry() bool { return l.dry }

// Last returns what Tokens has returned last.
func (l *Lexer) Last() []Token { return l.toks }

// run reads tokens until the window is used up, the tape is full, or a name or an
// argument is due. It reports whether the window is used up.
func (l *Lexer) run() bool {
	l.pause = false
	more := true
	for more && l.scan < len(l.win) && !l.pause && len(l.toks) < tape {
		if len(l.toks) > 0 && (l.state == inName || l.state == inSpace) && l.scan == l.pos {
			return false
		}
		switch l.state {
		case inText:
			more = l.readText()
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
	return !more || l.scan == len(l.win)
}

// Close says that the input has ended: Tokens returns what is left of it. After
// that, only Reset and Configure are of use.
func (l *Lexer) Close() { l.closed, l.dry = true, false }

// Abort is Close for an input that broke off: Config.AcceptAtEnd does not apply.
func (l *Lexer) Abort() { l.closed, l.aborted, l.dry = true, true, false }

// Slice returns the input from offset start to offset end. The span must lie in
// a token of the last Tokens, or in the call being read. The bytes
// hold as the chunk does, see Feed, and must not be changed.
func (l *Lexer) Slice(start, end int) []byte {
	return l.win[start-l.base : end-l.base : end-l.base]
}

// Fault returns code and offset of the fault behind the Fault token that Tokens
// returned last. A Fault token is always the last of its slice, but for Damage
// and Cut at the end of input.
func (l *Lexer) Fault() (Code, int) { return l.fault, l.faultAt }

// Raw returns the bytes of the malformed span from offset start to offset end,
// after its Close or Cut token and before the next Tokens; cut reports that
// they are only its first [Limits.Bytes] bytes.
func (l *Lexer) Raw(start, end int) (raw []byte, cut bool) {
	n := min(end-start, l.limits.Bytes)
	if l.raw != nil && start == l.start {
		return l.raw[:n:n], n < end-start
	}
	return l.Slice(start, start+n), n < end-start
}

// Idle reports whether l is between calls and holds nothing back: the next
// byte is text unless it begins a tag.
func (l *Lexer) Idle() bool {
	return l.state == inText && l.pos == len(l.win) && l.used == len(l.chunk)
}

// Skip says that n bytes of text, which begin no tag, come next, and need not be
// seen. It is for use before the first Feed and behind [Lexer.Prose], and offsets
// count them.
func (l *Lexer) Skip(n int) { l.base += n }

// Steps returns how many bytes l has looked at since Reset, repeated looks
// included: work that does not depend on the clock. It is linear in the input
// plus the number of chunks.
func (l *Lexer) Steps() int { return l.steps }

// emit appends the token win[from:to] and moves behind it.
func (l *Lexer) emit(k Kind, f Flags, from, to int) {
	l.toks = extend(l.toks)
	t := &l.toks[len(l.toks)-1]
	t.Start, t.End, t.Kind, t.Flags = l.base+from, l.base+to, k, f
	l.pos, l.scan = to, to
}

// extend makes toks longer by one token of any content, of which the caller sets
// the fields one by one: a token that is put together first and then copied
// costs several times as much.
func extend(toks []Token) []Token {
	if n := len(toks); n < cap(toks) {
		return toks[:n+1]
	}
	return append(toks, Token{})
}
