package engine

import (
	"bytes"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// The fast path: arguments and members whose keys come next in the schema, or a little later,
// and whose values are plain. It decides nothing that the other methods of the Handler would
// decide differently; what needs a decision is left to them.

// Offer implements [lex.Handler].
func (a *Assembler) Offer(w []byte, at int) (n, dots int) {
	switch d := a.draft; {
	case d.fault != "":
		return 0, -1
	case len(d.frames) > 0:
		n, dots = d.readElements(w)
	default:
		n, dots = d.readArguments(w)
	}
	a.commit()
	return n, dots
}

// readArguments reads the arguments that w begins with, as far as they are expected.
func (d *draft) readArguments(w []byte) (n, dots int) {
	rest, read := w, 0
	for i := d.next; i < len(d.leaves); i++ {
		l := &d.leaves[i]
		if !l.path.Begins(rest) {
			continue
		}
		if !d.beginLeaf(l, i) {
			break
		}
		at := len(l.path.Text)
		end := d.plainValue(l, rest, at)
		if end == 0 {
			d.await(l)
			return len(w) - len(rest) + at, l.dots
		}
		read = len(w) - len(rest) + end
		if end == len(rest) || rest[end] != ' ' {
			break
		}
		rest = rest[end+1:]
	}
	return read, -1
}

// beginLeaf writes the key of leaf number i, and reports whether it could: the leaf must be
// new, and so must be all groups on its path that are not open.
func (d *draft) beginLeaf(l *leaf, i int) bool {
	if d.count == d.config.limits.Arguments {
		return false
	}
	d.commitTo(len(d.out))
	g := d.innermost()
	if l.node != g.node {
		if l.dots > d.config.limits.Depth || !d.enterNode(l.node) {
			return false
		}
		g = d.innermost()
	}
	if g.present&l.bit != 0 {
		return false
	}
	n := len(d.out)
	d.out = l.json.AppendTo(d.out)
	g.mark(l.bit, &d.out[n])
	d.next = i + 1
	d.count++
	return true
}

// mark marks a declared field as seen. Its key begins with a comma, unless it is the first one.
func (g *group) mark(bit uint64, comma *byte) {
	g.present |= bit
	if g.empty {
		g.empty = false
		*comma = '{'
	}
}

// enterNode makes the object that is a node of the plan the innermost open group, and reports
// whether it could.
func (d *draft) enterNode(id int) bool {
	for n := len(d.open) - 1; n >= 0; n-- {
		if d.groups[d.open[n]].node == id {
			d.leave(n + 1)
			return true
		}
	}
	node := &d.plan.nodes[id]
	if !d.enterNode(node.parent) || d.innermost().present&node.bit != 0 {
		return false
	}
	parent := d.open[len(d.open)-1]
	key := len(d.out) + 1
	d.out = node.json.AppendTo(d.out)
	d.groups[parent].mark(node.bit, &d.out[key-1])
	d.keys.add(key, len(d.out)-1, parent, int32(len(d.groups)))
	d.push(node.typ, parent, id, key, len(d.out)-1)
	return true
}

// await leaves the value of a leaf to the lexer.
func (d *draft) await(l *leaf) {
	d.typ, d.field, d.level = l.typ, l.field, l.dots
	d.keyEnd = len(d.out) - 1
	d.key = d.keyEnd - len(l.json.Text) + len(",:")
}

// plainValue writes the value at w[i] and returns the index after it. It returns 0, with
// nothing written, if the value does not end in w or is not plain.
func (d *draft) plainValue(l *leaf, w []byte, i int) (end int) {
	if i == len(w) {
		return 0
	}
	switch c := w[i]; {
	case c == '"' || c == '\'':
		if !l.quoted {
			return 0
		}
		out, end := lexeme.AppendString(d.out, w, i)
		if end != 0 {
			d.out = out
			d.commitTo(len(out) - 1)
		}
		return end
	case c == '[' || c == '{':
		return 0
	case l.bare:
		out, end := lexeme.AppendWord(d.out, w, i)
		if !d.endsWord(w, i, end) || d.config.repair != nil && maybeDoubtful(w[i:end]) {
			return 0
		}
		d.out = out
		return end
	}
	return d.plainWord(l, w, i)
}

// plainWord is plainValue for a bare word that may be a literal.
func (d *draft) plainWord(l *leaf, w []byte, i int) (end int) {
	end = lexeme.SkipPlainWord(w, i)
	if !d.endsWord(w, i, end) {
		return 0
	}
	text := w[i:end]
	if d.config.repair != nil && maybeDoubtful(text) {
		return 0
	}
	kind, ok := sig.Number, l.integer && isDigits(text)
	if !ok {
		kind, ok = simpleKind(l.typ, text)
	}
	if !ok {
		return 0
	}
	if kind == sig.String { // which needs no escapes
		d.out = append(append(append(d.out, '"'), text...), '"')
	} else {
		d.out = append(d.out, text...)
	}
	return end
}

// endsWord reports whether the bare word w[i:end] is not empty and ends there.
func (d *draft) endsWord(w []byte, i, end int) bool {
	return i < end && end < len(w) && (lexeme.IsSpace(w[end]) || d.syntax.ClosesAt(w, end))
}

// isDigits reports whether text is a number of digits alone.
func isDigits(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return text[0] != '0' || len(text) == 1
}

// readElements reads the elements or members that w begins with, in the innermost array or
// object.
func (d *draft) readElements(w []byte) (n, dots int) {
	f := d.top()
	for i := 0; ; i++ {
		if i < len(w) && w[i] == ' ' && i > 0 {
			i++
		}
		from := len(d.out)
		var t *sig.Type
		if f.object {
			i, t = d.expectKey(f, w, i)
			if i == 0 {
				return n, -1
			}
		} else {
			t = f.typ.Item(f.n)
			if f.n > 0 {
				d.out = append(d.out, ',')
			}
		}
		end := d.plainElement(t, w, i)
		switch {
		case end == 0 && f.object:
			d.typ = t
			return i, 0
		case end == 0:
			d.out = d.out[:from]
			return n, -1
		case !f.object:
			f.n++
		}
		n, i = end, end
		if i == len(w) || w[i] != ',' {
			return n, -1
		}
	}
}

// expectKey writes the key at w[i] if its field is expected in f. It returns the type of the
// field and the index after the colon and a space, or 0.
func (d *draft) expectKey(f *frame, w []byte, i int) (int, *sig.Type) {
	if f.typ == nil || len(d.frames) == 1 && d.exact && f.n >= d.config.limits.Arguments {
		return 0, nil
	}
	fields := f.typ.Fields
	for n := f.next; n < min(len(fields), 64); n++ {
		field := &fields[n]
		key := field.JSONKey
		if len(w)-i < len(key) || string(w[i:i+len(key)]) != string(key) {
			continue
		}
		if f.present>>n&1 != 0 {
			break
		}
		f.present |= 1 << n
		if f.n > 0 {
			d.out = append(d.out, ',')
		}
		f.n++
		f.next, f.key = n+1, len(d.out)
		d.out = append(d.out, key...)
		f.keyEnd = len(d.out) - 1
		d.field = field
		i += len(key)
		if i < len(w) && w[i] == ' ' {
			i++
		}
		return i, field.Type
	}
	return 0, nil
}

// plainElement writes the string or JSON literal at w[i], if it is plain, fits t and ends in w.
// It returns the index after it, or 0.
func (d *draft) plainElement(t *sig.Type, w []byte, i int) (end int) {
	switch {
	case i == len(w):
		return 0
	case w[i] == '"':
		from := len(d.out)
		if t != nil && t.Free&sig.String == 0 {
			return 0
		}
		out, end := lexeme.AppendString(d.out, w, i)
		isStrict := d.syntax.Format().Body == format.Envelope
		if end == 0 || isStrict && !bytes.Equal(out[from:], w[i:end]) {
			return 0
		}
		d.out = out
		d.commitTo(len(out) - 1)
		return end
	case !lexeme.BeginsLiteral[w[i]]:
		return 0
	}
	for end = i; end < len(w) && !lexeme.EndsLiteral(w[end]); {
		end++
	}
	if end == len(w) || w[end] <= ' ' {
		return 0
	}
	text := w[i:end]
	kind := sig.LiteralKind(text)
	if kind == 0 || fits(t, kind, text) != fitsAll {
		return 0
	}
	d.out = append(d.out, text...)
	return end
}
