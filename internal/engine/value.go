package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// beginValue prepares for a value. In an array it writes the comma and sets the type.
func (d *draft) beginValue() {
	if f := d.top(); f != nil && !f.object {
		if f.n > 0 {
			d.out = append(d.out, ',')
		}
		d.typ = f.typ.Item(f.n)
		f.n++
	}
}

// nextType returns the type of the value to come.
func (d *draft) nextType() *sig.Type {
	if f := d.top(); f != nil && !f.object {
		return f.typ.Item(f.n)
	}
	return d.typ
}

// isArguments reports whether the value to come is the arguments as a whole.
func (d *draft) isArguments() bool { return d.count == 0 && len(d.frames) == 0 }

// Word implements [lex.Handler].
func (a *Assembler) Word(b []byte, at int) {
	d, lostQuote := a.draft, lexeme.LostQuote(b)
	d.lostQuote = d.lostQuote || lostQuote
	if d.fault != "" {
		return
	}
	d.beginValue()
	if lostQuote {
		d.issue(lexer.OpenQuote, nil, at)
	}
	d.scalar(d.typ, b, false, at)
	if len(d.frames) == 0 {
		d.doubt(d.typ, b, at)
	}
	d.commit()
}

// keeps reports whether values keep the type that they are written in.
func (d *draft) keeps() bool { return d.exact && !d.coerces }

// scalar writes a bare word or a quoted string, whose text is decoded, under t.
func (d *draft) scalar(t *sig.Type, text []byte, quoted bool, at int) {
	kind, ok := sig.String, false
	if !quoted {
		kind, ok = simpleKind(t, text)
	}
	r := reading{kind: kind, fit: fitsAll}
	switch {
	case ok || !t.Restricts():
	case d.keeps():
		r.fit = fits(t, kind, text)
	case quoted && d.encoded(t, text, at):
		return
	default:
		r = read(t, text, quoted, d.room())
		if d.coerces && !quoted {
			r = r.ofLiteral(kind)
		}
		if r.kind == 0 && kind == sig.String {
			r.kind = sig.String
		}
	}
	d.check(t, r, at)
	switch {
	case r.wrapped:
		d.out = append(d.out, '[')
		d.frames = append(d.frames, frame{n: 1})
		d.scalar(t.Item(0), text, quoted, at)
		d.frames = d.frames[:len(d.frames)-1]
		d.out = append(d.out, ']')
	case r.literal != "":
		d.out = append(d.out, r.literal...)
	case r.kind == sig.String:
		d.out = lexeme.AppendQuoted(d.out, text)
	default:
		d.out = append(d.out, text...)
	}
}

// encoded writes the array or object that a string contains as JSON text, if the type wants that
// rather than the string.
func (d *draft) encoded(t *sig.Type, text []byte, at int) bool {
	if jsonKind(text)&t.Kinds == 0 || fits(t, sig.String, text) == fitsAll {
		return false
	}
	return d.try(func() {
		d.issue(lexer.Coerced, t, at)
		d.writeJSON(t, text, d.room(), at)
	}) == ""
}

// check records what does not fit t.
func (d *draft) check(t *sig.Type, r reading, at int) {
	if r.fit == fitsNot {
		d.issue(lexer.TypeMismatch, t, at)
	}
	if r.coerced {
		d.issue(lexer.Coerced, t, at)
	}
	if r.fit == fitsType {
		d.issue(lexer.NotInEnum, t, at)
	}
}

// String implements [lex.Handler].
func (a *Assembler) String(b []byte, f lex.Flags, at int) {
	d := a.draft
	if d.fault != "" {
		return
	}
	if f&lex.First != 0 {
		d.beginString(f)
	}
	d.string |= f
	switch {
	case d.streams:
		d.streamPiece(b, f, at)
	default:
		if f&lex.Escaped != 0 {
			d.text = lexeme.AppendUnescaped(d.text, b)
		} else {
			d.text = append(d.text, b...)
		}
		if f&lex.Last != 0 {
			d.endString(at, f)
		}
	}
}

// beginString decides whether a string is written in pieces. It is if it stays a string
// with any content. With repairs, a string where the type allows none waits: it may be converted.
func (d *draft) beginString(f lex.Flags) {
	t := d.nextType()
	d.string = 0
	switch {
	case d.isArguments():
		d.streams = false
	case f&lex.Raw != 0:
		d.streams = t != nil && t.Free&sig.String != 0 && t.Kinds == sig.String
	default:
		misfits := d.exact && t != nil && t.Kinds&sig.String == 0 && d.config.repair == nil
		d.streams = t == nil || t.Free&sig.String != 0 || misfits
	}
	if !d.streams {
		d.text = d.text[:0]
		return
	}
	d.beginValue()
	d.out = append(d.out, '"')
}

// streamPiece writes a piece of a string.
func (d *draft) streamPiece(b []byte, f lex.Flags, at int) {
	const special = lex.Raw | lex.Single | lex.Control | lex.Escaped
	switch {
	case f&special == 0: // most pieces
		d.out = append(d.out, b...)
	case f&lex.Raw != 0:
		d.out = lexeme.AppendText(d.out, b)
	case f&lex.Single != 0:
		d.out = lexeme.AppendContent(d.out, b, lexeme.Flags(f), '\'')
	default:
		d.out = lexeme.AppendContent(d.out, b, lexeme.Flags(f), '"')
	}
	d.commitTo(len(d.out)) // also if the end brings an issue: earlier pieces are final
	if f&lex.Last != 0 {
		d.out = append(d.out, '"')
		d.ambiguous(d.string, at)
		if d.exact {
			d.check(d.typ, reading{fit: fits(d.typ, sig.String, nil)}, at)
		}
	}
	d.commit()
}

