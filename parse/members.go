package parse

import (
	"bytes"
	"math/bits"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// Members reads members of the innermost object straight from JSON text, from w[i]
// on, as long as each is of a declared property, its value a plain string or literal
// that fits, and what follows it is in w. First says that no member stands before;
// else a comma is due. It returns the index after the last value that it has read.
//
// A call takes two fifths of the time that tokens take. Nothing is decided here that is
// not decided by Key, String and Literal too.
func (a *Assembler) Members(w []byte, i int, first bool) int {
	p, b := &a.p, &a.p.b
	f := b.top()
	if f == nil || f.typ == nil || !b.exact || p.dead {
		return i
	}
	most := len(f.typ.Fields)
	if len(b.frames) == 1 {
		most = p.limits.Arguments
	}
	fields, next := f.typ.Fields, 0
	for f.n < most {
		at := i
		if !first {
			at = lexeme.SkipSpace(w, at)
			if at == len(w) || w[at] != ',' {
				break
			}
			at++
		}
		at = lexeme.SkipSpace(w, at)
		field := matchKey(fields, next, w, at)
		if !f.awaits(field) {
			break
		}
		key := len(field.JSONKey) - 1 // as written, without the colon
		at = lexeme.SkipSpace(w, at+key)
		if at == len(w) || w[at] != ':' {
			break
		}
		at = lexeme.SkipSpace(w, at+1)
		out, end := appendPlain(b.keyed(f, field), field.Type, w, at, b.maxDepth+1-len(b.frames))
		if end == 0 {
			break
		}
		b.took(f, field, out)
		i, first, next = end, false, field.Index+1
	}
	b.commit()
	return i
}

// matchKey returns the field whose name, in quotes, stands at w[i]: most often that at
// index next.
func matchKey(fields []sig.Field, next int, w []byte, i int) *sig.Field {
	if i >= len(w) || w[i] != '"' {
		return nil
	}
	for n := range fields {
		if n += next; n >= len(fields) {
			n -= len(fields)
		}
		f := &fields[n]
		if key := f.JSONKey[:len(f.JSONKey)-1]; len(w)-i > len(key) && string(w[i:i+len(key)]) == string(key) {
			return f
		}
		if n-next >= few {
			break
		}
	}
	return nil
}

// appendPlain appends the value at w[i] and returns the index after it, if it is one for
// plainValue, or an array of these that is not deeper than depth; else 0.
func appendPlain(dst []byte, t *sig.Type, w []byte, i, depth int) (out []byte, end int) {
	if i == len(w) || w[i] != '[' {
		if end = plainValue(t, w, i); end > 0 {
			dst = append(dst, w[i:end]...)
		}
		return dst, end
	}
	if depth < 1 || t.Says() && t.Free&sig.Array == 0 {
		return dst, 0
	}
	dst = append(dst, '[')
	for n := 0; ; n++ {
		i = lexeme.SkipSpace(w, i+1)
		if end = plainValue(t.Item(n), w, i); end == 0 {
			return dst, 0
		}
		dst = append(dst, w[i:end]...)
		if i = lexeme.SkipSpace(w, end); i == len(w) || w[i] != ',' {
			break
		}
		dst = append(dst, ',')
	}
	if i == len(w) || w[i] != ']' {
		return dst, 0
	}
	return append(dst, ']'), i + 1
}

// plainValue returns the index after the value at w[i], if it is a string without
// escapes or a literal, fits t and ends in w; else 0. After a literal something follows.
func plainValue(t *sig.Type, w []byte, i int) (end int) {
	if i >= len(w) {
		return 0
	}
	if w[i] == '"' {
		end, high, flags := lexeme.SkipPlain(w, i+1, '"')
		if end == len(w) || w[end] != '"' || flags != 0 || high && !utf8.Valid(w[i+1:end]) || t.Says() && fits(t, sig.String, w[i+1:end]) != fitsAll {
			return 0
		}
		return end + 1
	}
	end = i
	for end < len(w) && (w[end] > ' ' && w[end] != ',' && w[end] != '}' && w[end] != ']') {
		end++
	}
	if kind := sig.LiteralKind(w[i:end]); end == len(w) || kind == 0 || t.Says() && fits(t, kind, w[i:end]) != fitsAll {
		return 0
	}
	return end
}

// declaredMember is member for a property that is declared and was not met, as nearly
// all are: a tenth of the time of a call. It reports whether text is one.
func (b *builder) declaredMember(text []byte) bool {
	f := b.top()
	field := f.typ.Field(text)
	if !f.awaits(field) {
		return false
	}
	b.took(f, field, b.keyed(f, field))
	b.slot = field.Type
	b.commit()
	return true
}

// awaits reports whether the schema declares the field, and f is known to lack it.
func (f *frame) awaits(field *sig.Field) bool {
	return field != nil && field.Index < 64 && f.seen&(1<<field.Index) == 0
}

// keyed returns the output with the key of that property, as the next one of f, the
// innermost object.
func (b *builder) keyed(f *frame, field *sig.Field) []byte {
	out := b.out
	if f.n > 0 {
		out = append(out, ',')
	}
	return append(out, field.JSONKey...)
}

// took makes out the output, which keyed has begun.
func (b *builder) took(f *frame, field *sig.Field, out []byte) {
	from := len(b.out)
	if f.n > 0 {
		from++
	}
	f.n++
	f.seen |= 1 << field.Index
	f.key, f.keyEnd = from, from+len(field.JSONKey)-1
	b.out = out
}

// Member writes a member of the innermost object whose value is text without quotes, if
// its key is declared and was not met, and the text is what the schema asks for: a string,
// or a literal. It reports whether it did. Nothing is decided here that is not decided by
// Key and Raw too, which take a third longer.
func (a *Assembler) Member(key, text []byte) bool {
	f, field := a.unmet(key)
	if field == nil {
		return false
	}
	kind, text, ok := plainText(field.Type, text)
	if !ok {
		return false
	}
	b := &a.p.b
	b.took(f, field, appendUntyped(b.keyed(f, field), kind, text))
	b.commit()
	return true
}

// Array is Member for text that is a JSON array of plain strings and literals.
func (a *Assembler) Array(key, text []byte) bool {
	b := &a.p.b
	f, field := a.unmet(key)
	i := lexeme.SkipSpace(text, 0)
	if field == nil || i == len(text) || text[i] != '[' {
		return false
	}
	out, end := appendPlain(b.keyed(f, field), field.Type, text, i, b.room())
	if end == 0 || lexeme.SkipSpace(text, end) < len(text) {
		return false
	}
	b.took(f, field, out)
	b.commit()
	return true
}

// List is Member for a value that is an array of such texts.
func (a *Assembler) List(key []byte, texts [][]byte) bool {
	b := &a.p.b
	f, field := a.unmet(key)
	if field == nil || !field.Type.Says() || field.Type.Free&sig.Array == 0 || len(b.frames) > b.maxDepth {
		return false
	}
	for n, text := range texts {
		if _, _, ok := plainText(field.Type.Item(n), text); !ok {
			return false
		}
	}
	out := append(b.keyed(f, field), '[')
	for n, text := range texts {
		if n > 0 {
			out = append(out, ',')
		}
		kind, text, _ := plainText(field.Type.Item(n), text)
		out = appendUntyped(out, kind, text)
	}
	b.took(f, field, append(out, ']'))
	b.commit()
	return true
}

// unmet returns the innermost object, and the property of it that key declares; nil if it
// was met, or cannot be written without a look at what is wrong.
func (a *Assembler) unmet(key []byte) (*frame, *sig.Field) {
	p, b := &a.p, &a.p.b
	f := b.top()
	if f == nil || !f.object || f.typ == nil || b.exact || p.dead || b.fault != "" || len(b.frames) == 1 && f.n >= p.limits.Arguments {
		return nil, nil
	}
	field := nextField(f, key)
	if !f.awaits(field) {
		return nil, nil
	}
	return f, field
}

// plainText returns what text without quotes is under t, and without the whitespace around
// it that means nothing; ok says that it is a string or a literal that fits.
func plainText(t *sig.Type, text []byte) (kind sig.Kinds, plain []byte, ok bool) {
	switch {
	case !t.Says() || t.Kinds&(sig.Array|sig.Object) != 0:
		return 0, nil, false
	case t.Kinds == sig.String:
		return sig.String, text, fits(t, sig.String, text) == fitsAll
	case t.Kinds&sig.String == 0:
		text = bytes.TrimSpace(text)
	}
	kind, ok = simpleKind(t, text)
	return kind, text, ok
}

// nextField is Field where the properties come in the order of the schema, as most often.
func nextField(f *frame, name []byte) *sig.Field {
	if n := bits.Len64(f.seen); n < len(f.typ.Fields) && f.typ.Fields[n].Name == string(name) {
		return &f.typ.Fields[n]
	}
	return f.typ.Field(name)
}
