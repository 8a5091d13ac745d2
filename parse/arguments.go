package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// arguments is what the paths of a call build. Values are written in the order
// in which they come. Nearly all calls have arguments of one key each: for these
// a list is enough. The first path with a dot, and a key that needs more than a
// look to be known as new, turn it into a tree. As long as no path goes back
// into a group that was left, the order of writing is that of the result;
// otherwise the tree puts the pieces together at the end of the call.
type arguments struct {
	count    int           // arguments begun
	segments []lexer.Token // keys of the path being read
	seen     uint64        // the declared fields met, by index
	list     []argument    // the arguments, while tree is false

	tree  bool
	nodes []node  // nodes[0] is the arguments object
	names keyset  // keys of all groups, as spans of the call's source
	chain []int32 // groups of the path being read
	open  []int32 // groups that are open in the output
	left  bool    // a group was left: it may be gone back to
	moved bool    // a group was gone back to: the output is out of order
	leaf  int32   // the value being written
}

// argument is an argument of one key.
type argument struct {
	nameFrom, nameTo int // the key in the call's source
	key, from        int // the key and the value in the output
}

// node is a value or a group of the tree.
type node struct {
	typ              *sig.Type
	group            bool
	parent           int32
	first, last      int32  // children of a group; 0 for none
	next             int32  // the next child of the same group; 0 for none
	keyFrom, keyTo   int    // the key in the output, colon included; 0, 0 before it is written
	from, to         int    // the value in the output
	nameFrom, nameTo int    // the key in the call's source
	seen             uint64 // of a group: the declared fields met, by index
}

func (a *arguments) reset() {
	a.count, a.seen = 0, 0
	a.segments, a.list = a.segments[:0], a.list[:0]
	if a.tree {
		a.tree, a.left, a.moved = false, false, false
		a.nodes, a.open = a.nodes[:0], a.open[:0]
		a.names.truncate(0)
	}
}

// add adds an argument to the list. It is filled in place, which is
// faster than to copy a new one.
func (a *arguments) add(nameFrom, nameTo, key, from int) {
	if n := len(a.list); n < cap(a.list) {
		a.list = a.list[:n+1]
	} else {
		a.list = append(a.list, argument{})
	}
	e := &a.list[len(a.list)-1]
	e.nameFrom, e.nameTo, e.key, e.from = nameFrom, nameTo, key, from
}

// shift moves all places in the output by n bytes.
func (a *arguments) shift(n int) {
	for i := range a.list {
		a.list[i].key += n
		a.list[i].from += n
	}
	for i := range a.nodes {
		d := &a.nodes[i]
		d.keyFrom, d.keyTo, d.from, d.to = d.keyFrom+n, d.keyTo+n, d.from+n, d.to+n
	}
}

// shift moves all places in the output by n bytes.
func (b *builder) shift(n int) {
	for i := range b.frames {
		f := &b.frames[i]
		f.out, f.key, f.keyEnd = f.out+n, f.key+n, f.keyEnd+n
	}
	for i := range b.keys.keys {
		k := &b.keys.keys[i]
		k.start, k.end = k.start+n, k.end+n
	}
}

// argument begins the argument whose path is complete.
//
// Rule: body.path, error.duplicate-key, error.path-conflict.
func (p *Parser) argument() {
	a, b := &p.args, &p.b
	segs := a.segments
	a.segments = segs[:0]
	first, last := &segs[0], &segs[len(segs)-1]
	if a.count++; a.count > p.limits.Arguments {
		b.fail(lexer.TooManyArguments, first.Start)
		return
	}
	if len(segs) > 1 || a.tree || !p.listed(first.Start, first.End) {
		b.level = len(segs) - 1
		b.pathStart, b.pathEnd = first.Start, last.End
		p.grow(segs)
	}
}

