package sig

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
)

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // the decoded text of a string, otherwise JSON

	key   memberKey
	depth int // nesting of arrays and objects
}

// memberKey is the same for equal members: the text of a string, otherwise the canonical text.
type memberKey struct {
	isString bool
	text     string
}

// newMember returns the literal v, without a key.
func newMember(v *value) Member {
	m := Member{Kind: v.kind, JSON: v.raw, Text: v.text}
	switch v.kind {
	case Number:
		if lexeme.IsIntegral(v.raw) {
			m.Kind = Integer
		}
	case Array, Object:
		var b bytes.Buffer
		_ = json.Compact(&b, v.raw) // v was decoded, so its text is JSON
		m.JSON = b.Bytes()
		m.Text = string(m.JSON)
	}
	return m
}

// keyedMember returns the literal v.
func keyedMember(v *value) Member {
	m := newMember(v)
	switch v.kind {
	case String:
		m.key = memberKey{isString: true, text: m.Text}
	case Number:
		m.key = memberKey{text: string(lexeme.AppendNumber(nil, v.raw))}
	case Array, Object:
		key, _ := appendCanonical(nil, v.raw, maxDepth) // v was decoded, so its text is JSON
		m.key = memberKey{text: string(key)}
		m.depth = v.depth()
	default:
		m.key = memberKey{text: m.Text}
	}
	return m
}

// depth returns how deep arrays and objects nest in v: 0 for a scalar.
func (v *value) depth() (n int) {
	if v.kind&(Array|Object) == 0 {
		return 0
	}
	for _, e := range v.elements {
		n = max(n, e.depth())
	}
	for _, m := range v.members {
		n = max(n, m.value.depth())
	}
	return n + 1
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[memberKey]int32 // index of each in list, if there are many
	depth int                 // of the deepest
}

// manyMembers is the number of members from which an index is faster than comparing.
const manyMembers = 9

// newMemberSet returns the set of these members.
func newMemberSet(list []Member) *memberSet {
	if len(list) == 0 {
		return nil
	}
	s := &memberSet{list: make([]Member, 0, len(list))}
	if len(list) >= manyMembers {
		s.index = make(map[memberKey]int32, len(list))
	}
	for _, m := range list {
		if s.has(&m) {
			continue
		}
		if s.index != nil {
			s.index[m.key] = int32(len(s.list))
		}
		s.list = append(s.list, m)
		s.depth = max(s.depth, m.depth)
	}
	return s
}

// members returns the literals of s. They belong to s.
func (s *memberSet) members() []Member {
	if s == nil {
		return nil
	}
	return s.list
}

// len returns the number of literals.
func (s *memberSet) len() int { return len(s.members()) }

// has reports whether m is in s.
func (s *memberSet) has(m *Member) bool {
	switch {
	case s == nil:
		return false
	case s.index != nil:
		_, ok := s.index[m.key]
		return ok
	}
	return slices.ContainsFunc(s.list, func(other Member) bool { return other.key == m.key })
}

// find returns the literal with the key, or nil. The key of a string is its text.
func (s *memberSet) find(isString bool, key []byte) *Member {
	switch {
	case s == nil:
		return nil
	case s.index != nil:
		if i, ok := s.index[memberKey{isString, string(key)}]; ok { // does not allocate
			return &s.list[i]
		}
		return nil
	}
	for i := range s.list {
		if k := &s.list[i].key; k.isString == isString && k.text == string(key) {
			return &s.list[i]
		}
	}
	return nil
}
