package sig

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // the decoded text of a string, otherwise JSON

	key memberKey
}

// memberKey is the value of a member: two members are equal if and only if their
// keys are. Strings are compared decoded, numbers by value, arrays and objects by
// content.
type memberKey struct {
	kind Kinds  // Number for every number
	id   int32  // of an array or object, see structures
	text string // of any other value
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
		if json.Compact(&b, v.raw) == nil { // otherwise too deep for encoding/json: as written
			m.JSON = b.Bytes()
		}
		m.Text = string(m.JSON)
	}
	return m
}

// member returns the literal v.
func (c *compiler) member(v *value) Member {
	m := newMember(v)
	switch m.key.kind = v.kind; v.kind {
	case Number:
		m.key.text = string(lexeme.AppendNumber(nil, v.raw))
	case Array, Object:
		m.key.id = c.structures.add(v)
	default:
		m.key.text = m.Text
	}
	return m
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[memberKey]int32 // index of each in list, if there are many
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

// find returns the literal with the key of that kind, id and text, or nil.
func (s *memberSet) find(kind Kinds, id int32, text []byte) *Member {
	switch {
	case s == nil:
		return nil
	case s.index != nil:
		if i, ok := s.index[memberKey{kind, id, string(text)}]; ok { // does not allocate
			return &s.list[i]
		}
		return nil
	}
	for i := range s.list {
		if k := &s.list[i].key; k.kind == kind && k.id == id && k.text == string(text) {
			return &s.list[i]
		}
	}
	return nil
}
