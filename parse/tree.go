package parse

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// The tree of arguments answers what their list cannot: whether a key that
// nothing declares is new, whether a path goes back into a group that was left,
// and what is missing where. It costs several times as much.

// node is a value or a group of the tree.
type node struct {
	typ              *sig.Type
	group            bool
	parent           int32
	first, last      int32  // children of a group; 0 for none
	next             int32  // the next child of the same group; 0 for none
	keyFrom, keyTo   int    // the key in the output, colon included; 0, 0 before it is written
	from, to         int    // the value in the output
	pathFrom         int    // where the path that made it begins in the call's source
	nameFrom, nameTo int    // the key there
	seen             uint64 // of a group: the declared fields met, by index
	late             bool   // one was met that seen is too small for
}

// buildTree turns the list into a tree, by writing it again: the output is the same.
// It ends at out[:end] now.
func (p *Parser) buildTree(end int) {
	a, b := &p.args, &p.b
	p.plain = false
	a.values = append(a.values[:0], b.out[p.base:end]...)
	b.out = append(b.out[:p.base], '{')
	if a.left {
		a.left = false
		b.holds--
	}
	issues, left, sure := b.issues, b.left, b.sure
	a.tree, a.leaf = true, 0
	a.nodes = append(a.nodes, node{typ: p.argsType(), group: true})
	for i := range a.list {
		arg := &a.list[i]
		to := end
		if i+1 < len(a.list) {
			to = a.list[i+1].at
		}
		p.insert(arg.nameFrom, arg.nameTo)
		b.out = append(b.out, a.values[arg.from-p.base:to-p.base]...)
		b.commit()
	}
	b.issues, b.left, b.sure = issues, left, max(sure, b.sure)
}

// keysOf appends the keys of the path from index from to index to of the source.
func (p *Parser) keysOf(dst []lexer.Token, from, to int) []lexer.Token {
	source := p.lex.Slice(p.seg.Start, p.seg.Start+to)
	for i := from; i <= to; i++ {
		if i == to || source[i] == '.' {
			dst = append(dst, lexer.Token{Kind: lexer.Key, Start: p.seg.Start + from, End: p.seg.Start + i})
			from = i + 1
		}
	}
	return dst
}

// insert begins the argument with the path source[from:to] in the tree.
func (p *Parser) insert(from, to int) {
	a, b := &p.args, &p.b
	a.segments = p.keysOf(a.segments[:0], from, to)
	segs := a.segments
	at := segs[0].Start
	source := p.lex.Slice(p.seg.Start, segs[len(segs)-1].End)
	a.nodes[a.leaf].to = len(b.out)
	a.chain = a.chain[:0]
	group, unknown, misfit := int32(0), -1, -1
	var wanted *sig.Type // where misfit is
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
		} else if field != nil {
			a.nodes[group].late = true
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
		a.nodes = append(double(a.nodes), node{typ: typ, group: !last, parent: group, pathFrom: at - p.seg.Start, nameFrom: from, nameTo: to})
		if last {
			p.openChain(source)
			p.writeKey(id, source)
			a.nodes[id].from = len(b.out)
			a.leaf = id
			b.slot = typ
			break
		}
		if misfit < 0 && typ.Says() && typ.Kinds&sig.Object == 0 {
			misfit, wanted = to+p.seg.Start, typ
		}
		group = id
		a.chain = append(a.chain, group)
	}
	if misfit >= 0 { // an object is built where the schema wants none
		b.report(Issue{Code: lexer.TypeMismatch, Path: string(shorten(p.lex.Slice(at, misfit))), At: at, Type: wanted})
	}
	if unknown >= 0 {
		b.report(Issue{Code: lexer.UnknownArgument, Path: string(shorten(p.lex.Slice(at, unknown))), At: at})
	}
	b.commit()
}

// declared returns how many of the segments are the longest declared key of t:
// a property that contains a dot is matched as a whole.
//
// Rule: typing.dotted-key.
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

// openChain makes the groups of the path the open ones of the output.
func (p *Parser) openChain(source []byte) {
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
	b.out = lexeme.AppendText(b.out, source[d.nameFrom:d.nameTo])
	b.out = append(b.out, '"', ':')
	d.keyTo = len(b.out)
}

// missingIn records the required properties that the group id lacks.
//
// Rule: issue.missing-argument.
func (p *Parser) missingIn(id int32, at int) {
	a, b := &p.args, &p.b
	d := &a.nodes[id]
	if !lacks(d.typ, d.seen) {
		return
	}
	if id != 0 {
		b.pathStart, b.pathEnd = p.seg.Start+d.pathFrom, p.seg.Start+d.nameTo
	}
	var has func(*sig.Field) bool
	if source := p.lex.Slice(p.seg.Start, at); d.late {
		has = func(f *sig.Field) bool { return a.names.find(source, id, []byte(f.Name), 0) != nil }
	}
	b.missing(d.typ, d.seen, at, has)
}

// assemble writes the arguments again, in the order of the tree, after what
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
