package engine

import (
	"bytes"
	"encoding/binary"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/sig"
)

// The fast path: arguments and members whose keys come next in the schema, or a little later,
// and whose values are plain. It decides nothing that the other methods of the Handler would
// decide differently; what needs a decision is left to them.

// Offer implements [lex.Handler].
func (a *Assembler) Offer(w []byte, at int) (n, ended int) {
	d := a.draft
	switch {
	case d.fault != "":
		return 0, lex.AfterValue
	case d.name == "":
		return a.offerName(w)
	case len(d.frames) > 0:
		n, ended = d.offerElements(w)
	default:
		n, ended = d.offerArguments(w)
	}
	d.commit()
	return n, ended
}

// offerName reads the name that w begins with, if that of a tool ends there, and what
// offerArguments can read after it.
func (a *Assembler) offerName(w []byte) (n, ended int) {
	d := a.draft
	n = bytes.IndexByte(w[:min(len(w), a.config.limits.Name+1)], ' ')
	if n < 0 {
		return 0, lex.AfterName
	}
	p := a.config.tools.find(w[:n])
	if p == nil || !p.isName {
		return 0, lex.AfterName
	}
	d.use(p)
	a.beginInput()
	read, ended := d.offerArguments(w[n+1:])
	if read == 0 {
		return n, lex.AfterName
	}
	d.commit()
	return n + 1 + read, ended
}

// offerArguments reads the arguments that w begins with, as far as they are expected.
func (d *draft) offerArguments(w []byte) (n, ended int) {
	for at := 0; at+8 <= len(w); at = n + 1 { // Phrase.Follows compares 8 bytes at once
		leaves, i, head := d.leaves, d.next, binary.LittleEndian.Uint64(w[at:at+8])
		for i < len(leaves) && !leaves[i].path.Follows(w, at, head) {
			i++
		}
		if i == len(leaves) {
			break
		}
		l := &leaves[i]
		if !d.beginLeaf(l) {
			break
		}
		d.next = i + 1
		from, first := at+len(l.path.Text), byte(0)
		if from < len(w) {
			first = w[from]
		}
		end := 0
		switch first {
		case 0, '[', '{': // not plain
		case '"', '\'':
			if l.quoted {
				end = d.plainString(w, from)
			}
		default:
			end = d.plainWord(l, w, from)
		}
		if end == 0 { // the value is left to the Lexer
			d.await(l)
			return from, l.dots
		}
		n = end
		if n == len(w) || w[n] != ' ' {
			break
		}
	}
	return n, lex.AfterValue
}

// beginLeaf writes the key of a leaf, and reports whether it could: the leaf must be new, and so
// must be all groups on its path that are not open.
func (d *draft) beginLeaf(l *leaf) bool {
	if d.count == d.config.limits.Arguments {
		return false
	}
	d.commitTo(len(d.out))
	if l.node != d.inner.node && (l.dots > d.config.limits.Depth || !d.enterNode(l.node)) {
		return false
	}
	g := d.inner
	if g.present&l.bit != 0 {
		return false
	}
	out := l.json.AppendTo(d.out)
	g.mark(l.bit, &out[len(d.out)])
	d.out = out
	d.count++
	return true
}

// mark marks a declared field as seen, and sets what its key comes after.
func (g *group) mark(bit uint64, sep *byte) {
	g.present |= bit
	*sep, g.sep = g.sep, ','
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
	if !d.enterNode(node.parent) || d.inner.present&node.bit != 0 {
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

// await leaves the value of a leaf to the Lexer.
func (d *draft) await(l *leaf) {
	d.typ, d.field, d.level = l.typ, l.field, l.dots
	d.keyEnd = len(d.out) - 1
	d.key = d.keyEnd - len(l.json.Text) + len(",:")
}

// plainString writes the string at w[i] and returns the index after it. The index is 0 if the
// string does not end in w, or is not plain.
func (d *draft) plainString(w []byte, i int) (end int) {
	out, end, _ := lexeme.AppendString(d.out, w, i)
	if end > 0 {
		d.out = out
		d.commitTo(len(out) - 1)
	}
	return end
}

// plainWord writes the bare word at w[i] and returns the index after it. The index is 0 if the word
// does not end in w, or is not plain.
func (d *draft) plainWord(l *leaf, w []byte, i int) (end int) {
	out, end := lexeme.AppendWord(append(d.out, '"'), w, i)
	if !d.isWord(l, w, i, end) {
		return 0
	}
	text, isString := w[i:end], l.bare
	if !isString && !(l.integer && isDigits(text)) {
		kind, ok := simpleKind(l.typ, text)
		if !ok {
			return 0
		}
		isString = kind == sig.String
	}
	if isString { // which needs no escapes
		d.out = append(out, '"')
	} else {
		d.out = append(d.out, text...)
	}
	return end
}

// isWord reports whether w[i:end] is a word that needs no closer look.
func (d *draft) isWord(l *leaf, w []byte, i, end int) bool {
	if i == end || end == len(w) {
		return false
	}
	isEnd := w[end] == ' ' || w[end] == '\n' || d.syntax.Tags.Closer.IsAt(w, end)
	return isEnd && (d.config.repair == nil || !d.isDoubtful(l.field, l.typ, w[i:end]))
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

// offerElements reads the elements or members that w begins with, in the innermost array or
// object.
func (d *draft) offerElements(w []byte) (n, ended int) {
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
				return n, lex.AfterValue
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
			return n, lex.AfterValue
		case !f.object:
			f.n++
		}
		n, i = end, end
		if i == len(w) || w[i] != ',' {
			return n, lex.AfterValue
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
		if len(w)-i < len(key) || w[i+1] != key[1] || string(w[i:i+len(key)]) != string(key) {
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
		if t != nil && t.Free&sig.String == 0 {
			return 0
		}
		out, end, flags := lexeme.AppendString(d.out, w, i)
		isStrict := d.syntax.Format().Body == format.Envelope
		if end == 0 || isStrict && flags&(lexeme.Differs|lexeme.Control) != 0 {
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
	kind := repair.LiteralKind(text)
	if kind == 0 || fits(t, kind, text) != fitsAll {
		return 0
	}
	d.out = append(d.out, text...)
	return end
}
