package engine

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// commit makes all output final, unless an open value may still be rewritten.
func (d *draft) commit() {
	if d.uncertain == 0 {
		d.final = len(d.out)
	}
}

// commitTo makes out[:n] final under Repair, where ordinary commits have no effect.
func (d *draft) commitTo(n int) {
	if d.uncertain == 1 && d.config.repair != nil {
		d.final = n
	}
}

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

// Word implements [lexer.Handler].
func (a *Assembler) Word(b []byte, f lexer.Flags, at int) {
	d := a.draft
	if f&lexer.Opened != 0 {
		d.lostQuote = true
	}
	if d.failed {
		return
	}
	d.beginValue()
	if f&lexer.Opened != 0 {
		d.issue(lexer.OpenQuote, nil, at)
	}
	d.scalar(d.typ, b, false, at)
	if len(d.frames) == 0 {
		d.doubt(d.typ, b, at)
	}
	d.commit()
	if d.suspect {
		a.settle()
	}
}

// keeps reports whether values keep the type that they are written in.
func (d *draft) keeps() bool { return d.exact && !d.coerces }

// scalar writes a bare word or a quoted string, whose text is decoded, under t.
func (d *draft) scalar(t *sig.Type, text []byte, quoted bool, at int) {
	kind, ok := sig.String, false
	if !quoted {
		kind, ok = simpleKind(t, text)
	}
	if ok || d.keeps() || !t.Says() {
		if d.keeps() {
			d.checkFit(t, kind, text, at)
		}
		d.appendUntyped(kind, text)
		return
	}
	r := d.read(t, text, quoted, d.room())
	if d.coerces && !quoted {
		r = r.ofLiteral(kind)
	}
	if r.kind == 0 && kind == sig.String {
		r.kind = sig.String
	}
	d.write(t, r, text, quoted, at)
}

// appendPlain appends a literal, or a string that needs no escapes.
func (d *draft) appendPlain(kind sig.Kinds, text []byte) {
	if kind == sig.String {
		d.out = append(append(append(d.out, '"'), text...), '"')
	} else {
		d.out = append(d.out, text...)
	}
}

// appendUntyped appends a literal or a string.
func (d *draft) appendUntyped(kind sig.Kinds, text []byte) {
	if kind == sig.String {
		d.out = lexeme.AppendQuoted(d.out, text)
	} else {
		d.out = append(d.out, text...)
	}
}

// write writes a scalar in the reading r, and records its issues.
func (d *draft) write(t *sig.Type, r reading, text []byte, quoted bool, at int) {
	d.checkReading(t, r, at)
	switch {
	case r.wrapped:
		d.out = append(d.out, '[')
		d.frames = append(d.frames, frame{n: 1})
		d.scalar(t.Item(0), text, quoted, at)
		d.frames = d.frames[:len(d.frames)-1]
		d.out = append(d.out, ']')
	case r.literal != "":
		d.out = append(d.out, r.literal...)
	case r.kind&(sig.Array|sig.Object) != 0:
		d.writeJSON(t, text, at)
	default:
		d.appendUntyped(r.kind, text)
	}
}

// checkReading records what does not fit t.
func (d *draft) checkReading(t *sig.Type, r reading, at int) {
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

// checkFit is checkReading for a scalar that keeps its type.
func (d *draft) checkFit(t *sig.Type, kind sig.Kinds, text []byte, at int) {
	if t.Says() {
		d.checkReading(t, reading{fit: fits(t, kind, text)}, at)
	}
}

// String implements [lexer.Handler].
func (a *Assembler) String(b []byte, f lexer.Flags, at int) {
	d := a.draft
	if d.failed {
		return
	}
	if f&lexer.First != 0 {
		d.beginString(f)
	}
	d.string |= f
	switch {
	case d.streams:
		d.streamPiece(b, f, at)
	default:
		if f&lexer.Escaped != 0 {
			d.text = lexeme.AppendUnescaped(d.text, b)
		} else {
			d.text = append(d.text, b...)
		}
		if f&lexer.Last != 0 {
			d.endString(at, f)
		}
	}
	if d.suspect {
		a.settle()
	}
}

// beginString decides whether a string is written in pieces. It is if it stays a string
// with any content.
func (d *draft) beginString(f lexer.Flags) {
	t := d.nextType()
	d.string = 0
	switch {
	case d.isArguments():
		d.streams = false
	case f&lexer.Raw != 0:
		d.streams = t != nil && t.Free&sig.String != 0 && t.Kinds == sig.String
	default:
		d.streams = t == nil || t.Free&sig.String != 0 || d.exact && t.Kinds&sig.String == 0
	}
	if !d.streams {
		d.text = d.text[:0]
		return
	}
	d.beginValue()
	d.out = append(d.out, '"')
}

// streamPiece writes a piece of a string.
func (d *draft) streamPiece(b []byte, f lexer.Flags, at int) {
	switch {
	case f&lexer.Plain != 0:
		d.out = append(d.out, b...)
	case f&lexer.Raw != 0:
		d.out = lexeme.AppendText(d.out, b)
	case f&lexer.Single != 0:
		d.out = lexeme.AppendContent(d.out, b, lexeme.Flags(f), '\'')
	default:
		d.out = lexeme.AppendContent(d.out, b, lexeme.Flags(f), '"')
	}
	quotes := 0
	if f&lexer.Last != 0 {
		quotes = 1
		d.out = append(d.out, '"')
		d.ambiguous(d.string, at)
		if d.exact {
			d.checkFit(d.typ, sig.String, nil, at)
		}
	}
	d.commit()
	d.commitTo(len(d.out) - quotes)
}

// endString writes a string that is needed as a whole: d.text.
func (d *draft) endString(at int, f lexer.Flags) {
	switch {
	case d.isArguments():
		d.encodedArguments(at)
	case f&lexer.Raw != 0:
		d.ambiguous(d.string, at)
		d.raw(at)
	default:
		d.beginValue()
		d.ambiguous(d.string, at)
		text := d.text
		d.text = nil // JSON text in the string uses it too
		d.scalar(d.typ, text, true, at)
		d.text = text
	}
	d.commit()
}

// ambiguous records an issue if a string or key may have been meant differently.
func (d *draft) ambiguous(f lexer.Flags, at int) {
	const both = lexer.Literal | lexer.QuoteEsc
	if f&both == both {
		d.issue(lexer.AmbiguousEscape, nil, at)
	}
	if f&lexer.Tagged != 0 {
		d.issue(lexer.AmbiguousText, nil, at)
	}
}
