package parse

import (
	"bytes"
	"math/bits"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// What nearly all calls consist of is read here straight from the bytes: a name,
// arguments with a scalar or a short array of scalars, the close tag. In front of
// whatever is not of that kind it stops, and the lexer's tokens go on from
// there. Nothing is decided here that is not decided elsewhere too.

// straight reads on from where the lexer is, if that is in front of a name or
// of an argument. It returns the part that it completes, if any.
func (p *Parser) straight() Part {
	w, named := p.lex.Ahead()
	if len(w) < 8 || p.dead || p.b.exact { // fewer bytes are not worth a try
		return NoPart
	}
	at := 0
	if !named {
		if p.tool, at = p.known(w); p.tool == nil {
			if at = p.lex.NameEnd(w); at == 0 {
				return NoPart
			}
		}
		start := p.lex.Offset()
		if part := p.called(start, start+at, p.tool); part != NoPart || p.dead {
			p.lex.Take(at, false, false)
			return part
		}
	}
	return p.pairs(w, at)
}

// copyString reads on in a string that is written piece by piece, up to its quote
// or whatever needs a look, in one go: twice as fast as to read it and then to
// write it.
func (p *Parser) copyString() {
	w, quote := p.lex.StringAhead()
	if len(w) < 16 || p.dead || !p.streams {
		return
	}
	b := &p.b
	out, n, flags := copyInside(b.out, w, quote)
	b.out = out
	p.str.Flags |= flags
	p.lex.TakeString(n)
	b.settle()
}

// known returns the tool whose name w begins with, if that is ASCII, and how long
// the name is. It need not look at each byte: the names of tools are good ones.
func (p *Parser) known(w []byte) (*sig.Tool, int) {
	if p.catalog == nil || !p.letters {
		return nil, 0
	}
	for i := 0; i < len(w); i += 8 {
		x := load(w, i)
		if stop := below(x, ' '+1) | equal(x, '<') | x&highs; stop != 0 {
			n := i + bits.TrailingZeros64(stop)/8
			if n >= len(w) || n > p.limits.Name || w[n] != ' ' && !p.lex.Closes(w, n) {
				return nil, 0
			}
			return p.catalog.Lookup(w[:n]), n
		}
	}
	return nil, 0
}

// pairs reads the arguments from w[at] on, and the close tag.
func (p *Parser) pairs(w []byte, at int) Part {
	b, lex := &p.b, &p.lex
	start := lex.Offset() // of w[0]
	for first := at; ; {
		next, closed := p.usual(w, at)
		at = next
		if !closed && p.step(w, at) {
			continue
		}
		key := at
		if !closed {
			key = lex.SpaceEnd(w, at)
			closed = lex.Closes(w, key)
		}
		if closed {
			b.settle()
			end := key + p.closing
			lex.Take(end, true, true)
			return p.finish(start+key, start+end)
		}
		if p.args.entered < 0 {
			b.settle()
		}
		eq, dots, kind, flags, end := 0, 0, lexer.Bare, lexer.Flags(0), 0
		if key > at {
			eq, dots = lex.PathEnd(w, key)
		}
		if eq > 0 {
			if end = p.single(w, key, eq, dots); end > 0 {
				at = end
				continue
			}
			end, kind, flags = lex.ValueEnd(w, eq+1)
		}
		if end == 0 || kind == lexer.ArrayOpen && dots >= p.limits.Depth {
			lex.Take(at, at > first, false)
			return NoPart
		}
		p.argument(start+key, start+eq, dots)
		if !p.failed() {
			p.value(w[eq+1:end], kind, flags, start+eq+1)
		}
		if b.fault != "" {
			p.plain = false
			lex.Take(end, true, false)
			return p.die()
		}
		at = end
	}
}

// single reads the argument at w[key], with the = at w[eq], if it is one of a group
// that is open or begins with it, new, and there is no question about its value:
// what usual leaves, because properties were skipped, a group begins or ends, or
// nothing is known about the properties. It returns the index behind it; 0 if
// there is a question, which those who read on find too: then at most the
// groups that lead to it were entered.
func (p *Parser) single(w []byte, key, eq, dots int) int {
	b, a := &p.b, &p.args
	if a.tree || !p.letters || a.count >= p.limits.Arguments {
		return 0
	}
	start := p.lex.Offset() - p.seg.Start // of w[0] in the source
	source := p.lex.Slice(p.seg.Start, p.seg.Start+start+eq)
	if a.entered < 0 {
		a.entered = len(b.out)
	}
	at, from := a.entered, start+key
	if dots > 0 || len(a.groups) > 1 {
		if from = p.enter(source, from, dots); from < 0 {
			p.plant(at)
			return 0
		}
	}
	name := source[from:]
	field, ok := p.fresh(source, name, dots)
	if !ok {
		return 0
	}
	last := len(a.groups) - 1
	out, sure, list, g, issues, left := b.out, b.sure, a.list, a.groups[last], len(b.issues), b.left
	p.put(field, name, start+key, start+eq, at)
	longer, end := p.usualValue(b.out, b.slot, w, eq+1)
	if end == 0 || end == len(w) || w[end] != ' ' && !p.lex.Closes(w, end) || len(b.issues) > issues && p.opts.Strict {
		b.out, b.sure, a.list, a.groups[last], b.issues, b.left = out, sure, list, g, b.issues[:issues], left
		return 0
	}
	a.entered = -1
	b.out = longer
	b.settle()
	a.count++
	return end
}

// usual reads arguments from w[at] on as long as each is of the declared property
// that most probably comes next, behind one space, and there is no question about
// its value. It returns the index behind them, and whether the close tag stands
// there.
func (p *Parser) usual(w []byte, at int) (end int, closed bool) {
	b, a := &p.b, &p.args
	g := &a.groups[len(a.groups)-1]
	if a.tree || !p.letters || g.typ == nil || g.next >= 64 || g.seen>>g.next != 0 {
		return at, false
	}
	fields := g.typ.Fields[g.next:]
	fields = fields[:min(len(fields), 64-g.next, p.limits.Arguments-a.count)]
	var prefix []byte
	if len(a.groups) > 1 {
		prefix = p.lex.Slice(p.seg.Start+g.from, p.seg.Start+g.to)
	}
	start := p.lex.Offset() - p.seg.Start // of w[0] in the source
	out := b.out
	n := 0
	for ; n < len(fields) && at < len(w) && w[at] == ' '; n++ {
		path := at + 1
		key := path + len(prefix)
		if len(prefix) > 0 && !bytes.HasPrefix(w[path:], prefix) {
			break
		}
		f := &fields[n]
		if !f.Begins(w[key:]) {
			break
		}
		value := key + len(f.Name) + 1
		longer, end := appendShort(out, f.NextKey), 0
		if value == len(w) {
			break
		}
		switch t, c := f.Type, w[value]; {
		case !anyString(t) || c == '[' || c == '{' || beginsLiteral[c]:
			longer, end = p.usualValue(longer, t, w, value)
		case c == '"' || c == '\'': // like usualValue, which to call would cost a fortieth of all
			longer, end = copyQuoted(longer, w, value)
		default:
			longer, end = copyWord(longer, w, value)
		}
		if end == 0 || end == len(w) {
			break
		}
		if w[end] != ' ' {
			if closed = p.lex.Closes(w, end); !closed {
				break
			}
		}
		longer[len(out)] = g.sep
		g.sep = ','
		a.add(start+path, start+value-1, len(out), len(out)+len(f.NextKey))
		out, at = longer, end
	}
	b.out = out
	if n == 0 {
		return at, false
	}
	if a.entered >= 0 {
		a.list[len(a.list)-n].at, a.entered = a.entered, -1
	}
	a.count += n
	g.seen |= (1<<n - 1) << g.next
	g.next += n
	return at, closed
}

// step makes that group the open one whose property the argument behind the space
// at w[at] most probably is: a group around the open one, or one that begins. It
// returns false if it changed nothing.
func (p *Parser) step(w []byte, at int) bool {
	a := &p.args
	if a.tree || !p.letters || a.count >= p.limits.Arguments || at == len(w) || w[at] != ' ' {
		return false
	}
	path := w[at+1:]
	n, prefix := len(a.groups)-1, []byte(nil)
	for ; n > 0; n-- {
		g := &a.groups[n]
		prefix = p.lex.Slice(p.seg.Start+g.from, p.seg.Start+g.to)
		if bytes.HasPrefix(path, prefix) {
			break
		}
		prefix = nil
	}
	g := &a.groups[n]
	if g.typ == nil || g.next >= min(len(g.typ.Fields), 64) || g.typ.Dotted {
		return false
	}
	f := &g.typ.Fields[g.next]
	name := path[len(prefix):]
	begins := f.Leads(name)
	if !begins && (n == len(a.groups)-1 || !f.Begins(name)) || begins && (n >= p.limits.Depth || !g.admits(f)) {
		return false
	}
	if a.entered < 0 {
		p.b.settle()
		a.entered = len(p.b.out)
	}
	p.leave(n + 1)
	if begins {
		from := p.lex.Offset() - p.seg.Start + at + 1
		p.begins(f, from, from+len(prefix)+len(f.Name)+1)
	}
	return true
}

// anyString reports whether every string is a value of t, and no word but those of
// JSON literals is anything else.
func anyString(t *sig.Type) bool {
	return t == nil || t.Free&sig.String != 0 && t.Kinds&sig.Boolean == 0
}

// usualValue appends the scalar or the array of scalars under t that begins at
// w[i], and returns the index behind it; 0 if there is a question about it.
func (p *Parser) usualValue(out []byte, t *sig.Type, w []byte, i int) ([]byte, int) {
	if i == len(w) {
		return out, 0
	}
	value, end, ok := len(out), 0, true
	switch c := w[i]; c {
	case '"', '\'':
		out, end = copyQuoted(out, w, i)
		ok = t == nil || t.Free&sig.String != 0 || end > 0 && hasPlain(t, w[i:end])
	case '[':
		if len(p.args.groups) > p.limits.Depth {
			return out, 0
		}
		if list, n := copyList(out, t, w, i); n > 0 {
			out, end = list, n
		} else if end, _, _ = p.lex.ValueEnd(w, i); end > 0 {
			out, ok = appendList(out, t, w[i:end])
		}
	case '{':
	default:
		if out, end = copyWord(out, w, i); end == 0 {
			return out, 0
		}
		if kind := literalKind(w[i:end]); kind == 0 {
			ok = t == nil || t.Kinds&sig.Boolean == 0 && holds(t, w[i:end])
		} else if ok = allows(t, kind, w[i:end]); ok {
			out = appendLiteral(out[:value], w, i, end)
		}
	}
	if !ok {
		end = 0
	}
	return out, end
}

// allows reports whether the literal text of that kind is a value of t, without
// a look at its enum.
func allows(t *sig.Type, kind sig.Kinds, text []byte) bool {
	return t == nil || t.Free&kind != 0 || kind == sig.Number && t.Free&sig.Integer != 0 && lexeme.IsIntegral(text)
}

// holds reports whether the string text is a value of t.
func holds(t *sig.Type, text []byte) bool {
	return t == nil || t.Free&sig.String != 0 || t.Member(sig.String, text) != nil
}

// value writes the value of the argument that has begun.
func (p *Parser) value(text []byte, kind lexer.Kind, flags lexer.Flags, start int) {
	b := &p.b
	before, ok := len(b.out), false
	switch kind {
	case lexer.Bare:
		b.out, ok = appendBare(b.out, b.slot, text)
	case lexer.String:
		b.out, ok = appendQuoted(b.out, b.slot, text, flags)
	default:
		b.out, ok = appendList(b.out, b.slot, text)
	}
	if ok {
		return
	}
	b.out = b.out[:before]
	p.plain = false
	switch kind {
	case lexer.Bare:
		b.bare(text, flags, start)
	case lexer.String:
		p.quoted(&lexer.Token{Kind: lexer.String, Start: start, End: start + len(text), Flags: flags})
	default:
		p.list(text, start)
	}
	p.failed()
}

// list reads an array as ValueEnd of the lexer finds them, item by item.
func (p *Parser) list(text []byte, start int) {
	b := &p.b
	b.open(false, start, start)
	for i := 0; !p.failed(); {
		i++ // behind the bracket or the comma
		if text[i] == ' ' {
			i++
		}
		end := itemEnd(text, i)
		switch c := text[i]; {
		case c == '"' || c == '\'':
			p.quoted(&lexer.Token{Kind: lexer.String, Start: start + i, End: start + end, Flags: lexer.First | lexer.Last})
		case end > i:
			b.bare(text[i:end], 0, start+i)
		}
		if i = end; text[i] == ']' && !p.failed() {
			var source []byte
			if b.top().source {
				source = text
			}
			b.close(start+i, source)
			return
		}
	}
}

// itemEnd returns the index behind the item of the array that begins at text[i].
func itemEnd(text []byte, i int) int {
	if c := text[i]; c == '"' || c == '\'' {
		return i + 2 + bytes.IndexByte(text[i+1:], c)
	}
	for text[i] != ',' && text[i] != ']' {
		i++
	}
	return i
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

// Each of the functions below appends the JSON of a value under
// t, if there is no question about it: the best reading has no issue. Where
// there is one, it returns false.

// appendBare appends a bare word.
func appendBare(out []byte, t *sig.Type, text []byte) ([]byte, bool) {
	kind := literalKind(text)
	switch {
	case kind != 0:
		if !allows(t, kind, text) {
			return out, false
		}
		return append(out, text...), true
	case t == nil:
	case t.Kinds&sig.Boolean != 0, t.Free&sig.String == 0 && t.Member(sig.String, text) == nil:
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
	case !holds(t, content):
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
		if text[i] == ' ' {
			i++
		}
		end := itemEnd(text, i)
		switch c := text[i]; {
		case c == '"' || c == '\'':
			out, ok = appendQuoted(out, t.Item(n), text[i:end], 0)
		case end > i:
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

// hasPlain reports whether the quoted string has no backslash and is in the enum
// of t.
func hasPlain(t *sig.Type, quoted []byte) bool {
	return t.Member(sig.String, quoted[1:len(quoted)-1]) != nil && bytes.IndexByte(quoted, '\\') < 0
}
