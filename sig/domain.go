package sig

import (
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // the decoded text of a string, otherwise JSON

	// key is the same for equal literals: the text of a string, otherwise notString and the
	// canonical text.
	key string
}

// notString is a byte that the text of no string of a schema contains.
const notString = 0xff

// memberOf returns the literal v.
func memberOf(v *value) Member {
	m := Member{Kind: v.kind, JSON: v.raw, Text: v.text, key: v.text}
	if v.kind == Number && lexeme.IsIntegral(v.raw) {
		m.Kind = Integer
	}
	if v.kind&(Array|Object) != 0 {
		m.JSON = rawjson.Compact(v.raw)
		m.Text = string(m.JSON)
	}
	if v.kind != String {
		key, _ := appendCanonical([]byte{notString}, v.raw, maxDepth)
		m.key = string(key)
	}
	return m
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[string]int // index in list of each key, if there are many
	depth int            // how deep the members may nest
}

// membersOf returns the set of these values.
func membersOf(values ...*value) *memberSet {
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
	if len(list) >= manyFields {
		s.index = make(map[string]int, len(list))
	}
	for _, m := range list {
		if find(s, m.key) != nil {
			continue
		}
		if s.index != nil {
			s.index[m.key] = len(s.list)
		}
		s.list = append(s.list, m)
		s.depth = max(s.depth, len(m.key)/2) // each level has two brackets
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

// find returns the literal with the key, or nil. It does not allocate.
func find[T string | []byte](s *memberSet, key T) *Member {
	switch {
	case s == nil:
		return nil
	case s.index != nil:
		if i, ok := s.index[string(key)]; ok {
			return &s.list[i]
		}
		return nil
	}
	for i := range s.list {
		if s.list[i].key == string(key) {
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
	if t == nil || t.members == nil {
		return nil
	}
	var room [48]byte
	key := append(room[:0], notString)
	switch {
	case k == String:
		key = text
	case k&numeric != 0 && lexeme.IsNumber(text):
		k = numeric
		key = lexeme.AppendNumber(key, text)
	case k&(Array|Object) != 0:
		// Not into key, which is on the stack only because it does not escape.
		form, ok := appendCanonical([]byte{notString}, text, t.members.depth)
		if !ok {
			return nil
		}
		key = form
	default:
		key = append(key, text...)
	}
	m := find(t.members, key)
	if m == nil || m.Kind&k == 0 {
		return nil
	}
	return m
}

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

// with returns d with these members, which may be of the kinds allowed.
func (d domain) with(set *memberSet, allowed Kinds) domain {
	var k Kinds
	for i := range set.members() {
		k |= set.list[i].Kind
	}
	if k&numeric != 0 {
		k |= numeric
	}
	return domain{kinds: d.free | k&allowed, free: d.free, members: set}
}

// has reports whether the domain has the literal.
func (d domain) has(m *Member) bool { return d.free&m.Kind != 0 || find(d.members, m.key) != nil }

// intersect returns the values in both domains.
func (c *compiler) intersect(d, e domain) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	some, more := d.members.members(), e.members.members()
	switch {
	case d == everything:
		return e
	case len(some)+len(more) == 0:
		return both
	}
	return c.combine(fmt.Sprint(d, e), len(some)+len(more), func() domain {
		// The members of d come first. If they are all, their set is shared.
		var list []Member
		for _, m := range some {
			if e.has(&m) {
				list = append(list, m)
			}
		}
		kept := len(list)
		for _, m := range more {
			if d.free&m.Kind != 0 && find(d.members, m.key) == nil {
				list = append(list, m)
			}
		}
		set := d.members
		if kept < len(some) || kept < len(list) {
			set = newMemberSet(list)
		}
		return both.with(set, both.kinds)
	})
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
	switch len(sets) {
	case 0:
		return all
	case 1:
		all.members = sets[0]
		return all
	}
	return c.combine(fmt.Sprint(all, sets), n, func() domain {
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

// combine returns the domain with the key, made on demand of up to n members, since the
// same enums meet in many places.
func (c *compiler) combine(key string, n int, make func() domain) domain {
	d, known := c.domains[key]
	switch {
	case known:
		return d
	case !c.spend(memberWork * n):
		return everything
	}
	d = make()
	c.domains[key] = d
	return d
}
