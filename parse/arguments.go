package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// arguments is what the paths of a call build: a tree of groups and values. Values are
// written in the order in which they come, so that they stream. If a path goes back
// into a group that was left, the output is put into order at the end of the call.
type arguments struct {
	count  int  // arguments begun
	path   int  // offset of the path being read
	keys   int  // of that path, so far
	framed bool // they were written as one object, not by paths

	nodes []node     // nodes[0] is the arguments object
	open  []int32    // the groups that are open in the output, outermost first
	leaf  int32      // the value being written; 0 before the first one
	field *sig.Field // of that value, nil if it is not declared
	begun int        // where its argument begins in the input, as it was written
	left  bool       // a group was left: a later path may go back
	moved bool       // one did: the output is out of order

	names keyset // the keys of nodes[1:named], as spans of the call's source
	named int
}

// node is a value or a group.
type node struct {
	parent, next       int32 // its group, and the next child of that; 0 for none
	group              bool
	key, keyEnd        int // source[key:keyEnd] is its key
	valueFrom, valueTo int // of a value: where it is in the input, as it was written

	// Of a group:
	typ         *sig.Type
	path        int    // source[path:keyEnd] is the path that made it
	level       int    // dots in the path to its children
	first, last int32  // its children; 0 for none
	seen        uint64 // the declared fields met, by index
	late        bool   // one was met that seen is too small for
	expects     int    // index of the field after the last one
}

// reset forgets all arguments; those to come have the schema that name sets.
func (a *arguments) reset() {
	a.count, a.keys = 0, 0
	if cap(a.nodes) == 0 {
		a.nodes, a.open = make([]node, 1, 4), make([]int32, 1, 4)
		a.nodes[0].group = true
	}
	a.nodes = a.nodes[:1]
	root := &a.nodes[0]
	root.typ, root.seen, root.expects, root.first, root.last, root.late = nil, 0, 0, 0, 0, false
	a.open = a.open[:1]
	a.leaf, a.left, a.moved = 0, false, false
	if a.named > 1 {
		a.names.truncate(0)
	}
	a.named = 1
}

// find returns the child of a group that has the name, 0 if there is none. The keys of
// all nodes are entered only when it is first called: for most calls the bits of seen
// are enough.
func (a *arguments) find(source []byte, group int32, name []byte) (id int32) {
	for ; a.named < len(a.nodes); a.named++ {
		d := &a.nodes[a.named]
		a.names.add(d.key, d.keyEnd, d.parent, int32(a.named))
	}
	if e := a.names.find(source, group, name, 0); e != nil {
		id = e.node
	}
	return id
}

// meet marks a field as met, and reports whether it is known to be new.
func (g *node) meet(f *sig.Field) (fresh bool) {
	switch {
	case f == nil:
		return false
	case f.Index >= 64:
		g.late = true
		return false
	}
	bit := uint64(1) << f.Index
	fresh = g.seen&bit == 0
	g.seen |= bit
	g.expects = f.Index + 1
	return fresh
}

// located says where the path of the argument that begins is, and how many dots it has.
func (p *Parser) located(start, end, dots int) {
	b := &p.b
	p.args.count++
	b.level = dots
	b.pathStart, b.pathEnd = start, end
	p.holdFrom(unlimited)
}