// endString writes a string that is needed as a whole: d.text.
func (d *draft) endString(at int, f lex.Flags) {
	switch {
	case d.isArguments():
		d.exact, d.typ = true, d.argumentsType()
		d.encodedArguments(d.text, at)
	case f&lex.Raw != 0:
		d.ambiguous(d.string, at)
		d.raw(at)
	default:
		d.beginValue()
		d.ambiguous(d.string, at)
		d.scalar(d.typ, d.text, true, at)
	}
	d.commit()
}

// ambiguous records an issue if a string or key may have been meant differently.
func (d *draft) ambiguous(f lex.Flags, at int) {
	const both = lex.Literal | lex.QuoteEsc
	if f&both == both {
		d.issue(lexer.AmbiguousEscape, nil, at)
	}
	if f&lex.Ambiguous != 0 {
		d.issue(lexer.AmbiguousText, nil, at)
	}
}

// A scalar has several readings: null, a boolean, a number, a string, or, if the schema has no
// use for any of these, something that was probably meant. Each reading is ranked by how well it
// fits the schema, and the best one is taken.

// fit is how well a reading fits a type.
type fit uint8

const (
	fitsNot  fit = iota
	fitsType     // the JSON type is allowed, but not this value
	fitsAll      // type and value are allowed
)

// fits ranks a scalar of the given kind under t. Text is the decoded text of a string, or the
// literal.
func fits(t *sig.Type, kind sig.Kinds, text []byte) fit {
	if t == nil || t.Free&kind != 0 {
		return fitsAll
	}
	return fitsListed(t, kind, text)
}

// fitsListed is fits where an enum may list the scalar.
func fitsListed(t *sig.Type, kind sig.Kinds, text []byte) fit {
	number := t.Kinds&sig.Number == 0 || t.Free&sig.Number == 0 && t.Free&sig.Integer != 0
	if kind == sig.Number && number && lexeme.IsIntegral(text) {
		kind = sig.Integer
	}
	switch {
	case t.Free&kind != 0:
		return fitsAll
	case t.Kinds&kind == 0:
		return fitsNot
	case t.Member(kind, text) != nil:
		return fitsAll
	}
	return fitsType
}

// simpleKind returns what a bare word is under t: the kind of a literal, or String. It returns
// ok false if other readings must be ranked.
func simpleKind(t *sig.Type, text []byte) (kind sig.Kinds, ok bool) {
	kind = repair.LiteralKind(text)
	if kind == 0 {
		ok = t == nil || t.Kinds&sig.Boolean == 0 && fits(t, sig.String, text) == fitsAll
		return sig.String, ok
	}
	return kind, fits(t, kind, text) == fitsAll
}

// reading is what a scalar becomes.
type reading struct {
	kind    sig.Kinds // 0 for the untyped reading
	fit     fit
	literal string // the boolean, for a word in another case
	coerced bool
	wrapped bool // the only element of an array
}

// read ranks the readings of a bare word or a quoted string under t. Of equal ones the first
// counts. If nothing fits and an array is allowed, the scalar is its only element. Depth is how
// deep arrays around it may nest.
func read(t *sig.Type, text []byte, quoted bool, depth int) (best reading) {
	try := func(r reading, text []byte) {
		r.fit = fits(t, r.kind, text)
		if r.fit > best.fit {
			best = r
		}
	}
	if quoted {
		try(reading{kind: sig.String}, text)
	}
	if kind := repair.LiteralKind(text); kind != 0 {
		try(reading{kind: kind, coerced: quoted}, text)
	}
	if s := otherCase(text); s != "" {
		try(reading{kind: sig.Boolean, literal: s, coerced: true}, []byte(s))
	}
	try(reading{kind: sig.String}, text)
	if best.fit == fitsNot && wraps(t, text, depth) {
		return reading{wrapped: true, coerced: true, fit: fitsAll}
	}
	return best
}

// ofLiteral returns the reading of a JSON literal of that kind as another type. A string that
// contains the same text is a conversion; a null is never anything else.
func (r reading) ofLiteral(kind sig.Kinds) reading {
	if kind == sig.Null && r.kind != sig.Null {
		return reading{}
	}
	r.coerced = r.coerced || kind != sig.String && r.kind == sig.String
	return r
}

// maxWraps is how many arrays may wrap a scalar. Otherwise each word of a hostile call could
// become as many brackets as may nest.
const maxWraps = 4

// wraps reports whether a scalar that does not fit t becomes an array of one element. An array
// of arrays wraps it again.
func wraps(t *sig.Type, text []byte, depth int) bool {
	kind := repair.LiteralKind(text)
	for n := range min(depth, maxWraps) + 1 {
		switch {
		case t == nil,
			n > 0 && kind != 0 && fits(t, kind, text) != fitsNot,
			n > 0 && t.Kinds&sig.Boolean != 0 && otherCase(text) != "":
			return true
		case t.Free&sig.Array == 0 || t.Kinds&sig.String != 0:
			return n > 0
		}
		t = t.Item(0)
	}
	return false
}

// otherCase returns true or false if b is that word in another case, otherwise "".
func otherCase(b []byte) string {
	switch {
	case len(b) == 4 && bytes.EqualFold(b, []byte("true")):
		return "true"
	case len(b) == 5 && bytes.EqualFold(b, []byte("false")):
		return "false"
	}
	return ""
}

// jsonKind returns Array or Object if text may be the JSON text of one, otherwise 0.
func jsonKind(text []byte) sig.Kinds {
	if i := lexeme.SkipSpace(text, 0); i < len(text) {
		switch text[i] {
		case '[':
			return sig.Array
		case '{':
			return sig.Object
		}
	}
	return 0
}
