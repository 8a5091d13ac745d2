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
