package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// arguments is what the paths of a call build. Values are written in the order
// in which they come. For nearly all calls it is enough to remember the groups
// that the last path went through: their keys are declared, so a set of bits
// tells which were met. A path that goes back into a group that was left, and a
// key that needs more than a look to be known as new, turn the arguments into a
// tree, which also puts the output into order at the end of the call.
type arguments struct {
	count   int        // arguments begun
	path    int        // offset of the path being read
	keys    int        // of that path, so far
	groups  []group    // those of the last path; groups[0] is the arguments object
	list    []argument // all arguments, while tree is false
	left    bool       // a group was left: it may be gone back to
	lacking bool       // and lacks a required property
	framed  bool       // they were written as one object, not by paths
	odd     int        // the number of the last one whose field is in no set of bits
	field   *sig.Field // and that field, nil if it is not declared

	tree     bool
	nodes    []node        // nodes[0] is the arguments object
	names    keyset        // keys of all groups, as spans of the call's source
	chain    []int32       // groups of the path being read
	open     []int32       // groups that are open in the output
	moved    bool          // a group was gone back to: the output is out of order
	leaf     int32         // the value being written
	values   []byte        // what was written before there was a tree
	segments []lexer.Token // keys of the path being read
}

// group is an object that paths build, all of whose keys so far are declared.
type group struct {
	typ  *sig.Type
	seen uint64 // the declared fields met, by index
	next int    // index of the field after the last one
	sep  byte   // before the next key: { or a comma
	from int    // source[from:to] is the path that leads to it, with its last dot
	to   int
}

// argument is one of the list.
type argument struct {
	nameFrom, nameTo int // the path in the call's source
	at               int // of the output, where the value before it ends
	from             int // of the output, where the value begins
}

func (a *arguments) reset() {
	if a.tree {
		a.tree, a.moved = false, false
		a.nodes, a.open = a.nodes[:0], a.open[:0]
		a.names.truncate(0)
	}
}

// add adds an argument to the list. It is filled in place, which is
// faster than to copy a new one.
func (a *arguments) add(nameFrom, nameTo, at, from int) {
	if n := len(a.list); n < cap(a.list) {
		a.list = a.list[:n+1]
	} else {
		a.list = append(a.list, argument{})
	}
	e := &a.list[len(a.list)-1]
	e.nameFrom, e.nameTo, e.at, e.from = nameFrom, nameTo, at, from
}

