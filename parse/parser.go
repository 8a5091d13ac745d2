package parse

import (
	"bytes"
	"math"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// Part is what [Parser.Next] has read.
type Part uint8

// The parts of a message.
const (
	NoPart        Part = iota // the chunk is used up
	TextPart                  // a piece of text: Parser.Delta
	StartPart                 // a call of a known tool begins: Parser.Segment has Start and Name
	InputPart                 // more of the call's input is final: Parser.Delta
	CallPart                  // the call is complete: Parser.Segment
	MalformedPart             // the call is malformed, and its damage has ended: Parser.Segment

	ReasoningStartPart // reasoning begins: Parser.Delta is its tag
	ReasoningPart      // a piece of it: Parser.Delta
	ReasoningEndPart   // reasoning ends: Parser.Delta is its close tag, empty at the end of the message
)

// Parser reads a message in chunks. The zero value reads without a catalog under
// default options. A Parser must not be copied, nor used by two goroutines at once;
// several may share a catalog.
//
//	parsing = { Feed { Next } } Close { Next }
//	message = { TextPart | call | ReasoningStartPart { ReasoningPart } ReasoningEndPart }
//	call    = [ StartPart { InputPart } ] ( CallPart | MalformedPart )
//
// Next returns NoPart when the chunk is used up. What the methods of a Parser
// return holds until the next Feed, Close or Reset, and may alias the chunk.
type Parser struct {
	lex   lexer.Lexer
	toks  []lexer.Token // toks[i:] are still to be read
	i     int
	spent bool // the chunk is used up

	catalog *sig.Catalog
	opts    Options
	limits  lexer.Limits
	config  lexer.Config // for which the tags are made
	tags    lexeme.Tags
	source  func(start, end int) (text []byte, cut bool) // of malformed spans; nil: the lexer has it

	seg      Segment
	tool     *sig.Tool
	name     string               // of an untyped call, kept so that the same name is not allocated again
	damaged  bool                 // calls from here on are after a malformed span
	asked    int                  // bytes looked at for repairs
	earned   int                  // the bytes up to this offset are in the allowance for issues
	thinking bool                 // reasoning is being read
	over     bool                 // the message has ended
	aborted  bool                 // the message broke off
	folds    map[string]*sig.Tool // see folded
	rescue   *rescue              // see salvaged; nil before it is needed

	// The call being read.
	dead     bool // it cannot be delivered
	first    bool // its opener is that of another format, and begins its line
	opened   bool // a bare word of it looks like a string that lost its beginning
	started  bool // StartPart was returned
	again    bool // its end, tag, is to be read once more
	complete bool // its input is complete, and doubted
	due      Part // to be returned next: the end of a repaired call, or the part at which a function of the options panicked
	tag      [2]int
	plain    bool // all of it was read by simple.go, so little is to be reset
	base     int  // its input begins at b.out[base]
	given    int  // b.out[base:given] was returned as final
	delta    []byte
	b        builder
	args     arguments
	doubt    doubt
	several  bool // a bare word holds both = and a comma
	certain  int  // bytes of its input that are final where it is malformed or odd
	until    int  // its input may change from there on, where Salvage asks: see holdFrom
	latest   int  // where the value that pairs has read last begins in the input, or awaited, if goesOn is still to look at it
	word     int  // and in the source

	str     lexer.Token // the string being read: its span and flags so far
	quote   byte        // the quote around it
	streams bool        // it is written piece by piece
	key     lexer.Token // the key of an object that was read last
}

// NewParser returns a Parser for one message after another. A nil catalog
// means that nothing is known about tools: every name is one, and values have
// their untyped reading. The error is that of [lexer.Delims.Validate]; a Parser
// under such tags reads a whole message as text.
func NewParser(catalog *sig.Catalog, opts Options) (*Parser, error) {
	opts.Salvage = opts.Salvage && !opts.Strict
	p, _ := pool.Get().(*Parser)
	if p == nil {
		p = new(Parser)
	}
	p.catalog, p.opts = catalog, opts
	p.seg, p.name = Segment{}, ""
	return p, p.reset()
}

// Reset prepares for a new message. Buffers are kept.
func (p *Parser) Reset() { p.reset() }

// reset is Reset. It returns why the tags are not legal.
func (p *Parser) reset() error {
	o := &p.opts
	c := lexer.Config{
		Delims: o.Delims, Limits: o.Limits, AcceptAtEnd: o.AcceptAtEnd,
		Reasoning: o.Reasoning, Code: o.Code, NearMisses: o.Salvage,
	}
	err := p.lex.Reset(c)
	p.limits = o.Limits.OrDefault()
	if err != nil {
		c = lexer.Config{}
		p.limits.Bytes = 0 // so that no opener begins a call
	}
	if c != p.config || p.tags.Classes == nil {
		p.config, p.tags = c, c.Tags()
	}
	p.clear()
	return err
}

// clear is reset for all but the lexer and what its tags mean, which an Assembler has no
// use for.
func (p *Parser) clear() {
	p.toks, p.i, p.spent = nil, 0, false
	p.damaged, p.seg.Kind = false, Prose
	p.over, p.aborted = false, false
	p.plain, p.again, p.due, p.thinking = false, false, NoPart, false
	p.renew()
	b := &p.b
	b.lex, b.maxDepth = &p.lex, p.limits.Depth
	b.left, p.earned = maxAllowance, 0
	b.keys.steps, p.args.names.steps, p.asked = 0, 0, 0
}

// Feed lends p the next chunk. It must not change before Next has returned
// NoPart. After Close, Feed does nothing.
func (p *Parser) Feed(chunk []byte) {
	if p.b.lex == nil {
		p.Reset()
	}
	if p.i == len(p.toks) && (p.seg.Kind != Unfinished || p.base > 0) {
		p.renew()
	}
	p.spent = false
	p.lex.Feed(chunk)
}

// Skip says that the next n bytes of the message are text, and that they will not be fed.
// Text is the end of them, up to which the caller knows that no tag begins. It returns false
// and skips nothing if anything but text may begin in them, if a call, or what may become
// one, has begun, if parts are still to be read, or if so many bytes cannot be.
func (p *Parser) Skip(n int, text []byte) bool {
	if p.b.lex == nil {
		p.Reset()
	}
	w, at, offset := p.lex.Peek()
	if n < len(text) || n > math.MaxInt/2-offset || p.i < len(p.toks) || at != lexer.Prose || len(w) > 0 {
		return false
	}
	return p.lex.Pass(n, text)
}

// Close says that the message has ended: Next returns what is left of it.
func (p *Parser) Close() {
	p.spent, p.over = false, true
	p.lex.Close()
}

// Abort is Close for a message that broke off: Options.AcceptAtEnd does not
// apply.
func (p *Parser) Abort() {
	p.spent, p.over, p.aborted = false, true, true
	p.lex.Abort()
}

// renew drops what was returned of earlier chunks: the issues and the input of the calls
// before the one that is read.
func (p *Parser) renew() {
	b := &p.b
	if cap(b.issues) < cap(b.memory) {
		b.forget()
	}
	switch n := p.base; {
	case p.seg.Kind != Unfinished:
		b.out, b.sure = b.out[:0], 0
		p.base, p.given = 0, 0
	case n > 0:
		b.out = append(b.out[:0], b.out[n:]...)
		b.sure -= n
		p.base, p.given = 0, p.given-n
		b.shift(-n)
	}
}

// Segment returns the call or malformed span being read, or read last. The
// pointer is the same each time; Clone keeps a segment.
func (p *Parser) Segment() *Segment { return &p.seg }

// Delta returns, after TextPart, the piece of text; after InputPart, what has
// become final of the input since the last InputPart of the call; after CallPart,
// what no InputPart has returned of it. The deltas of a call, one after the other,
// are its input.
func (p *Parser) Delta() []byte { return p.delta }

// Steps returns how many steps p has made since Reset: bytes looked at, those of
// arrays and objects that a schema lists and those that a repair asks for looked at
// again, and keys compared. It is linear in the input plus the number of chunks.
func (p *Parser) Steps() int {
	return p.lex.Steps() + p.asked + p.b.keys.steps + p.args.names.steps
}

// Next reads on and returns the next part.
func (p *Parser) Next() Part {
	if p.due != NoPart || p.again {
		if part := p.pending(); part != NoPart {
			return part
		}
	}
	for {
		if p.spent {
			return p.more()
		}
		for p.i < len(p.toks) {
			t := &p.toks[p.i]
			p.i++
			if part := p.token(t); part != NoPart {
				return part
			}
		}
		w, at, offset := p.lex.Peek()
		switch at {
		case lexer.Spent:
			return p.rest()
		case lexer.Prose:
			if len(w) == 0 {
				return NoPart
			}
			n, opened := p.tags.ConsumeSimpleText(w)
			switch opened = opened && len(p.tags.Open) < p.limits.Bytes; {
			case opened:
				p.lex.Discard(n+len(p.tags.Open), lexer.AtName)
				p.begin(offset + n)
			case n > 0:
				p.spent = p.lex.Discard(n, lexer.Prose)
			}
			if n > 0 {
				p.delta = w[:n:n]
				return TextPart
			}
			if opened {
				continue
			}
		case lexer.AtName:
			if part := p.simpleName(w, offset); part != NoPart {
				return part
			}
		case lexer.AtArgument:
			if len(w) >= 8 && !p.dead && !p.b.exact { // as in simpleName
				if part := p.pairs(w, 0, offset); part != NoPart {
					return part
				}
			}
		case lexer.Quoted:
			if p.copyString(w) {
				return p.more()
			}
		}
		if p.toks, p.i = p.lex.Tokens(), 0; len(p.toks) == 0 {
			return p.rest()
		}
	}
}

// pending returns the part that is due before anything more is read, NoPart most often.
func (p *Parser) pending() Part {
	part := p.due
	p.due = NoPart
	if part == NoPart && p.again {
		p.again = false
		return p.finish(p.tag[0], p.tag[1])
	}
	return part
}

// rest is more where the message may have ended: in reasoning, that ends with it.
func (p *Parser) rest() Part {
	if p.thinking && p.over {
		p.thinking, p.delta = false, nil
		return ReasoningEndPart
	}
	return p.more()
}

// more returns the part with which a chunk ends: input that has become final,
// if there is any.
func (p *Parser) more() Part {
	if p.seg.Kind != Unfinished || !p.started || p.dead || p.b.sure == p.given {
		return NoPart
	}
	to := p.b.sure
	if p.opts.Salvage {
		if p.latest != 0 {
			p.goesOn()
		}
		if to = min(to, p.base+p.until); to <= p.given {
			return NoPart
		}
	}
	p.delta = p.b.out[p.given:to:to]
	p.given = to
	return InputPart
}

// token reads one token. It returns the part that the token completes.
func (p *Parser) token(t *lexer.Token) Part {
	switch t.Kind {
	case lexer.Text:
		p.delta = p.lex.Slice(t.Start, t.End)
		return TextPart
	case lexer.Open:
		p.begin(t.Start)
		p.first = t.Flags&lexer.First != 0
		return NoPart
	case lexer.Name:
		return p.called(p.lex.Slice(t.Start, t.End), t.Start)
	case lexer.Close:
		return p.finish(t.Start, t.End)
	case lexer.Fault:
		p.plain = false
		if p.opts.Strict && len(p.b.issues) > 0 {
			p.strict()
		}
		if p.b.fault == "" { // one of meaning is of a lexeme before
			p.b.fault, p.b.faultAt = p.lex.Fault()
		}
		return p.die()
	case lexer.Cut:
		return p.malformed(t.End, false)
	case lexer.Space, lexer.Damage:
		return NoPart
	case lexer.ThoughtOpen, lexer.Thought, lexer.ThoughtClose:
		p.delta = p.lex.Slice(t.Start, t.End)
		p.thinking = t.Kind != lexer.ThoughtClose
		return ReasoningStartPart + Part(t.Kind-lexer.ThoughtOpen)
	}
	if t.Kind == lexer.Bare && t.Flags&lexer.Opened != 0 {
		p.opened = true
	}
	if p.dead {
		return NoPart
	}
	p.plain = false
	b := &p.b
	switch t.Kind {
	case lexer.Key:
		if len(b.frames) > 0 {
			p.key = *t
			return NoPart
		}
		a := &p.args
		if a.keys == 0 {
			a.path = t.Start
		}
		a.keys++
		return NoPart
	case lexer.Equals:
		a := &p.args
		p.argument(a.path, t.Start, a.keys-1)
		if a.keys = 0; b.fault == "" {
			p.latest = awaited
		}
	case lexer.Bare:
		text := p.lex.Slice(t.Start, t.End)
		if p.opts.Salvage && len(b.frames) == 0 {
			switch {
			case string(text) == "null" && droppable(p.args.field):
				p.suspect(p.base+max(1, p.args.begun), b.pathStart, t.Start)
			case suspicious(text):
				p.doubts(text, b.pathStart, t.Start)
			}
			p.several = p.args.count == 1 && bytes.IndexByte(text, '=') >= 0 && bytes.IndexByte(text, ',') >= 0
			p.holdFrom(len(b.out) - p.base)
		}
		b.bare(text, t.Flags, t.Start)
	case lexer.String:
		p.quoted(t)
	case lexer.Colon:
		p.member()
	case lexer.ObjectOpen:
		p.holdFrom(unlimited)
		if p.args.count == 0 && len(b.frames) == 0 {
			b.exact = true
			b.slot = p.argsType()
		}
		b.open(true, t.Start, t.Start)
	case lexer.ArrayOpen:
		p.holdFrom(unlimited)
		b.open(false, t.Start, t.Start)
	case lexer.ObjectClose, lexer.ArrayClose:
		b.close(t.Start, p.lex.Slice(b.top().src, t.End))
	}
	if p.failed() {
		return p.die()
	}
	return NoPart
}

// member begins a member of an object, whose key is complete.
func (p *Parser) member() {
	b, k := &p.b, p.key
	if b.exact && len(b.frames) == 1 && b.top().n >= p.limits.Arguments {
		b.fail(lexer.TooManyArguments, k.Start)
		return
	}
	text, from, declared := p.lex.Slice(k.Start, k.End), len(b.out), false
	if k.Kind == lexer.String {
		declared = b.member(text[1:len(text)-1], k.Flags, text[0], k.Start)
	} else {
		declared = b.member(text, 0, 0, k.Start)
	}
	if !declared && p.opts.Salvage && b.exact && len(b.frames) == 1 && p.tool != nil && envelops(text) {
		p.suspect(from, 0, 0)
	}
}

// quoted reads a string or a piece of one.
func (p *Parser) quoted(t *lexer.Token) {
	b := &p.b
	if t.Flags&lexer.First != 0 {
		p.holdFrom(unlimited)
		p.str = *t
		p.quote = p.lex.Slice(t.Start, t.Start+1)[0]
		p.streams = t.Flags&lexer.MemberKey == 0 && b.streams()
	}
	s := &p.str
	s.End = t.End
	s.Flags |= t.Flags
	if p.streams {
		from, to := t.Start, t.End
		if t.Flags&lexer.First != 0 {
			from++
		}
		if t.Flags&lexer.Last != 0 {
			to--
		}
		b.piece(p.lex.Slice(from, to), t.Flags, p.quote)
	}
	if t.Flags&lexer.Last == 0 {
		return
	}
	content := p.lex.Slice(s.Start+1, s.End-1)
	if p.opts.Salvage && len(content) == 0 && len(b.frames) == 0 && p.streams {
		p.holdFrom(len(b.out) - p.base - 1) // the quote is final
	}
	switch {
	case s.Flags&lexer.MemberKey != 0:
		p.key = *s
	case p.streams:
		b.endPieces(content, s.Flags, s.Start)
	default:
		b.quoted(content, s.Flags, s.Start)
	}
}