// listed begins the argument of one key, which is from offset start to offset
// end. It returns false where the list cannot
// tell that the key is new.
func (p *Parser) listed(start, end int) bool {
	a, b := &p.args, &p.b
	name := p.lex.Slice(start, end)
	args := p.argsType()
	var (
		typ   *sig.Type
		field *sig.Field
		known = true
	)
	if args == nil {
	} else if n := len(a.list); n < len(args.Fields) && args.Fields[n].Name == string(name) { // in the schema's order
		field = &args.Fields[n]
		typ = field.Type
	} else {
		typ, field, known = args.Property(name)
	}
	if field != nil && field.Index < 64 {
		bit := uint64(1) << field.Index
		if a.seen&bit != 0 {
			return false
		}
		a.seen |= bit
	} else {
		if len(a.list) > few {
			return false
		}
		for i := range a.list {
			if bytes.Equal(name, p.lex.Slice(p.seg.Start+a.list[i].nameFrom, p.seg.Start+a.list[i].nameTo)) {
				return false
			}
		}
	}
	sep := byte(',')
	if len(a.list) == 0 {
		sep = '{'
	}
	b.out = append(b.out, sep)
	b.pathStart, b.pathEnd = start, end
	from := len(b.out)
	if field != nil {
		b.out = append(b.out, field.JSONKey...)
	} else {
		b.out = append(b.out, '"')
		b.out = appendText(b.out, name)
		b.out = append(b.out, '"', ':')
	}
	a.add(start-p.seg.Start, end-p.seg.Start, from, len(b.out))
	if !known {
		b.report(lexer.UnknownArgument, string(shorten(name)), start)
	}
	b.slot = typ
	b.settle()
	return true
}

// plant turns the list into a tree.
func (p *Parser) plant() {
	a, b := &p.args, &p.b
	a.tree = true
	a.nodes = append(a.nodes, node{typ: p.argsType(), group: true, seen: a.seen})
	if len(a.list) == 0 {
		b.out = append(b.out, '{')
		return
	}
	root := &a.nodes[0]
	root.first, root.last = 1, int32(len(a.list))
	for i, arg := range a.list {
		id := int32(i + 1)
		d := node{nameFrom: arg.nameFrom, nameTo: arg.nameTo, keyFrom: arg.key, keyTo: arg.from, from: arg.from, to: len(b.out)}
		if i+1 < len(a.list) {
			d.to = a.list[i+1].key - len(",")
			d.next = id + 1
		}
		a.nodes = append(a.nodes, d)
		a.names.add(arg.nameFrom, arg.nameTo, 0, id)
	}
}

// grow begins the argument with the given path in the tree.
func (p *Parser) grow(segs []lexer.Token) {
	a, b := &p.args, &p.b
	at := segs[0].Start
	source := p.lex.Slice(p.seg.Start, segs[len(segs)-1].End)
	if !a.tree {
		p.plant()
	} else {
		a.nodes[a.leaf].to = len(b.out)
	}
	a.chain = a.chain[:0]
	group, unknown := int32(0), -1
	for i := 0; ; {
		n := declared(a.nodes[group].typ, source, segs[i:], p.seg.Start)
		from, to := segs[i].Start-p.seg.Start, segs[i+n-1].End-p.seg.Start
		i += n
		name := source[from:to]
		last := i == len(segs)
		typ, field, known := a.nodes[group].typ.Property(name)
		fresh := false
		if field != nil && field.Index < 64 {
			bit := uint64(1) << field.Index
			fresh = a.nodes[group].seen&bit == 0
			a.nodes[group].seen |= bit
		}
		var entry *keyEntry
		if !fresh {
			entry = a.names.find(source, group, name, 0)
		}
		if entry != nil {
			if n := &a.nodes[entry.node]; last && !n.group {
				b.fail(lexer.DuplicateKey, at)
				return
			} else if last || !n.group {
				b.fail(lexer.PathConflict, at)
				return
			}
			group = entry.node
			a.chain = append(a.chain, group)
			continue
		}
		if !known && unknown < 0 {
			unknown = to + p.seg.Start
		}
		id := int32(len(a.nodes))
		a.names.add(from, to, group, id)
		a.nodes = append(a.nodes, node{typ: typ, group: !last, parent: group, nameFrom: from, nameTo: to})
		if last {
			p.enter(source)
			p.writeKey(id, source)
			a.nodes[id].from = len(b.out)
			a.leaf = id
			b.slot = typ
			break
		}
		group = id
		a.chain = append(a.chain, group)
	}
	if unknown >= 0 {
		b.report(lexer.UnknownArgument, string(shorten(p.lex.Slice(at, unknown))), at)
	}
	b.settle()
}

// declared returns how many of the segments are the longest declared key of t:
// a property that contains a dot is matched as a whole.
//
// Rule: body.dotted-key.
func declared(t *sig.Type, source []byte, segs []lexer.Token, start int) int {
	if t == nil || !t.Dotted {
		return 1
	}
	for n := len(segs); n > 1; n-- {
		if t.Field(source[segs[0].Start-start:segs[n-1].End-start]) != nil {
			return n
		}
	}
	return 1
}