// argument begins the argument whose path is from offset start to offset end,
// and has that many dots.
//
// Rule: body.path, error.duplicate-key, error.path-conflict.
func (p *Parser) argument(start, end, dots int) {
	a, b := &p.args, &p.b
	if a.count == p.limits.Arguments {
		b.fail(lexer.TooManyArguments, start)
		return
	}
	p.located(start, end, dots)
	source := p.lex.Slice(p.seg.Start, end)
	path, at := start-p.seg.Start, len(b.out)
	unknown, misfit := 0, 0
	var wanted *sig.Type // where misfit is
	for from, depth := path, 1; ; depth++ {
		id := a.open[depth-1]
		g := &a.nodes[id]
		to := from + keyLen(g.typ, source[from:])
		name, last := source[from:to], to == len(source)
		if !last && depth < len(a.open) {
			if d := &a.nodes[a.open[depth]]; string(name) == string(source[d.key:d.keyEnd]) {
				from = to + 1 // as most often
				continue
			}
		}
		field := g.typ.Field(name)
		if !g.meet(field) {
			if id := a.find(source, id, name); id != 0 {
				switch group := a.nodes[id].group; {
				case last && !group:
					b.fail(lexer.DuplicateKey, start)
					return
				case last || !group:
					b.fail(lexer.PathConflict, start)
					return
				}
				p.leave(depth)
				a.open, a.moved = append(a.open, id), true
				from = to + 1
				continue
			}
		}
		var typ *sig.Type
		if field != nil {
			typ = field.Type
		} else {
			var known bool
			if typ, _, known = g.typ.Property(name); !known && unknown == 0 {
				unknown = to
				if p.opts.Salvage && last && depth == 1 && oddKey(name) {
					p.suspect(at, start, 0)
				}
			}
		}
		p.leave(depth)
		p.begins(field, name, from, to)
		if last {
			p.value(field, typ, at)
			break
		}
		p.enter(typ, path, bytes.Count(source[path:to], []byte{'.'})+1)
		if misfit == 0 && typ.Says() && typ.Kinds&sig.Object == 0 { // an object is built where the schema wants none
			misfit, wanted = to, typ
		}
		from = to + 1
	}
	if misfit > 0 {
		p.plain = false
		b.report(Issue{Code: lexer.TypeMismatch, Path: string(shorten(source[path:misfit])), At: start, Type: wanted})
	}
	if unknown > 0 {
		p.plain = false
		b.report(Issue{Code: lexer.UnknownArgument, Path: string(shorten(source[path:unknown])), At: start})
	}
}

// keyLen returns the length of the first key of a path in an object of type t: the
// longest that is declared where declared keys hold dots, else that up to the first dot.
//
// Rule: typing.dotted-key.
func keyLen(t *sig.Type, path []byte) int {
	if t != nil && t.Dotted {
		for n := len(path); n > 0; n = bytes.LastIndexByte(path[:n], '.') {
			if t.Field(path[:n]) != nil {
				return n
			}
		}
	}
	if n := bytes.IndexByte(path, '.'); n >= 0 {
		return n
	}
	return len(path)
}

// begins writes a key in the open group, and adds its node: the name of the field, or of
// what is not declared. It is source[from:to].
func (p *Parser) begins(field *sig.Field, name []byte, from, to int) {
	a, b := &p.args, &p.b
	id, parent := int32(len(a.nodes)), a.open[len(a.open)-1]
	g := &a.nodes[parent]
	sep := byte('{')
	if g.last != 0 {
		sep = ','
		a.nodes[g.last].next = id
	} else {
		g.first = id
	}
	g.last = id
	b.out = append(b.out, sep)
	if field != nil {
		b.out = append(b.out, field.JSONKey...)
	} else {
		b.out = append(lexeme.AppendQuoted(b.out, name), ':')
	}
	a.nodes = double(a.nodes)[:id+1] // filled in place, which is faster than to copy a new one
	d := &a.nodes[id]
	d.parent, d.next, d.group, d.key, d.keyEnd = parent, 0, false, from, to
}

// enter makes the node that was added last a group of type t, and the open one. The path
// to it begins at source[path].
func (p *Parser) enter(t *sig.Type, path, level int) {
	a := &p.args
	id := len(a.nodes) - 1
	d := &a.nodes[id]
	d.typ, d.seen, d.expects, d.first, d.last, d.level, d.late, d.group, d.path = t, 0, 0, 0, 0, level, false, true, path
	a.open = append(a.open, int32(id))
}

// value begins the value of the argument whose key is written, under typ; before the
// argument the output ended at index at.
func (p *Parser) value(field *sig.Field, typ *sig.Type, at int) {
	a, b := &p.args, &p.b
	a.nodes[a.leaf].valueTo = at - p.base
	a.leaf = int32(len(a.nodes) - 1)
	a.nodes[a.leaf].valueFrom = len(b.out) - p.base
	a.field, a.begun = field, at-p.base
	b.slot = typ
	b.commit()
}

// leave ends the open groups from open[n] on.
func (p *Parser) leave(n int) {
	a, b := &p.args, &p.b
	if n == len(a.open) {
		return
	}
	if !a.left {
		a.left = true
		b.holds++ // until the call ends: a later path may go back
	}
	for range a.open[n:] {
		b.out = append(b.out, '}')
	}
	a.open = a.open[:n]
}

