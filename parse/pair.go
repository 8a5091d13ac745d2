package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// What nearly all calls consist of is read here in one loop: arguments with a
// declared path that was not met before, and a value that leaves no question.
// Nothing is decided here that is not decided elsewhere too: where an argument is
// not of that kind, it is split and read token by token.

// pairs reads Pairs from the beginning of toks. It returns how many, and whether
// it has read the path of the next one too, so that only its value is left.
func (p *Parser) pairs(toks []lexer.Token) (n int, placed bool) {
	b, a := &p.b, &p.args
	if p.dead || a.tree || p.tool == nil || p.tool.Args == nil {
		return 0, false
	}
	w := p.lex.Slice(p.seg.Start, toks[len(toks)-1].End)
	out := b.out
	for ; n < len(toks) && toks[n].Kind == lexer.Pair && a.count < p.limits.Arguments; n++ {
		t := &toks[n]
		start, to := t.KeySpan()
		start, to = start-p.seg.Start, to-p.seg.Start
		from, at := start, len(out)
		if t.Dots() > 0 || len(a.groups) > 1 {
			b.out = out
			if from = p.enter(w[:to], from, t.Dots()); from < 0 {
				p.plant(at)
				return n, false
			}
			out = b.out
		}
		g := &a.groups[len(a.groups)-1]
		field := g.field(w[from:to])
		if field == nil || field.Index >= 64 || g.seen&(1<<field.Index) != 0 {
			if len(a.groups) > 1 || t.Dots() > 0 {
				p.plant(at)
				return n, false
			}
			break
		}
		key := len(out)
		out = appendShort(out, field.NextKey)
		out[key] = g.sep
		g.sep = ','
		g.meet(field)
		a.count++
		value := len(out)
		a.add(start, to, at, value)
		var ok bool
		kind, v := t.Value()
		switch text := w[v-p.seg.Start : t.End-p.seg.Start]; kind {
		case lexer.Bare:
			out, ok = appendBare(out, field.Type, text)
		case lexer.String:
			out, ok = appendQuoted(out, field.Type, text, t.Flags)
		default:
			out, ok = appendList(out, field.Type, text)
		}
		if !ok {
			b.out = out[:value]
			b.slot = field.Type
			b.level = t.Dots()
			b.pathStart, b.pathEnd = t.KeySpan()
			b.settle()
			return n, true
		}
	}
	b.out = out
	b.settle()
	return n, false
}

// appendShort appends src, which has at least 16 bytes of capacity that nobody
// changes: copying a fixed number of bytes is faster than a call to copy few.
func appendShort(dst, src []byte) []byte {
	if n := len(dst); len(src) <= 16 && cap(dst)-n >= 16 {
		*(*[16]byte)(dst[n : n+16]) = *(*[16]byte)(src[:16])
		return dst[:n+len(src)]
	}
	return append(dst, src...)
}

// The values of Pairs. Each of these functions appends the JSON of a value under
// t, if there is no question about it: the best reading has no issue. Where
// there is one, it returns false.

// appendBare appends a bare word.
func appendBare(out []byte, t *sig.Type, text []byte) ([]byte, bool) {
	kind := literalKind(text)
	switch {
	case kind != 0:
		if t != nil && t.Free&kind == 0 && (kind != sig.Number || t.Free&sig.Integer == 0 || digits(text) != len(text)) {
			return out, false
		}
		return append(out, text...), true
	case t == nil:
	case t.Kinds&sig.Boolean != 0, t.Free&sig.String == 0 && !hasMember(t, text):
		return out, false
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"'), true
}

// appendQuoted appends a quoted string without backslashes; text has the quotes.
func appendQuoted(out []byte, t *sig.Type, text []byte, flags lexer.Flags) ([]byte, bool) {
	content := text[1 : len(text)-1]
	switch {
	case t != nil && t.Free&sig.String == 0 && !hasMember(t, content):
		return out, false
	case text[0] == '"' && flags&lexer.Control == 0: // JSON as it stands
		return append(out, text...), true
	}
	return appendString(out, content), true
}

// appendList appends an array of bare words and of strings without backslashes
// and control characters, separated by commas and blanks.
func appendList(out []byte, t *sig.Type, text []byte) ([]byte, bool) {
	if t != nil && t.Free&sig.Array == 0 {
		return out, false
	}
	ok := true
	for i, n := 0, 0; ; n++ { // text[i] is the bracket or the comma before an item
		out = append(out, text[i])
		i++
		for text[i] == ' ' {
			i++
		}
		end := i
		switch c := text[i]; c {
		case ']':
			return append(out, ']'), true
		case '"', '\'':
			end += 2 + bytes.IndexByte(text[i+1:], c)
			out, ok = appendQuoted(out, t.Item(n), text[i:end], 0)
		default:
			for text[end] != ',' && text[end] != ']' {
				end++
			}
			out, ok = appendBare(out, t.Item(n), text[i:end])
		}
		switch i = end; {
		case !ok:
			return out, false
		case text[i] == ']':
			return append(out, ']'), true
		}
	}
}

// hasMember reports whether the string text is in the enum of t.
func hasMember(t *sig.Type, text []byte) bool {
	for i := range t.Enum {
		if m := &t.Enum[i]; m.Kind == sig.String && m.Text == string(text) {
			return true
		}
	}
	return false
}
