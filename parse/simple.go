package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// What nearly all calls consist of is read here straight from the bytes: a name,
// arguments with a scalar or a short array of scalars, the close tag. That takes a
// third of the time that tokens take. Everything else is left to the lexer's tokens,
// which go on from there. Nothing is decided here that is not decided elsewhere too.

// simpleName reads on from a name, with which w begins, the bytes at the offset. It
// returns the part that it completes, if any.
func (p *Parser) simpleName(w []byte, offset int) Part {
	if len(w) < 8 { // not worth a try
		return NoPart
	}
	end, tag, seen := p.tags.ConsumeNameResumable(w, 0, min(len(w), p.limits.Name))
	if end == 0 || end == len(w) || seen >= 0x80 || tag != lexeme.CloseTag && p.tags.Classes[w[end]]&lexeme.Space == 0 {
		return NoPart
	}
	if part := p.called(w[:end], offset); part != NoPart || p.dead {
		p.lex.Discard(end, lexer.AtArgument)
		return part
	}
	return p.pairs(w, end, offset)
}

// copyString reads on in a string that is written piece by piece, up to its quote or
// a byte that needs a look, in one pass: twice as fast as reading first and then
// writing. It reports whether the chunk is used up.
func (p *Parser) copyString(w []byte) (spent bool) {
	if p.dead || !p.streams {
		return false
	}
	b := &p.b
	out, n, flags := lexeme.ReformatStringResumable(b.out, w, p.quote)
	b.out = out
	p.str.Flags |= flags
	b.commit()
	p.spent = p.lex.Discard(n, lexer.Quoted)
	return p.spent
}

// pairs reads the arguments after the name w[:name], if it was not read before, and
// the close tag. The offset is that of w.
func (p *Parser) pairs(w []byte, name, offset int) Part {
	b := &p.b
	start := p.seg.Start
	w = p.lex.Slice(start, offset+len(w)) // all of the call
	from := offset - start
	at, simple, closed := from+name, p.tags.Simple(), false
	value, word := 0, 0 // where the value read last begins in the output, 0 if none was read, and in w
	for {
		key, eq, dots := at, 0, 0
		for key < len(w) && p.tags.Classes[w[key]]&lexeme.Space != 0 {
			key++
		}
		if simple && key > at {
			eq = p.expected(w, key)
		}
		if eq == 0 {
			if closed || p.tags.ClosesAt(w, key) {
				b.commit()
				p.read(value, word)
				end := key + len(p.tags.Close)
				p.spent = p.lex.Discard(end-from, lexer.Prose)
				return p.finish(start+key, start+end)
			}
			if simple && key > at {
				eq, dots = p.tags.ConsumeSimplePath(w, key, p.limits.Depth)
			}
			if eq == 0 {
				p.read(value, word)
				p.stop(name, at-from, lexer.AtArgument)
				return NoPart
			}
			p.read(value, word)
			if p.argument(start+key, start+eq, dots); p.failed() {
				p.plain = false
				p.stop(name, eq+1-from, lexer.AtValue)
				return p.die()
			}
		}
		out, end, seen := p.simpleValue(b.out, b.slot, w, eq+1, lexeme.PlainWord)
		if end > 0 && end < len(w) {
			closed = p.tags.ClosesAt(w, end)
		}
		if end == 0 || end == len(w) || !closed && p.tags.Classes[w[end]]&lexeme.Space == 0 {
			p.plain = false
			p.latest = awaited
			p.stop(name, eq+1-from, lexer.AtValue)
			return NoPart
		}
		if seen&lexeme.Dubious != 0 && p.opts.Salvage {
			const both = lexeme.Equals | lexeme.Comma
			p.several = p.several || seen&both == both
			if word := w[eq+1 : end]; suspicious(word) {
				p.doubts(word, start+key, start+eq+1)
			}
		}
		value, word = len(b.out), eq+1
		b.out, at = out, end
		b.commit()
	}
}

// read notes which value was read last: it begins at b.out[value], and at source[word].
func (p *Parser) read(value, word int) {
	if value > 0 {
		p.latest, p.word = value-p.base, word
	}
}

// stop leaves what follows w[:at] to the lexer; w begins with the name w[:name], if
// that was not read before.
func (p *Parser) stop(name, at int, before lexer.Place) {
	if name > 0 {
		p.lex.Discard(name, lexer.AtArgument)
	}
	p.lex.Discard(at-name, before)
}

// simpleValue appends the value under t that begins at w[i], and returns the index after
// it; 0 if there is a question about it. It is a string, a word of plain bytes, of which
// the roles are returned, too, or an array of these, if plain is not PlainItem.
func (p *Parser) simpleValue(out []byte, t *sig.Type, w []byte, i int, plain lexeme.Class) ([]byte, int, lexeme.Class) {
	if i == len(w) {
		return out, 0, 0
	}
	switch c := w[i]; c {
	case '"', '\'':
		out, end := lexeme.ReformatSimpleString(out, w, i)
		if end > 0 && t != nil && t.Free&sig.String == 0 && !hasPlain(t, w[i:end]) {
			return out, 0, 0
		}
		return out, end, 0
	case '[':
		if plain == lexeme.PlainItem || p.b.level >= p.limits.Depth || t != nil && t.Free&sig.Array == 0 {
			return out, 0, 0
		}
		out, end := p.simpleList(out, t, w, i)
		return out, end, 0
	case '{':
		return out, 0, 0
	}
	end, seen := p.tags.ConsumeSimpleWord(w, i, plain)
	kind, ok := simpleKind(t, w[i:end])
	switch {
	case !ok:
		return out, 0, 0
	case kind == sig.String: // JSON writes it without escapes
		return append(append(append(out, '"'), w[i:end]...), '"'), end, seen
	}
	return append(out, w[i:end]...), end, seen
}

// hasPlain reports whether the quoted string has no backslash and is in the enum
// of t.
func hasPlain(t *sig.Type, quoted []byte) bool {
	return t.Member(sig.String, quoted[1:len(quoted)-1]) != nil && bytes.IndexByte(quoted, '\\') < 0
}

// simpleList is simpleValue for an array: there is nothing but a comma, with one space
// after it at most, between its items.
func (p *Parser) simpleList(dst []byte, t *sig.Type, w []byte, i int) (out []byte, end int) {
	for n := 0; ; n++ {
		dst = append(dst, w[i]) // [ or ,
		i++
		if n > 0 && i < len(w) && w[i] == ' ' {
			i++
		}
		from := i
		if n > 0 || i == len(w) || w[i] != ']' {
			dst, i, _ = p.simpleValue(dst, t.Item(n), w, i, lexeme.PlainItem)
		}
		switch {
		case i == len(w) || i == 0 || i == from && (n > 0 || w[i] != ']'):
			return nil, 0
		case w[i] == ']':
			return append(dst, ']'), i + 1
		case w[i] != ',':
			return nil, 0
		}
	}
}
