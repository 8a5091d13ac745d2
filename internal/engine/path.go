package engine

import (
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// arguments is the object that the paths of a call build: groups, and values in them. Values
// are written in the order in which they come, so that they can be emitted. If a path goes back
// into a closed group, the output repeats the key of that group; appendMerged puts it into order
// at the end of the call.
//
// Invariants:
//   - groups[0] is the arguments object, and open are the groups that are open in the output,
//     outermost first
//   - present has a bit for each declared field below 64 in it; keys has all other
//     keys, and those of all groups
type arguments struct {
	leaves []leaf // of the plan; nil if none is expected
	next   int    // index of the leaf that is expected next
	count  int    // arguments so far
	groups []group
	open   []int32
	inner  *group // the innermost open one

	key, keyEnd int  // out[key:keyEnd] is the key of the last argument with a path
	closed      bool // a group was closed: a later path may reopen it
	reopened    bool // one did: the output repeats keys
}

// group is an object that paths build.
type group struct {
	members
	sep         byte // what its next key comes after: a brace, or a comma
	parent      int32
	node        int // index in the plan, or none
	key, keyEnd int // out[key:keyEnd] is its key
}

// push opens a new group of type t, and returns its number.
func (s *arguments) push(t *sig.Type, parent int32, node, key, keyEnd int) int32 {
	id := int32(len(s.groups))
	s.open = append(s.open, id)
	s.groups = append(double(s.groups), group{
		members: members{typ: t, owner: id}, sep: '{',
		parent: parent, node: node, key: key, keyEnd: keyEnd,
	})
	s.inner = &s.groups[id]
	return id
}

// Path implements [lex.Handler].
func (a *Assembler) Path(path []byte, at, dots int) {
	d := a.draft
	if d.fault != "" {
		return
	}
	d.argument(path, at, dots)
}

// argument begins the argument with that path. If dots is negative, the path is one key.
func (d *draft) argument(path []byte, at, dots int) {
	d.level = max(dots, 0)
	if d.count == d.config.limits.Arguments {
		d.fail(lexer.TooManyArguments, at)
		return
	}
	d.commitTo(len(d.out))
	for i := d.next; i < len(d.leaves); i++ {
		l := &d.leaves[i]
		if l.dots == d.level && l.name() == string(path) {
			if d.beginLeaf(l) {
				d.next = i + 1
				d.await(l)
				d.commit()
				return
			}
			break
		}
	}
	d.count++
	d.resolve(path, at, dots)
}

// resolve finds the place of an argument in the groups. It writes the keys, opens new groups,
// and records what the schema does not declare.
func (d *draft) resolve(path []byte, at, dots int) {
	unknown, misfit := -1, -1 // where the first key of that kind ends, or -1
	var wanted *sig.Type      // at misfit
	for id, from, last := int32(0), 0, false; !last; {
		g := &d.groups[id]
		name := path[from:]
		if dots > 0 {
			name = name[:repair.FirstKey(g.typ, name)]
		}
		to := from + len(name)
		last = to == len(path)
		from = to + 1
		typ, field, known := g.typ.Property(name)
		key := keyOf(field)
		if key == nil {
			d.scratch = lexeme.AppendQuoted(d.scratch[:0], name)
			key = d.scratch
		}
		child, seen := d.find(&g.members, field, key)
		switch {
		case seen && last && child == none:
			d.fail(lexer.DuplicateKey, at)
			return
		case seen && (last || child == none):
			d.fail(lexer.PathConflict, at)
			return
		case seen:
			id = child
			continue
		}
		if !known && unknown < 0 {
			unknown = to
		}
		d.enter(id)
		d.writeKey(g, field, name)
		if last {
			d.add(&g.members, field, d.key, d.keyEnd, none)
			d.next = 0 // they come in another order
			d.typ, d.field = typ, field
			d.commit()
			continue
		}
		node := d.plan.child(g.node, field)
		d.add(&g.members, field, d.key, d.keyEnd, int32(len(d.groups)))
		id = d.push(typ, id, node, d.key, d.keyEnd)
		if misfit < 0 && typ.Restricts() && typ.Kinds&sig.Object == 0 {
			misfit, wanted = to, typ
		}
	}
	if misfit >= 0 {
		d.report(lexer.TypeMismatch, string(shorten(path[:misfit])), at, wanted)
	}
	if unknown >= 0 {
		d.report(lexer.UnknownArgument, string(shorten(path[:unknown])), at, nil)
	}
}

// enter makes a group the innermost open one. It opens closed groups again.
func (d *draft) enter(id int32) {
	n := slices.Index(d.open, id)
	if n >= 0 {
		d.leave(n + 1)
		return
	}
	g := &d.groups[id]
	d.enter(g.parent)
	d.beginKey(d.inner)
	d.out = append(append(d.out, d.out[g.key:g.keyEnd]...), ':')
	d.open, d.inner = append(d.open, id), g
	g.sep, d.reopened = '{', true
}

// beginKey writes what separates a key in g, which is the innermost open group, from what is
// before it.
func (d *draft) beginKey(g *group) {
	d.out = append(d.out, g.sep)
	g.sep = ','
}

// writeKey writes a key in g, which is the innermost open group.
func (d *draft) writeKey(g *group, field *sig.Field, name []byte) {
	d.beginKey(g)
	d.key = len(d.out)
	d.appendKey(field, name)
	d.keyEnd = len(d.out) - 1
}

// appendKey appends a key with a colon. The field is nil if the schema does not declare it.
func (d *draft) appendKey(field *sig.Field, name []byte) {
	if field != nil {
		d.out = append(d.out, field.JSONKey...)
	} else {
		d.out = append(lexeme.AppendQuoted(d.out, name), ':')
	}
}

// leave closes the open groups from open[n] on.
func (d *draft) leave(n int) {
	if n == len(d.open) {
		return
	}
	if !d.closed {
		d.closed = true
		d.commit()
		d.uncertain++ // until the call ends
	}
	for range d.open[n:] {
		d.out = append(d.out, '}')
	}
	d.open, d.inner = d.open[:n], &d.groups[d.open[n-1]]
}

// completeGroup completes a group at offset at.
func (d *draft) completeGroup(id int32, at int) {
	g := &d.groups[id]
	d.complete(&g.members, d.appendGroupPath(nil, id), at, func(f *sig.Field) {
		d.enter(id)
		d.writeKey(g, f, nil)
		d.add(&g.members, f, d.key, d.keyEnd, none)
		d.out = append(d.out, "null"...)
	})
}

// appendMerged appends the members of JSON objects as one object, and likewise those of objects in
// it. Members with the same key are objects, and become one in the place of the first.
func appendMerged(dst []byte, objects ...[]byte) []byte {
	var keys []string
	values := map[string][][]byte{}
	for _, o := range objects {
		for _, m := range rawjson.ParseObject(o) {
			if values[m.Key] == nil {
				keys = append(keys, m.Key)
			}
			values[m.Key] = append(values[m.Key], m.Value)
		}
	}
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(lexeme.AppendQuoted(dst, key), ':')
		if same := values[key]; same[0][0] == '{' {
			dst = appendMerged(dst, same...)
		} else {
			dst = append(dst, same[0]...)
		}
	}
	return append(dst, '}')
}

// appendGroupPath appends the path of a group, or as much of it as an issue can have.
func (d *draft) appendGroupPath(dst []byte, id int32) []byte {
	g := &d.groups[id]
	if id == 0 {
		return dst
	}
	dst = d.appendGroupPath(dst, g.parent)
	if len(dst) > maxPath {
		return dst
	}
	if g.parent != 0 {
		dst = append(dst, '.')
	}
	return appendKey(dst, d.out[g.key:g.keyEnd])
}
