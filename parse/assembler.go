package parse

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// Assembler turns what the Reader of a [Protocol] finds in a message into its parts.
// The Reader knows where a call begins and ends and what its values are; the Assembler
// does names, types, limits, issues, marks and deltas, so these are the same in every
// format.
//
//	call   = Begin Name object ( Finish | Spoil )
//	object = Open { Key value } Close
//	value  = String | Piece { Piece } EndPieces | Literal | Raw | JSON | object | Open { value } Close
//
// After Begin a call may be spoilt at any time. After each method that can make
// the call fail, ask [Assembler.Failed]. What is returned holds until the next
// Feed, as that of a Reader does.
type Assembler struct {
	p        Parser
	salvages bool
}

// NewAssembler returns an Assembler. Source returns the text of the malformed span
// from offset start to offset end, as much as is kept of it, and whether it was
// cut.
func NewAssembler(catalog *sig.Catalog, opts Options, source func(start, end int) (text []byte, cut bool)) *Assembler {
	a := new(Assembler)
	p := &a.p
	a.salvages = opts.Salvage && !opts.Strict
	opts.Salvage = false // its repairs are those of the wire format; a Reader has its own
	p.catalog, p.opts, p.source = catalog, opts, source
	p.limits = opts.Limits.OrDefault()
	p.b.maxDepth = p.limits.Depth
	p.b.left = maxAllowance
	return a
}

// Limits returns the limits of the options.
func (a *Assembler) Limits() lexer.Limits { return a.p.limits }

// Reset prepares for a new message.
func (a *Assembler) Reset() { a.p.clear() }

// Feed begins a chunk: what was returned of earlier ones is used up.
func (a *Assembler) Feed() { a.p.renew() }

// Segment is [Parser.Segment].
func (a *Assembler) Segment() *Segment { return &a.p.seg }

// Delta is [Parser.Delta].
func (a *Assembler) Delta() []byte { return a.p.delta }

// Steps returns how many steps were made since Reset, without those of the Reader.
func (a *Assembler) Steps() int { return a.p.b.keys.steps }

// Text takes a piece of text.
func (a *Assembler) Text(text []byte) Part {
	a.p.delta = text
	return TextPart
}

// Thought takes a piece of reasoning, or a tag of it: part is ReasoningStartPart,
// ReasoningPart or ReasoningEndPart.
func (a *Assembler) Thought(part Part, text []byte) Part {
	a.p.delta = text
	return part
}

// Pending returns the part that is due before anything more is read, NoPart most
// often.
func (a *Assembler) Pending() Part { return a.p.pending() }

// More returns the part with which a chunk ends: input that has become final, if
// there is any.
func (a *Assembler) More() Part { return a.p.more() }

// Begin begins a call at offset start. If its values are exact, each keeps the type
// that it is written in, and what does not fit is an issue; else it is typed as a
// value of the wire format is.
func (a *Assembler) Begin(start int, exact bool) {
	p := &a.p
	p.begin(start)
	p.tool = nil
	p.plain = false
	p.args.framed = true
	p.b.exact = exact
	p.b.level = -1 // the arguments object is no level
}

// Knows reports whether a call can have that name: under Salvage, too, if it means a tool.
func (a *Assembler) Knows(name []byte) bool {
	p := &a.p
	return p.catalog == nil || p.catalog.Lookup(name) != nil || a.salvages && p.meant(string(name)) != nil
}

// Name names the call's tool; the name begins at offset at. If no call has begun, one
// begins there; StartPart is not returned for one that has failed.
func (a *Assembler) Name(name []byte, at int) Part {
	p := &a.p
	if p.seg.Kind != Unfinished {
		a.Begin(at, false)
	}
	if a.salvages && p.catalog != nil && p.catalog.Lookup(name) == nil {
		if t := p.meant(string(name)); t != nil {
			a.Repaired(fixName, at, false)
			name = []byte(t.Name)
		}
	}
	dead := p.dead
	part := p.called(name, at)
	p.b.slot = p.argsType()
	if dead {
		p.started = false
		return NoPart
	}
	return part
}

// Drop says that what has begun, and has no name yet, is text. It may have been meant
// as a call: later calls count as read after damage.
func (a *Assembler) Drop() {
	a.p.seg.Kind = Prose
	a.p.damaged = true
}

// Dead reports whether the call cannot be delivered. Writing more of a dead call has no
// effect.
func (a *Assembler) Dead() bool { return a.p.dead }

// Broken reports whether a fault has been found, even if Failed was not asked yet.
func (a *Assembler) Broken() bool { return a.p.b.fault != "" }

// Failed reports whether the call cannot be delivered, since what was written last.
// Then part is what the message goes on with.
func (a *Assembler) Failed() (part Part, failed bool) {
	if p := &a.p; !p.dead && p.failed() {
		return p.die(), true
	}
	return NoPart, false
}

// Fail says that the call is not written as its protocol has it. The first fault of
// a call stands.
func (a *Assembler) Fail(code lexer.Code, at int) Part {
	p := &a.p
	if p.opts.Strict && len(p.b.issues) > 0 {
		p.strict()
	}
	p.b.fail(code, at)
	if p.dead {
		return NoPart
	}
	return p.die()
}

// Issue notes an issue with the value to come.
func (a *Assembler) Issue(code lexer.Code, at int) {
	f := a.p.b.top()
	if f == nil || f.object {
		a.p.b.misfit(code, a.p.b.slot, at)
		return
	}
	t := a.Type()
	f.n++ // as when the item begins
	a.p.b.misfit(code, t, at)
	f.n--
}

