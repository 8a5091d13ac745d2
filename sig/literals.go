package sig

import (
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // the decoded text of a string, otherwise JSON

	key memberKey
}

// memberKey is the same for equal members: the text of a string, otherwise the canonical text.
type memberKey struct {
	isString bool
	text     string
}

// memberOf returns the literal v.
func memberOf(v *value) Member {
	m := Member{Kind: v.kind, JSON: v.raw, Text: v.text, key: memberKey{v.kind == String, v.text}}
	if v.kind == Number && lexeme.IsIntegral(v.raw) {
		m.Kind = Integer
	}
	if v.kind&(Array|Object) != 0 {
		m.JSON = rawjson.Compact(v.raw)
		m.Text = string(m.JSON)
	}
	if v.kind != String {
		form, _ := canonical(v.raw, maxDepth)
		m.key.text = string(form)
	}
	return m
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[memberKey]int // index of each in list, if there are many
	depth int               // how deep the members may nest
}

// manyMembers is the number of members from which an index is faster than comparing.
const manyMembers = 9

// literalsOf returns the set of these values.
func literalsOf(values ...*value) *memberSet {
	list := make([]Member, len(values))
	for i, v := range values {
		list[i] = memberOf(v)
	}
	return newMemberSet(list)
}

// newMemberSet returns the set of these members.
func newMemberSet(list []Member) *memberSet {
	if len(list) == 0 {
		return nil
	}
	s := &memberSet{list: make([]Member, 0, len(list))}
	if len(list) >= manyMembers {
		s.index = make(map[memberKey]int, len(list))
	}
	for _, m := range list {
		if s.has(&m) {
			continue
		}
		if s.index != nil {
			s.index[m.key] = len(s.list)
		}
		s.list = append(s.list, m)
		s.depth = max(s.depth, len(m.key.text)/2) // each level has two brackets
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
func (s *memberSet) has(m *Member) bool { return find(s, m.key.isString, m.key.text) != nil }

// find returns the literal with the key, or nil. It does not allocate.
func find[T string | []byte](s *memberSet, isString bool, text T) *Member {
	switch {
	case s == nil:
		return nil
	case s.index != nil:
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
// many literals there are. It allocates only for arrays, objects and long numbers.
func (t *Type) Member(k Kinds, text []byte) *Member {
	switch {
	case t == nil || t.members == nil:
		return nil
	case k&numeric != 0:
		if !lexeme.IsNumber(text) {
			return nil
		}
		var room [48]byte
		return find(t.members, false, lexeme.AppendNumber(room[:0], text))
	case k&(Array|Object) != 0:
		bracket := byte('[')
		if k == Object {
			bracket = '{'
		}
		form, ok := canonical(text, t.members.depth)
		if !ok || form[0] != bracket {
			return nil
		}
		return find(t.members, false, form)
	}
	return find(t.members, k == String, text)
}
