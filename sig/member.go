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
	switch {
	case v.kind == Number && lexeme.IsIntegral(v.raw):
		m.Kind = Integer
	case v.kind&(Array|Object) != 0:
		var b bytes.Buffer
		_ = json.Compact(&b, v.raw) // v was decoded, so its text is JSON
		m.JSON, m.Text = b.Bytes(), b.String()
	}
	return m
}

// keyedMember returns the literal v.
func keyedMember(v *value) Member {
	m := newMember(v)
	m.key = memberKey{v.kind == String, m.Text}
	switch v.kind {
	case Number:
		m.key.text = string(lexeme.AppendNumber(nil, v.raw))
	case Array, Object:
		form, depth, _ := canonical(nil, v.raw, maxDepth) // v was decoded, so its text is JSON
		m.key.text, m.depth = string(form), depth
	}
	return m
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

// find returns the literal with the key, or nil. It does not allocate.
func (s *memberSet) find(isString bool, text []byte) *Member {
	if s.index != nil {
		if i, ok := s.index[memberKey{isString, string(text)}]; ok {
			return &s.list[i]
		}
		return nil
	}
	for i := range s.list {
		if k := &s.list[i].key; k.isString == isString && k.text == string(text) {
			return &s.list[i]
		}
	}
	return nil
}

// Member returns the literal of Enum with kind k and this text, or nil. The text of
// a string is the decoded one. Numbers, arrays and objects are compared by value;
// for a number, k may be Integer or Number. It takes time linear in text, however
// many literals there are, and reads an array or object no deeper than the
// literals nest. It allocates only for arrays, objects and long numbers.
func (t *Type) Member(k Kinds, text []byte) *Member {
	if t == nil || t.members == nil {
		return nil
	}
	switch {
	case k&numeric != 0:
		if !lexeme.IsNumber(text) {
			return nil
		}
		var room [48]byte
		return t.members.find(false, lexeme.AppendNumber(room[:0], text))
	case k&(Array|Object) != 0:
		bracket := byte('[')
		if k == Object {
			bracket = '{'
		}
		form, _, ok := canonical(nil, text, t.members.depth)
		if !ok || form[0] != bracket {
			return nil
		}
		return t.members.find(false, form)
	}
	return t.members.find(k == String, text)
}