// enter makes the groups of the path the open ones of the output.
func (p *Parser) enter(source []byte) {
	a, b := &p.args, &p.b
	same := 0
	for same < len(a.open) && same < len(a.chain) && a.open[same] == a.chain[same] {
		same++
	}
	if same < len(a.open) {
		if !a.left {
			a.left = true
			b.holds++ // until the call ends: a later path may go back
		}
		for range a.open[same:] {
			b.out = append(b.out, '}')
		}
		a.open = a.open[:same]
	}
	for _, id := range a.chain[same:] {
		if a.nodes[id].keyTo != 0 {
			a.moved = true
		} else {
			p.writeKey(id, source)
			b.out = append(b.out, '{')
		}
		a.open = append(a.open, id)
	}
}

// writeKey writes the key of a node and links the node to its group.
func (p *Parser) writeKey(id int32, source []byte) {
	a, b := &p.args, &p.b
	d := &a.nodes[id]
	g := &a.nodes[d.parent]
	if g.last != 0 {
		b.out = append(b.out, ',')
		a.nodes[g.last].next = id
	} else {
		g.first = id
	}
	g.last = id
	d.keyFrom = len(b.out)
	b.out = append(b.out, '"')
	b.out = appendText(b.out, source[d.nameFrom:d.nameTo])
	b.out = append(b.out, '"', ':')
	d.keyTo = len(b.out)
}

// endArguments completes the input of a call whose close tag is at offset at.
func (p *Parser) endArguments(at int) {
	a, b := &p.args, &p.b
	b.pathEnd = 0
	switch {
	case b.exact:
		b.sure = len(b.out)
		return
	case !a.tree:
		if a.count == 0 {
			b.out = append(b.out, '{', '}')
		} else {
			b.out = append(b.out, '}')
		}
		b.sure = len(b.out)
		if t := p.argsType(); lacks(t, a.seen) {
			b.missing(t, a.seen, at, p.listHas)
		}
		return
	}
	a.nodes[a.leaf].to = len(b.out)
	for id := range a.nodes {
		if d := &a.nodes[id]; d.group && d.typ != nil {
			p.missingIn(int32(id), at)
		}
	}
	if a.moved {
		p.assemble()
	} else {
		for range a.open {
			b.out = append(b.out, '}')
		}
		b.out = append(b.out, '}')
	}
	b.sure = len(b.out)
}

// listHas reports whether the list has an argument for f.
func (p *Parser) listHas(f *sig.Field) bool {
	for _, arg := range p.args.list {
		if string(p.lex.Slice(p.seg.Start+arg.nameFrom, p.seg.Start+arg.nameTo)) == f.Name {
			return true
		}
	}
	return false
}

// missingIn records the required properties that the group id lacks.
//
// Rule: typing.missing.
func (p *Parser) missingIn(id int32, at int) {
	a, b := &p.args, &p.b
	d := &a.nodes[id]
	if !lacks(d.typ, d.seen) {
		return
	}
	source := p.lex.Slice(p.seg.Start, at)
	b.path = nil
	for g := id; g != 0; g = a.nodes[g].parent {
		path := append([]byte(nil), source[a.nodes[g].nameFrom:a.nodes[g].nameTo]...)
		if g != id {
			path = appendSegment(path, b.path)
		}
		b.path = path
	}
	b.missing(d.typ, d.seen, at, func(f *sig.Field) bool {
		return a.names.find(source, id, []byte(f.Name), 0) != nil
	})
}

// assemble writes the arguments again, in the order of the tree, behind what
// was written as the values came.
func (p *Parser) assemble() {
	a, b := &p.args, &p.b
	base := len(b.out)
	b.out = append(b.out, '{')
	for id := a.nodes[0].first; id != 0; {
		d := &a.nodes[id]
		b.out = append(b.out, b.out[d.keyFrom:d.keyTo]...)
		if d.group {
			b.out = append(b.out, '{')
			id = d.first
			continue
		}
		b.out = append(b.out, b.out[d.from:d.to]...)
		for id != 0 && a.nodes[id].next == 0 {
			b.out = append(b.out, '}')
			id = a.nodes[id].parent
		}
		if id != 0 {
			b.out = append(b.out, ',')
			id = a.nodes[id].next
		}
	}
	p.given += base - p.base // what was given out is a prefix of the new writing too
	p.base = base
}
