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
	out := b.out
	n := 0
	for ; n < len(toks) && toks[n].Kind == lexer.Pair && a.count < p.limits.Arguments; n++ {
		t := &toks[n]
		keyStart, keyEnd := t.KeySpan()
		name := p.lex.Slice(keyStart, keyEnd)
		field := expected(args, len(a.list), name)
		if field == nil || field.Index >= 64 || a.seen&(1<<field.Index) != 0 {
			break
		}
		start := len(out)
		out = append(out, field.NextKey...)
		from := len(out)
		text := p.lex.Slice(t.ValueSpan())
		var ok bool
		if t.Flags == 0 {
			out, ok = appendBare(out, field.Type, text)
		} else {
			out, ok = appendQuoted(out, field.Type, text, t.Flags)
		}
		if !ok {
			out = out[:start]
			break
		}
		if a.count == 0 {
			out[start] = '{'
		}
		a.seen |= 1 << field.Index
		a.count++
		a.add(keyStart-p.seg.Start, keyEnd-p.seg.Start, start+1, from)
	}
	b.out = out
	b.sure = len(out)
	return n
}

// expected returns the field of that name, which is most often the one behind
// the last one.
func expected(args *sig.Type, n int, name []byte) *sig.Field {
	if args == nil {
		return nil
	}
	if n < len(args.Fields) {
		if f := &args.Fields[n]; f.Name == string(name) {
			return f
		}
	}
	return args.Field(name)
}

// appendBare appends the JSON of a bare word of a Pair under t, if there is no
// question about it: the best reading has no issue.
func appendBare(out []byte, t *sig.Type, text []byte) ([]byte, bool) {
	kind := literalKind(text)
	switch {
	case t == nil:
		if kind != 0 {
			return append(out, text...), true
		}
	case kind != 0:
		if t.Free&kind == 0 {
			if kind != sig.Number || t.Free&sig.Integer == 0 || digits(text) != len(text) {
				return out, false
			}
		}
		return append(out, text...), true
	case t.Free&sig.String == 0:
		if t.Kinds&sig.Boolean != 0 || t.Member(sig.String, text) == nil {
			return out, false
		}
	case t.Kinds&sig.Boolean != 0:
		return out, false
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"'), true
}

// appendQuoted appends the JSON of a quoted string of a Pair under t, if it is a
// string in any case and needs no escapes.
func appendQuoted(out []byte, t *sig.Type, text []byte, flags lexer.Flags) ([]byte, bool) {
	if flags != lexer.First|lexer.Last || text[0] != '"' || t != nil && t.Free&sig.String == 0 {
		return out, false
	}
	return append(out, text...), true
}
