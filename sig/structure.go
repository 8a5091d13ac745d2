package sig

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// An enum can list arrays and objects. Each of these, and each value in them, gets a
// number when it is compiled, equal values the same one: an array is the numbers of
// its elements, an object those of its keys and values, in the order of the keys'.
// So a value is found from the inside out, in one look at each of its bytes, however
// many an enum lists and however large they are.

// structures are the values in the enums of one tool.
type structures struct {
	// ids has the number of each value, counted from 1, by its key: " and the
	// decoded text of a string; a number as AppendNumber spells it; null, true,
	// false; [ and {, and the numbers of what is inside.
	ids map[string]int32

	longest int // elements or members of one value
}

// number returns the number of the value with that key: 0 if there is none, and it
// does not grow.
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
	next := []int{0} // for each open value, what is next in it
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

// structureBuilder finds the number of a value from those of what is inside.
type structureBuilder struct {
	*structures
	grow bool // what has no number gets one

	opened []openStructure
	inside []inside // of all that are open
	key    []byte   // room for one
}

type openStructure struct {
	object bool
	first  int   // of inside
	key    int32 // the number of the member's key; 0: none is read
}

// inside is an element, or a member with its key.
type inside struct{ key, value int32 }

func (b *structureBuilder) open(object bool) {
	b.opened = append(b.opened, openStructure{object: object, first: len(b.inside)})
}

// scalar adds a key, or a value that is no array or object, by its key.
func (b *structureBuilder) scalar(key []byte) bool {
	return b.add(b.number(key, b.grow))
}

// add adds what has that number to the innermost open value. It returns false if no
// value has such inside.
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
