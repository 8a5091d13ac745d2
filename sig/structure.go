package sig

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// An enum can list arrays and objects. Compilation gives each of them, and each
// value in them, a number, and equal values the same one: an array is identified by
// the numbers of its elements, an object by those of its keys and values, sorted by
// key number. So a value is found from the inside out, reading each of its bytes
// once, no matter how many values an enum lists and how large they are.

// structures are the values in the enums of one tool.
type structures struct {
	// ids has the number of each value, counted from 1, by its key: " and the
	// decoded text of a string; a number as AppendNumber writes it; null, true,
	// false; [ or {, and the numbers of what is inside.
	ids map[string]int32

	longest int // most elements or members of one value
}

// number returns the number of the value with that key. If there is none, it
// assigns one if grow is set, and returns 0 otherwise.
func (s *structures) number(key []byte, grow bool) int32 {
	id := s.ids[string(key)]
	if id == 0 && grow {
		if s.ids == nil {
			s.ids = make(map[string]int32)
		}
		id = int32(len(s.ids) + 1)
		s.ids[string(key)] = id
	}
	return id
}

// add returns the number of v.
func (s *structures) add(v *value) int32 {
	b := structureBuilder{structures: s, grow: true}
	next := []int{0} // for each open value, the index of its next child
	for b.open(v.kind == Object); ; {
		n := &next[len(next)-1]
		var child *value
		switch {
		case *n < len(v.elements):
			child = v.elements[*n]
		case *n < len(v.members):
			b.key = append(append(b.key[:0], '"'), v.members[*n].key...)
			b.scalar(b.key)
			child = v.members[*n].value
		default:
			id := b.close()
			if next = next[:len(next)-1]; len(next) == 0 {
				return id
			}
			b.add(id)
			v = v.parent
			continue
		}
		*n++
		switch child.kind {
		case Array, Object:
			b.open(child.kind == Object)
			v, next = child, append(next, 0)
		case String:
			b.key = append(append(b.key[:0], '"'), child.text...)
			b.scalar(b.key)
		default:
			b.key = appendScalarKey(b.key[:0], child.raw)
			b.scalar(b.key)
		}
	}
}

// structureBuilder computes the number of a value from the numbers of its
// contents.
type structureBuilder struct {
	*structures
	grow bool // new values get a number

	opened []openStructure
	inside []inside // contents of all open values
	key    []byte   // reused
}

type openStructure struct {
	object bool
	first  int   // index of its contents in inside
	key    int32 // number of the current member's key; 0: not read yet
}

// inside is an element, or a member with its key.
type inside struct{ key, value int32 }

func (b *structureBuilder) open(object bool) {
	b.opened = append(b.opened, openStructure{object: object, first: len(b.inside)})
}

// scalar adds an object key or a scalar, by its key.
func (b *structureBuilder) scalar(key []byte) bool {
	return b.add(b.number(key, b.grow))
}

// add adds the value with that number to the innermost open value. It returns false
// if no known value can have these contents.
func (b *structureBuilder) add(id int32) bool {
	top := &b.opened[len(b.opened)-1]
	if top.object && top.key == 0 {
		top.key = id
	} else {
		b.inside = append(b.inside, inside{top.key, id})
		top.key = 0
	}
	return id != 0 && (b.grow || len(b.inside)-top.first <= b.longest)
}

// close ends the innermost open value and returns its number.
func (b *structureBuilder) close() int32 {
	top := b.opened[len(b.opened)-1]
	b.opened = b.opened[:len(b.opened)-1]
	list := b.inside[top.first:]
	b.inside = b.inside[:top.first]
	key := append(b.key[:0], '[')
	if top.object {
		key[0] = '{'
		slices.SortFunc(list, func(x, y inside) int { return cmp.Compare(x.key, y.key) })
	}
	for _, e := range list {
		if top.object {
			key = binary.AppendUvarint(key, uint64(e.key))
		}
		key = binary.AppendUvarint(key, uint64(e.value))
	}
	b.key = key
	if b.grow {
		b.longest = max(b.longest, len(list))
	}
	return b.number(key, b.grow)
}
