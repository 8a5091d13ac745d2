package sig

import (
	"fmt"
	"slices"
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
		if k |= set.list[i].Kind; k&numeric != 0 {
			k |= numeric
		}
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
	key := fmt.Sprintf("%p %d, %p %d", d.members, d.free, e.members, e.free)
	members, ok := c.remember(key, n, func() *memberSet { return common(d, e) })
	if !ok {
		return everything
	}
	both.members = members
	both.kinds = both.free | memberKinds(members, both.kinds)
	return both
}

// common returns the members of both domains that the other one has, those of d first. If
// they are all of one set, that set is shared.
func common(d, e domain) *memberSet {
	var list []Member
	for _, m := range d.members.members() {
		if e.has(&m) {
			list = append(list, m)
		}
	}
	fromD := len(list)
	for _, m := range e.members.members() {
		if d.free&m.Kind != 0 && !d.members.has(&m) {
			list = append(list, m)
		}
	}
	switch {
	case len(list) == fromD && fromD == len(d.members.members()):
		return d.members
	case fromD == 0 && len(list) == len(e.members.members()):
		return e.members
	}
	return newMemberSet(list)
}

// union returns the values that at least one of the variants allows.
func (c *compiler) union(variants []variant) domain {
	var all domain
	var sets []*memberSet
	var key []byte
	n := 0
	for i := range variants {
		d := &variants[i].domain
		all.kinds |= d.kinds
		all.free |= d.free
		if d.members != nil && !slices.Contains(sets, d.members) {
			sets = append(sets, d.members)
			key = fmt.Appendf(key, "%p|", d.members)
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
	members, ok := c.remember(string(key), n, func() *memberSet {
		list := make([]Member, 0, n)
		for _, s := range sets {
			list = append(list, s.list...)
		}
		return newMemberSet(list)
	})
	if !ok {
		return everything
	}
	all.members = members
	return all
}

// memberWork is the cost of a literal in a new set.
const memberWork = 4

// remember returns the set with the key, made on demand of up to n members, since the same
// enums meet in many places; ok is false if that is too much work.
func (c *compiler) remember(key string, n int, set func() *memberSet) (s *memberSet, ok bool) {
	s, ok = c.sets[key]
	if !ok && c.spend(memberWork*n) {
		s, ok = set(), true
		c.sets[key] = s
	}
	return s, ok
}
