package engine

import "github.com/callwire/callwire/internal/lexeme"

// merger joins the members of an object that are objects and have the same key.
type merger struct {
	scanner scanner
	members []member // members[0] is the object itself
	keys    keyset
}

// member is a member of an object: text[key:keyEnd] is its key, and text[from:to] its value
// unless that is an object.
type member struct {
	parent, next, first, last int32 // indexes in members; 0 for none
	object                    bool
	key, keyEnd, from, to     int
}

// append appends the object text with members joined in the place of the first of them.
func (m *merger) append(dst, text []byte) []byte {
	m.read(text)
	dst = append(dst, '{')
	for id := m.members[0].first; id != 0; {
		n := &m.members[id]
		dst = append(append(dst, text[n.key:n.keyEnd]...), ':')
		switch {
		case n.first != 0:
			dst = append(dst, '{')
			id = n.first
			continue
		case n.object:
			dst = append(dst, '{', '}')
		default:
			dst = append(dst, text[n.from:n.to]...)
		}
		for id != 0 && m.members[id].next == 0 {
			dst = append(dst, '}')
			id = m.members[id].parent
		}
		if id != 0 {
			dst = append(dst, ',')
			id = m.members[id].next
		}
	}
	return dst
}

// read builds the tree of text, which is a valid object except for repeated keys.
func (m *merger) read(text []byte) {
	s := &m.scanner
	s.Depth, s.Unpaired = len(text), true
	s.Reset(text)
	m.members = append(m.members[:0], member{object: true})
	m.keys.truncate(0)
	id, brackets := int32(0), 0
	s.Next()
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		n := &m.members[id]
		switch {
		case brackets > 0: // arrays are copied whole
			switch t.Kind {
			case '[', '{':
				brackets++
			case ']', '}':
				if brackets--; brackets == 0 {
					n.to, id = t.End, n.parent
				}
			}
		case t.Kind == 'k':
			id = m.member(text, id, t)
		case t.Kind == '{':
			n.object = true
		case t.Kind == '[':
			brackets, n.from = 1, t.Start
		case t.Kind == '}':
			id = n.parent
		default:
			n.from, n.to, id = t.Start, t.End, n.parent
		}
	}
}

// member returns the member of an object with the key t. It adds one if there is none.
func (m *merger) member(text []byte, parent int32, t lexeme.JSONToken) int32 {
	if e := m.keys.find(text, parent, text[t.Start:t.End], 0); e != nil {
		return e.group
	}
	id := int32(len(m.members))
	m.members = append(double(m.members), member{parent: parent, key: t.Start, keyEnd: t.End})
	m.keys.add(t.Start, t.End, parent, id)
	if p := &m.members[parent]; p.last != 0 {
		m.members[p.last].next = id
		p.last = id
	} else {
		p.first, p.last = id, id
	}
	return id
}