// shift moves all places in the output by n bytes.
func (a *arguments) shift(n int) {
	for i := range a.list {
		a.list[i].at += n
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
	b.lister.Shift(n)
}

// argument begins the argument whose path is from offset start to offset end,
// and has that many dots.
//
// Rule: body.path, error.duplicate-key, error.path-conflict.
func (p *Parser) argument(start, end, dots int) {
	a := &p.args
	if a.count == p.limits.Arguments {
		p.b.fail(lexer.TooManyArguments, start)
		return
	}
	p.located(start, end, dots)
	if from, to := start-p.seg.Start, end-p.seg.Start; a.tree || !p.listed(from, to, dots) {
		p.insert(from, to)
	}
}

// latest returns the field of the argument that was begun last, nil where it is not
// declared or there is a tree.
func (a *arguments) latest() *sig.Field {
	switch {
	case a.tree || a.count == 0:
		return nil
	case a.odd == a.count:
		return a.field
	}
	g := &a.groups[len(a.groups)-1]
	return &g.typ.Fields[g.next-1]
}

// located says where the path of the argument that begins is, and how many dots it has.
func (p *Parser) located(start, end, dots int) {
	b := &p.b
	p.args.count++
	b.level = dots
	b.pathStart, b.pathEnd = start, end
	p.last = 0
}

// listed begins the argument whose path is source[from:to] and has that many
// dots. It returns false where the list cannot tell that it is new; there is a
// tree then.
func (p *Parser) listed(from, to, dots int) bool {
	a, b := &p.args, &p.b
	source := p.lex.Slice(p.seg.Start, p.seg.Start+to)
	at := len(b.out)
	nameFrom := from
	if dots > 0 || len(a.groups) > 1 {
		if from = p.enter(source, from, dots); from < 0 {
			p.buildTree(at)
			return false
		}
	}
	name := source[from:]
	field, ok := p.fresh(source, name, dots)
	if !ok {
		p.buildTree(at)
		return false
	}
	p.put(field, name, nameFrom, to, at)
	return true
}

// fresh reports whether the list can tell that no argument before has the name,
// in the last group, and returns the field of that name, if it is declared.
func (p *Parser) fresh(source, name []byte, dots int) (field *sig.Field, ok bool) {
	a := &p.args
	g := &a.groups[len(a.groups)-1]
	field = g.field(name)
	switch {
	case field != nil && field.Index < 64:
		return field, g.seen&(1<<field.Index) == 0
	case dots > 0 || len(a.list) > few:
		return nil, false
	}
	for i := range a.list {
		if e := &a.list[i]; bytes.Equal(name, source[e.nameFrom:e.nameTo]) {
			return nil, false
		}
	}
	return field, true
}

// put begins the argument of the name that fresh has judged; its path is
// source[from:to], and the output before it ends at index at.
func (p *Parser) put(field *sig.Field, name []byte, from, to, at int) {
	a, b := &p.args, &p.b
	g := &a.groups[len(a.groups)-1]
	if field != nil && field.Index < 64 {
		g.meet(field)
		b.out = appendShort(append(b.out, g.sep), field.JSONKey)
		b.slot = field.Type
	} else {
		typ, _, known := g.typ.Property(name)
		a.odd, a.field = a.count, field
		if !known {
			p.plain = false
			b.report(Issue{Code: lexer.UnknownArgument, Path: string(shorten(name)), At: p.seg.Start + to - len(name)})
			if p.opts.Salvage && len(a.groups) == 1 && oddKey(name) {
				p.suspect(len(b.out), p.seg.Start+from, 0)
			}
		}
		b.out = append(lexeme.AppendQuoted(append(b.out, g.sep), name), ':')
		b.slot = typ
	}
	g.sep = ','
	a.add(from, to, at, len(b.out))
	b.commit()
}

// meet marks the field as met.
func (g *group) meet(field *sig.Field) {
	g.seen |= 1 << field.Index
	g.next = field.Index + 1
}

// expects returns the field after the last one.
func (g *group) expects() *sig.Field { return &g.typ.Fields[g.next] }

// field returns the field of that name, which is most often the one after the
// last one.
func (g *group) field(name []byte) *sig.Field {
	if g.typ == nil {
		return nil
	}
	if g.next < len(g.typ.Fields) {
		if f := &g.typ.Fields[g.next]; f.Name == string(name) {
			return f
		}
	}
	return g.typ.Field(name)
}

// enter makes the groups of the path that begins at source[from], and has that
// many dots, the open ones. It returns where its last key begins, and -1 where
// the key of a group is not declared or that group was left.
func (p *Parser) enter(source []byte, from, dots int) int {
	a := &p.args
	path := source[from:]
	n, at := 1, 0
	if g := &a.groups[len(a.groups)-1]; len(path) > g.to-g.from && string(path[:g.to-g.from]) == string(source[g.from:g.to]) {
		n, at = len(a.groups), g.to-g.from // the group of the last argument, as most often
	} else {
		for ; n < len(a.groups); n++ {
			g := &a.groups[n]
			k := g.to - g.from
			if len(path) <= k || string(path[at:k]) != string(source[g.from+at:g.to]) {
				break
			}
			at = k
		}
		p.leave(n)
	}
	for ; n <= dots; n++ {
		dot := at + bytes.IndexByte(path[at:], '.')
		g := &a.groups[len(a.groups)-1]
		field := g.field(path[at:dot])
		if field == nil || g.typ.Dotted || !builds(field) || field.Index >= 64 || g.seen&(1<<field.Index) != 0 {
			return -1
		}
		at = dot + 1
		p.begins(field, from, from+at)
	}
	return from + at
}

// leave ends the open groups from groups[n] on.
func (p *Parser) leave(n int) {
	a, b := &p.args, &p.b
	if n == len(a.groups) {
		return
	}
	if !a.left {
		a.left = true
		b.holds++ // until the call ends: a later path may go back
	}
	for i := len(a.groups) - 1; i >= n; i-- {
		a.lacking = a.lacking || lacks(a.groups[i].typ, a.groups[i].seen)
		b.out = append(b.out, '}')
	}
	a.groups = a.groups[:n]
}

// builds reports whether paths can build the property as a group of its own, as far as
// the list can tell.
func builds(f *sig.Field) bool { return f.Type != nil && f.Type.Free&sig.Object != 0 }

// begins opens the group of the field in the open one; source[from:to] is the
// path that leads to it, with its last dot.
func (p *Parser) begins(field *sig.Field, from, to int) {
	a, b := &p.args, &p.b
	g := &a.groups[len(a.groups)-1]
	g.meet(field)
	b.out = append(append(b.out, g.sep), field.JSONKey...)
	g.sep = ','
	a.groups = append(a.groups, group{typ: field.Type, sep: '{', from: from, to: to})
}

// endArguments completes the input of a call whose close tag is at offset at.
func (p *Parser) endArguments(at int) {
	a, b := &p.args, &p.b
	b.pathEnd = 0
	switch {
	case b.exact || a.framed:
		b.sure = len(b.out)
		return
	case !a.tree:
		if !p.lacking() {
			if a.count == 0 {
				b.out = append(b.out, '{')
			}
			for range a.groups {
				b.out = append(b.out, '}')
			}
			b.sure = len(b.out)
			return
		}
		p.buildTree(len(b.out))
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

// lacking reports whether some group of the list may lack a required property.
func (p *Parser) lacking() bool {
	a := &p.args
	lacking := a.lacking
	for i := range a.groups {
		lacking = lacking || lacks(a.groups[i].typ, a.groups[i].seen)
	}
	return lacking
}