// expected begins the argument whose path is at source[i], if it is the one that most
// probably comes next: the next property of an open group, or the first one of a group
// that begins there. It returns the index after the path, or 0 if it changed nothing. It
// saves the search for the end of the path and for the property: a sixth of the time of
// a call, a third for one with groups.
func (p *Parser) expected(source []byte, i int) (end int) {
	a := &p.args
	if a.count >= p.limits.Arguments {
		return 0
	}
	n, at := len(a.open)-1, i
	for ; n > 0; n-- {
		if g := &a.nodes[a.open[n]]; bytes.HasPrefix(source[i:], source[g.path:g.keyEnd+1]) {
			at += g.keyEnd + 1 - g.path
			break
		}
	}
	g := &a.nodes[a.open[n]]
	path, level := at, g.level
	for t, next, seen := g.typ, g.expects, g.seen; ; level++ {
		if t == nil || next >= min(len(t.Fields), 64) || seen>>next&1 != 0 {
			return 0
		}
		f := &t.Fields[next]
		if begins(source[at:], f, '=') {
			break
		}
		if level == p.limits.Depth || t.Dotted || !begins(source[at:], f, '.') || f.Type == nil || f.Type.Free&sig.Object == 0 {
			return 0
		}
		at += len(f.Name) + 1
		t, next, seen = f.Type, 0, 0
	}
	before := len(p.b.out)
	if n+1 < len(a.open) {
		p.leave(n + 1)
	}
	for {
		f := &g.typ.Fields[g.expects]
		g.seen |= 1 << g.expects
		g.expects++
		end = path + len(f.Name)
		p.begins(f, nil, path, end)
		if path == at {
			p.located(p.seg.Start+i, p.seg.Start+end, level)
			p.value(f, f.Type, before)
			return end
		}
		path = end + 1
		p.enter(f.Type, i, g.level+1)
		g = &a.nodes[len(a.nodes)-1]
	}
}

// begins reports whether w begins with the name of the field, which is plain, and after.
func begins(w []byte, f *sig.Field, after byte) bool {
	n := len(f.Name)
	return n < len(w) && w[n] == after && f.Plain && string(w[:n]) == f.Name
}

// endArguments completes the input of a call whose close tag is at offset at.
func (p *Parser) endArguments(at int) {
	a, b := &p.args, &p.b
	b.pathEnd = 0
	if !b.exact && !a.framed {
		a.nodes[a.leaf].valueTo = len(b.out) - p.base
		for id := range a.nodes {
			p.missingIn(int32(id), at)
		}
		switch {
		case a.count == 0:
			b.out = append(b.out, '{', '}')
		case a.moved:
			p.assemble(p.lex.Slice(p.seg.Start, at))
		default:
			for range a.open {
				b.out = append(b.out, '}')
			}
		}
	}
	b.sure = len(b.out)
}

// missingIn records the required properties that the node id lacks, if it is a group.
//
// Rule: issue.missing-argument.
func (p *Parser) missingIn(id int32, at int) {
	a, b := &p.args, &p.b
	d := &a.nodes[id]
	if !d.group || !lacks(d.typ, d.seen) {
		return
	}
	if id != 0 {
		b.pathStart, b.pathEnd = p.seg.Start+d.path, p.seg.Start+d.keyEnd
	}
	var has func(*sig.Field) bool
	if source := p.lex.Slice(p.seg.Start, at); d.late {
		has = func(f *sig.Field) bool {
			return a.find(source, id, []byte(f.Name)) != 0
		}
	}
	b.missing(d.typ, d.seen, at, has)
}

// assemble writes the arguments again, in the order of the tree, after what
// was written as the values came.
func (p *Parser) assemble(source []byte) {
	a, b := &p.args, &p.b
	base := len(b.out)
	b.out = append(b.out, '{')
	for id := a.nodes[0].first; id != 0; {
		d := &a.nodes[id]
		b.out = append(lexeme.AppendQuoted(b.out, source[d.key:d.keyEnd]), ':')
		if d.group {
			b.out = append(b.out, '{')
			id = d.first
			continue
		}
		b.out = append(b.out, b.out[p.base+d.valueFrom:p.base+d.valueTo]...)
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
