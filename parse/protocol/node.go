package protocol

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// node is a part of elements that have been read but not written: the beginning of an
// element, with its name between the offsets from and to and its content at offset at;
// an end tag; or text.
type node struct {
	kind     byte // < > t, c for the text of a CDATA section
	from, to int
	at       int
}

// blank reports whether n is only whitespace.
func (n node) blank(r *reader) bool {
	text := r.slice(n.from, n.to)
	return n.kind == 't' && lexeme.SkipSpace(text, 0) == len(text)
}

// flush writes the members that are not written yet.
func (b *elements) flush(r *reader) {
	top := b.top()
	nodes, count := b.nodes, top.count
	b.nodes, top.count = b.nodes[:0], 0
	switch {
	case len(nodes) == 0 || r.asm.Dead():
	case top.holds == ofItems || top.list:
		b.values(r, nodes, 1)
	default:
		b.values(r, nodes, count)
	}
}

// values writes the contents of the count consecutive elements in nodes as the value of
// their key.
func (b *elements) values(r *reader, nodes []node, count int) {
	if count > 1 {
		b.open(r, false, nodes[0].at)
	}
	for len(nodes) > 0 && !r.asm.Broken() {
		n := extent(nodes)
		b.value(r, nodes[:n])
		nodes = nodes[n:]
	}
	if count > 1 {
		b.close(r, r.offset(r.pos))
	}
}

// extent returns how many nodes belong to the element that nodes begin with.
func extent(nodes []node) int {
	depth := 0
	for i, n := range nodes {
		switch n.kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(nodes)
}

// value writes the content of the element in nodes.
func (b *elements) value(r *reader, nodes []node) {
	a := r.asm
	at, end := nodes[0].at, nodes[len(nodes)-1].from
	nodes = nodes[1 : len(nodes)-1]
	typ := a.Type()
	children, others, blank := 0, 0, true
	for i := 0; i < len(nodes); {
		switch n := nodes[i]; n.kind {
		case '<':
			if string(r.slice(n.from, n.to)) != "item" {
				others++
			}
			children++
			i += extent(nodes[i:])
			continue
		default:
			blank = blank && n.blank(r)
		}
		i++
	}
	listed, only := repeats(typ), onlyA(sig.Array, typ)
	switch {
	case children == 0 && blank && typ.Says() && typ.Kinds&sig.String == 0 && typ.Kinds&(sig.Array|sig.Object) != 0:
		a.Open(typ.Kinds&sig.Array == 0, at)
		a.Close(end)
	case children == 0:
		text := b.content(r, nodes)
		if only && !bytes.HasPrefix(text[lexeme.SkipSpace(text, 0):], []byte("[")) { // a list of one
			a.Open(false, at)
			r.raw(text, at)
			a.Close(end)
			return
		}
		r.raw(text, at)
	case !blank || typ.Says() && typ.Kinds&composed == sig.String: // text and elements
		a.Issue(lexer.AmbiguousText, at)
		a.Raw(r.slice(at, end), at)
	case listed && others == 0 || only && b.list(r, nodes, typ):
		a.Open(false, at)
		for i := 0; i < len(nodes) && !a.Broken(); {
			if nodes[i].kind != '<' {
				i++
				continue
			}
			n := extent(nodes[i:])
			b.value(r, nodes[i:i+n])
			i += n
		}
		b.close(r, end)
	case only: // the only element of a list, without a tag of its own
		a.Open(false, at)
		b.object(r, nodes, at, end)
		b.close(r, end)
	default:
		b.object(r, nodes, at, end)
	}
}

// list reports whether the elements in nodes are those of a list, not the properties of
// its only element. If properties may have any name, names that differ are theirs, and
// so is the name of an element of text if no element of the list can be text.
func (b *elements) list(r *reader, nodes []node, typ *sig.Type) bool {
	item := typ.Item(0)
	if item.Says() && item.Kinds&sig.Object == 0 {
		return true
	}
	var first []byte
	for i := 0; i < len(nodes); i++ {
		if nodes[i].kind != '<' {
			continue
		}
		name, n := r.slice(nodes[i].from, nodes[i].to), extent(nodes[i:])
		switch {
		case first == nil && item.Field(name) != nil:
			return false
		case first == nil && (item != nil && item.Closed || string(name) == "item"):
			return true
		case first != nil && !bytes.Equal(name, first):
			return false
		case item.Says() && item.Kinds&^sig.Null == sig.Object && b.plainText(r, nodes[i+1:i+n-1]):
			return false
		}
		first = name
		i += n - 1
	}
	return true
}

// plainText reports whether nodes are text that is not an object.
func (b *elements) plainText(r *reader, nodes []node) bool {
	if slices.ContainsFunc(nodes, func(n node) bool { return n.kind == '<' }) {
		return false
	}
	text := b.content(r, nodes)
	i := lexeme.SkipSpace(text, 0)
	return i < len(text) && text[i] != '{'
}

// object writes elements as an object between the offsets at and end.
func (b *elements) object(r *reader, nodes []node, at, end int) {
	a := r.asm
	a.Open(true, at)
	for i := 0; i < len(nodes) && !a.Broken(); {
		if nodes[i].kind != '<' {
			i++
			continue
		}
		name := r.slice(nodes[i].from, nodes[i].to)
		a.Key(name, nodes[i].from)
		if a.Broken() {
			return
		}
		count, n := 1, extent(nodes[i:])
		same := append([]node(nil), nodes[i:i+n]...)
		for a.Repeats() {
			j := i + n
			for j < len(nodes) && nodes[j].kind != '<' {
				j++
			}
			if j == len(nodes) || !bytes.Equal(r.slice(nodes[j].from, nodes[j].to), name) {
				break
			}
			more := extent(nodes[j:])
			same = append(same, nodes[j:j+more]...)
			n = j + more - i
			count++
		}
		b.values(r, same, count)
		i += n
	}
	b.close(r, end)
}

// content returns the text of nodes.
func (b *elements) content(r *reader, nodes []node) []byte {
	if len(nodes) == 1 { // the usual case
		if text := r.slice(nodes[0].from, nodes[0].to); bytes.IndexByte(text, '&') < 0 || nodes[0].kind == 'c' {
			return text
		}
	}
	var text []byte
	for _, n := range nodes {
		if n.kind == 'c' {
			text = append(text, r.slice(n.from, n.to)...)
		} else {
			text = appendUnescaped(text, r.slice(n.from, n.to))
		}
	}
	return text
}
