package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// block is a Handler between a Lexer that reads a block of text and the Assembler. The codec of the
// format reads the block once it is complete.
type block struct {
	values
	depth int // open objects and arrays, the arguments included
	from  int // offset of the block
}

// String implements [lex.Handler]. It reads the block.
func (b *block) String(text []byte, f lex.Flags, at int) {
	b.keys.steps += len(text)
	b.lostQuote = b.lostQuote || f&lex.Tagged != 0 || !endsProperly(text)
	if !b.live() {
		return
	}
	b.depth, b.from = 0, at
	code, fault := b.syntax.Format().Codec.Decode(text, blockValues{b})
	if code != "" {
		b.Fault(lexer.Code(code), at+fault)
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
type blockValues struct{ *block }

// Begin begins an object or array. The arguments have no frame.
func (v blockValues) Begin(object bool, at int) {
	if v.depth++; v.depth > 1 {
		v.beginFrame(object, v.from+at)
	}
}

// End ends the innermost object or array.
func (v blockValues) End(at int) {
	if v.depth--; v.depth > 0 {
		v.endFrame(v.from + at)
	}
}

// Key begins a member.
func (v blockValues) Key(name []byte, at int) {
	if v.live() {
		v.beginMember(name, v.from+at)
	}
}

// String writes a string in quotes.
func (v blockValues) String(text []byte, at int) {
	if v.live() {
		v.beginValue()
		v.scalar(v.typ, text, true, v.from+at)
		v.commit()
	}
}

// Scalar writes text without quotes, or the literal that it means.
func (v blockValues) Scalar(text []byte, literal string, at int) {
	if !v.live() {
		return
	}
	at += v.from
	t := v.nextType()
	kind := sig.LiteralKind([]byte(literal))
	if kind == sig.Number {
		kind |= sig.Integer
	}
	if lexeme.QuotesOf(text).Flags()&lexeme.Opened != 0 {
		v.lostQuote = true
		v.beginValue()
		v.issue(lexer.OpenQuote, nil, at)
		v.writeRaw(v.typ, text, at)
		v.commit()
		return
	}
	// A null that the type excludes doesn't become the item of a list.
	if t.Restricts() && kind == sig.Null && t.Kinds&(sig.Null|sig.String) == 0 {
		if !v.dropNull(at) {
			v.beginValue()
			v.issue(lexer.TypeMismatch, v.typ, at)
			v.out = append(v.out, literal...)
		}
		v.commit()
		return
	}
	if kind != 0 && (!t.Restricts() || t.Kinds&kind != 0) {
		text = []byte(literal)
	}
	v.writeText(text, at)
}

// Failed reports whether a fault was found.
func (v blockValues) Failed() bool { return !v.live() }

var _ format.Values = blockValues{}

// values writes arguments that are not lexemes of their own: elements, and the values of a block.
// They keep no source text that could be a string, and the schema types them.
type values struct{ *Assembler }

// live reports whether what is read is written.
func (v values) live() bool { return v.fault == "" }

// beginMember writes the key of a member of the innermost object, or of the arguments.
func (v values) beginMember(name []byte, at int) {
	if len(v.frames) == 0 {
		v.argument(name, at, -1)
	} else {
		v.member(name, 0, at)
	}
}

// beginFrame writes the beginning of an object or array.
func (v values) beginFrame(object bool, at int) {
	switch {
	case !v.live():
	case len(v.frames) >= v.config.limits.Depth:
		v.fail(lexer.TooDeep, at)
	default:
		v.beginValue()
		v.exact = true // no source text could be a string instead
		v.begin(v.typ, object, at, 0)
		v.exact = false
	}
}

// endFrame writes the end of the innermost object or array.
func (v values) endFrame(at int) {
	if v.live() {
		v.end(at, nil)
	}
}

// writeText writes text without quotes.
func (v values) writeText(text []byte, at int) {
	if v.live() {
		v.beginValue()
		v.writeRaw(v.typ, text, at)
		v.commit()
	}
}
