package parse

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// What nearly all calls consist of is read here in one loop: arguments of one
// key each, which were not met before, with a value that leaves no question.
// Nothing is decided here that is not decided elsewhere too: where a Pair is not
// of that kind it is left to split, which reads the same token by token.

// pairs reads Pairs from the beginning of toks and returns how many.
func (p *Parser) pairs(toks []lexer.Token) int {
	b, a := &p.b, &p.args
	if p.dead || p.opts.Strict || a.tree {
		return 0
	}
	args := p.argsType()
	if args == nil {
		return 0
	}
	w := p.lex.Slice(p.seg.Start, toks[len(toks)-1].End)
	out := b.out
	n := 0
	for ; n < len(toks) && toks[n].Kind == lexer.Pair && a.count < p.limits.Arguments; n++ {
		t := &toks[n]
		from, to := t.KeySpan()
		from, to = from-p.seg.Start, to-p.seg.Start
		field := expected(args, len(a.list), w[from:to])
		if field == nil || field.Index >= 64 || a.seen&(1<<field.Index) != 0 {
			break
		}
		key := len(out)
		out = appendShort(out, field.NextKey)
		value := len(out)
		var ok bool
		if text := w[to+1 : t.End-p.seg.Start]; t.Flags == 0 {
			out, ok = appendBare(out, field.Type, text)
		} else if ok = t.Flags == lexer.First|lexer.Last && text[0] == '"' && (field.Type == nil || field.Type.Free&sig.String != 0); ok {
			out = append(out, text...) // a string in any case, and JSON as it stands
		}
		if !ok {
			out = out[:key]
			break
		}
		if a.count == 0 {
			out[key] = '{'
		}
		a.seen |= 1 << field.Index
		a.count++
		a.add(from, to, key+1, value)
	}
	b.out = out
	b.sure = len(out)
	return n
}

// expected returns the field of that name, which is most often the one behind
// the last one.
func expected(args *sig.Type, n int, name []byte) *sig.Field {
	if n < len(args.Fields) {
		if f := &args.Fields[n]; f.Name == string(name) {
			return f
		}
	}
	return args.Field(name)
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

// appendBare appends the JSON of a bare word of a Pair under t, if there is no
// question about it: the best reading has no issue.
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

// hasMember reports whether the string text is in the enum of t.
func hasMember(t *sig.Type, text []byte) bool {
	for i := range t.Enum {
		if m := &t.Enum[i]; m.Kind == sig.String && m.Text == string(text) {
			return true
		}
	}
	return false
}