// Repaired notes that the call was read with the named repair; later calls count as read
// after damage, if doubtful says so.
func (a *Assembler) Repaired(name string, at int, doubtful bool) {
	p := &a.p
	p.b.report(Issue{Code: lexer.Repaired, Path: name, At: at})
	p.opened = p.opened || doubtful
}

// Type returns what the schema says about the value to come.
func (a *Assembler) Type() *sig.Type { return a.p.b.next() }

// Streams reports whether the value to come is a string whatever is written without
// quotes, so that its text can be given out piece by piece.
func (a *Assembler) Streams() bool {
	t := a.Type()
	return t.Says() && t.Kinds == sig.String
}

// Repeats reports whether the value to come may be an array, of which each element is
// written as a value of its own.
func (a *Assembler) Repeats() bool {
	t := a.Type()
	return !t.Says() || t.Kinds&sig.Array != 0
}

// Holds reports whether text is one JSON value that can stand here: no key twice, and no
// deeper than the limit.
func (a *Assembler) Holds(text []byte) bool { return a.p.b.holdsJSON(text, a.p.b.room()) }

// Raw writes unquoted text under the schema: as a literal or JSON if it is one and the
// schema allows it, else as a string.
func (a *Assembler) Raw(text []byte, at int) {
	b := &a.p.b
	b.begin()
	b.rawAs(b.slot, text, at)
	b.commit()
}

// Open begins an object or array, whose first byte is at offset at. Beyond the limit on
// depth the call fails.
func (a *Assembler) Open(object bool, at int) {
	b := &a.p.b
	if len(b.frames) > b.maxDepth {
		b.fail(lexer.TooDeep, at)
		return
	}
	exact := b.exact
	if t := a.Type(); t.Says() && (object && t.Kinds&sig.Object == 0 || !object && t.Kinds&sig.Array == 0) {
		b.exact = true // it has no source text that could be a string instead
	}
	b.open(object, at, at)
	b.exact = exact
}

// Close ends it; at is the offset of its end, for what it lacks. If none is open, it
// does nothing.
func (a *Assembler) Close(at int) {
	if len(a.p.b.frames) > 0 {
		a.p.b.close(at, nil)
	}
}

// Depth returns how many objects and arrays are open.
func (a *Assembler) Depth() int { return len(a.p.b.frames) }

// Key begins a member of the object that is open, if one is. Text is its key, at
// offset at.
func (a *Assembler) Key(text []byte, at int) {
	p := &a.p
	if f := p.b.top(); f == nil || !f.object {
		return
	}
	if len(p.b.frames) == 1 && p.b.top().n >= p.limits.Arguments {
		p.b.fail(lexer.TooManyArguments, at)
		return
	}
	if p.b.declaredMember(text) {
		return
	}
	p.b.member(text, 0, 0, at)
}

// String writes a string that stands in quotes.
func (a *Assembler) String(text []byte, at int) {
	b := &a.p.b
	b.begin()
	b.quotedAs(b.slot, text, at)
	b.commit()
}

// Piece writes a piece of a string that is known to be one; first says that it begins
// it. It is ended by EndPieces.
func (a *Assembler) Piece(text []byte, first bool) {
	b := &a.p.b
	if first {
		b.begin()
		b.out = append(b.out, '"')
	}
	b.out = lexeme.AppendText(b.out, text)
	b.commit()
}

// EndPieces ends a string that was written in pieces and begins at offset at. Text
// returns all of it; it is called if the schema lists the strings that are allowed.
func (a *Assembler) EndPieces(at int, text func() []byte) {
	b := &a.p.b
	b.out = append(b.out, '"')
	b.commit()
	if t := b.slot; t.Says() {
		var all []byte
		if t.Kinds&sig.String != 0 && t.Free&sig.String == 0 {
			all = text()
		}
		b.misfits(t, sig.String, all, at)
	}
}

// Literal writes a JSON literal.
func (a *Assembler) Literal(text []byte, at int) { a.p.b.bare(text, 0, at) }

// JSON writes the value that text is, JSON no deeper than the limit, under the repairs
// of [Repair]. Its issues are at offset at; if own, each is at its own place in text,
// which begins there.
func (a *Assembler) JSON(text []byte, at int, own bool) {
	b := &a.p.b
	s := lexeme.Scanner{Text: text, Depth: b.maxDepth + 1, Unpaired: true}
	b.repair = true
	b.holds++
	b.json(&s, at, own)
	b.holds--
	b.repair = false
	b.commit()
}

// Finish ends the call, whose last tag reaches from offset start to offset end, and
// what is open in it. The part is what the message goes on with; the end of the call may
// be [Assembler.Pending]. If no call is being read, neither Finish nor Spoil does
// anything.
func (a *Assembler) Finish(start, end int) Part {
	p := &a.p
	if p.seg.Kind != Unfinished {
		return NoPart
	}
	if !p.dead && len(p.b.out) == p.base {
		a.Open(true, start)
	}
	for !p.dead && len(p.b.frames) > 0 {
		a.Close(start)
	}
	return p.finish(start, end)
}

// Spoil ends the damage of a call that has failed.
func (a *Assembler) Spoil(end int, closed bool) Part {
	if a.p.seg.Kind != Unfinished {
		return NoPart
	}
	a.p.b.faultAt = min(a.p.b.faultAt, end) // a limit may fall in the opener that ends the damage
	return a.p.malformed(end, closed)
}
