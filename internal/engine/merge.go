package engine

// merged is an object in which members that are objects and have the same key are joined. Keys and
// values are JSON text.
type merged struct {
	members []mergedMember
	byKey   map[string]int // index in members
}

// mergedMember is a member with a value, or with an object.
type mergedMember struct {
	key, value []byte
	object     *merged
}

// readMerged reads the object whose brace s has read. It is valid except for repeated keys.
func readMerged(s *scanner, m *merged) *merged {
	if m == nil {
		m = &merged{byKey: map[string]int{}}
	}
	for t := s.Next(); t.Kind == 'k'; t = s.Next() {
		key := s.Text[t.Start:t.End]
		i, found := m.byKey[string(key)]
		if !found {
			i = len(m.members)
			m.byKey[string(key)] = i
			m.members = append(m.members, mergedMember{key: key})
		}
		if t = s.Next(); t.Kind == '{' {
			object := readMerged(s, m.members[i].object)
			m.members[i].object = object
		} else {
			m.members[i].value = s.Text[t.Start:endOf(s, t)]
		}
	}
	return m
}

// append appends the object, each member in the place of the first one with its key.
func (m *merged) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range m.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		n := &m.members[i]
		dst = append(append(dst, n.key...), ':')
		if n.object != nil {
			dst = n.object.append(dst)
		} else {
			dst = append(dst, n.value...)
		}
	}
	return append(dst, '}')
}
