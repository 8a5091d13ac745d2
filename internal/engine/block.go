package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// block is a Handler between a Lexer that reads a block of text and the Assembler. The codec of the
// format reads the block once it is complete.
type block struct{ *Assembler }

// String implements [lex.Handler]. It reads the block.
func (b *block) String(text []byte, f lex.Flags, at int) {
	b.keys.steps += len(text)
	b.lostQuote = b.lostQuote || f&lex.Ambiguous != 0 || !endsProperly(text)
	if b.fault != "" {
		return
	}
	code, fault := b.syntax.Format().Codec.Decode(text, &blockValues{draft: b.draft, from: at})
	if code != "" {
		b.fail(lexer.Code(code), at+fault)
	}
	b.Assembler.End(at+len(text), nil)
}

// endsProperly reports whether the end tag after a block is certainly not part of a value that
// lost its opening quote or its indentation: it is on a line of its own, which is indented no
// deeper than the first one, and no blanks come before that line. A block that begins on the line
// of its tag may also end on a line with text.
func endsProperly(text []byte) bool {
	first := lexeme.SkipSpace(text, 0)
	begin, end := bytes.LastIndexAny(text[:first], "\r\n"), bytes.LastIndexAny(text, "\r\n")
	if first == len(text) || begin < 0 && text[first] != '#' {
		return true
	}
	indent := text[end+1:]
	if len(bytes.TrimLeft(indent, " ")) > 0 || len(indent) >= first-begin {
		return false
	}
	before := text[end-1]
	return before != ' ' && before != '\t'
}

// blockValues implements [format.Values].
type blockValues struct {
	*draft
	from  int // offset of the block
	depth int // open objects and arrays, the arguments included
}

// Begin begins an object or array. The arguments have no frame.
func (v *blockValues) Begin(object bool, at int) {
	if v.depth++; v.depth > 1 {
		v.beginFrame(object, v.from+at)
	}
}

// End ends the innermost object or array.
func (v *blockValues) End(at int) {
	if v.depth--; v.depth > 0 {
		v.endFrame(v.from + at)
	}
}

// Key begins a member.
func (v *blockValues) Key(name []byte, at int) {
	if !v.Failed() {
		v.beginMember(name, v.from+at)
	}
}

// String writes a string in quotes.
func (v *blockValues) String(text []byte, at int) {
	if !v.Failed() {
		v.beginValue()
		v.scalar(v.typ, text, true, v.from+at)
		v.commit()
	}
}

// Scalar writes text without quotes, or the literal that it means.
func (v *blockValues) Scalar(text []byte, literal string, at int) {
	if v.Failed() {
		return
	}
	at += v.from
	t := v.nextType()
	kind := repair.LiteralKind([]byte(literal))
	if kind == sig.Number {
		kind |= sig.Integer
	}
	isNull := t.Restricts() && kind == sig.Null && t.Kinds&(sig.Null|sig.String) == 0
	switch {
	case lexeme.LostQuote(text):
		v.lostQuote = true
		v.beginValue()
		v.issue(lexer.OpenQuote, nil, at)
		v.writeRaw(v.typ, text, at)
	case isNull && v.dropNull(at):
	case isNull: // it doesn't become the item of a list
		v.beginValue()
		v.issue(lexer.TypeMismatch, v.typ, at)
		v.out = append(v.out, literal...)
	default:
		if item := itemFor(t, kind); kind != 0 && (!item.Restricts() || item.Kinds&kind != 0) {
			text = []byte(literal)
		}
		v.beginValue()
		v.writeRaw(v.typ, text, at)
	}
	v.commit()
}

// itemFor returns the type of the items of t, and so on, as long as neither that kind nor a string
// is allowed: a scalar there is the only item of a list.
func itemFor(t *sig.Type, kind sig.Kinds) *sig.Type {
	for range maxWraps {
		if !t.Restricts() || t.Kinds&(kind|sig.String) != 0 || t.Kinds&sig.Array == 0 {
			break
		}
		t = t.Item(0)
	}
	return t
}

// Failed reports whether a fault was found.
func (v *blockValues) Failed() bool { return v.fault != "" }

// The elements of XML, and the values of a block, keep no source text that could be a string. A
// call with a fault writes nothing more.

// beginMember writes the key of a member of the innermost object, or of the arguments.
func (d *draft) beginMember(name []byte, at int) {
	if len(d.frames) == 0 {
		d.argument(name, at, -1)
	} else {
		d.member(name, 0, at)
	}
}

// beginFrame writes the beginning of an object or array.
func (d *draft) beginFrame(object bool, at int) {
	switch {
	case d.fault != "":
	case len(d.frames) >= d.config.limits.Depth:
		d.fail(lexer.TooDeep, at)
	default:
		d.beginValue()
		d.begin(d.typ, object, at, none)
	}
}

// endFrame writes the end of the innermost object or array.
func (d *draft) endFrame(at int) {
	if d.fault == "" {
		d.end(at, nil)
	}
}

// writeText writes text without quotes.
func (d *draft) writeText(text []byte, at int) {
	if d.fault == "" {
		d.beginValue()
		d.writeRaw(d.typ, text, at)
		d.commit()
	}
}
