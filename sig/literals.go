package sig

import (
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// domain is a set of JSON values: all values of the free kinds, and the
// members. It is the part of T, the types allowed at a place, that does not
// depend on what is inside arrays and objects.
//
// kinds are the free kinds and those of the members; a numeric member counts for
// all numeric kinds that were allowed with it, so that a number that is not a
// member still has an allowed type.
type domain struct {
	kinds, free Kinds
	members     *memberSet
}

var everything = domain{kinds: Any, free: Any}

// only returns the domain of exactly these kinds.
func only(k Kinds) domain {
	if k&Number != 0 {
		k |= Integer
	}
	return domain{kinds: k, free: k}
}

// literals returns the domain of exactly these members.
func literals(set *memberSet) domain {
	return domain{kinds: memberKinds(set, Any), members: set}
}

// memberKinds returns the kinds within allowed that the members count for.
func memberKinds(set *memberSet, allowed Kinds) (k Kinds) {
	for i := range set.members() {
		k |= set.list[i].Kind
	}
	if k&numeric != 0 {
		k |= numeric
	}
	return k & allowed
}

// has reports whether the domain has the literal.
func (d domain) has(m *Member) bool { return d.free&m.Kind != 0 || d.members.has(m) }

// intersect returns the values in both domains.
func (c *compiler) intersect(d, e domain) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	switch {
	case d == everything:
		return e
	case d.members == nil && e.members == nil:
		return both
	}
	n := len(d.members.members()) + len(e.members.members())
	return c.remember(fmt.Sprint(d, e), n, func() domain {
		both.members = common(d, e)
		both.kinds = both.free | memberKinds(both.members, both.kinds)
		return both
	})
}

// common returns the members of both domains that the other one has, those of d first. If
// they are all of one set, that set is shared.
func common(d, e domain) *memberSet {
	lost := func(m Member) bool { return !e.has(&m) }
	isNew := func(m Member) bool { return d.free&m.Kind != 0 && !d.members.has(&m) }
	some, more := d.members.members(), e.members.members()
	if !slices.ContainsFunc(some, lost) && !slices.ContainsFunc(more, isNew) {
		return d.members
	}
	list := slices.DeleteFunc(slices.Clone(some), lost)
	for _, m := range more {
		if isNew(m) {
			list = append(list, m)
		}
	}
	return newMemberSet(list)
}

// union returns the values that at least one of the variants allows.
func (c *compiler) union(variants []variant) (all domain) {
	var sets []*memberSet
	n := 0
	for i := range variants {
		d := &variants[i].domain
		all.kinds |= d.kinds
		all.free |= d.free
		if d.members != nil && !slices.Contains(sets, d.members) {
			sets = append(sets, d.members)
			n += len(d.members.list)
		}
	}
	if len(sets) == 1 {
		all.members = sets[0]
	}
	if len(sets) < 2 {
		return all
	}
	return c.remember(fmt.Sprint(all, sets), n, func() domain {
		var list []Member
		for _, s := range sets {
			list = append(list, s.list...)
		}
		all.members = newMemberSet(list)
		return all
	})
}

// memberWork is the cost of a literal in a new set.
const memberWork = 4

// remember returns the domain with the key, made on demand of up to n members, since the
// same enums meet in many places.
func (c *compiler) remember(key string, n int, combine func() domain) domain {
	d, known := c.domains[key]
	switch {
	case known:
		return d
	case !c.spend(memberWork * n):
		return everything
	}
	d = combine()
	c.domains[key] = d
	return d
}

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
		m.key.text = string(v.appendCanonical(nil))
	}
	return m
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[memberKey]int // index of each in list, if there are many
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
		doc, err := decode(text)
		if err != nil || !doc.root.is(k) {
			return nil
		}
		return find(t.members, false, doc.root.appendCanonical(nil))
	}
	return find(t.members, k == String, text)
}
