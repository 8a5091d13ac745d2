package sig

import "slices"

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

// literalsOf returns the set of these values.
func literalsOf(values ...*value) *memberSet {
	list := make([]Member, len(values))
	for i, v := range values {
		list[i] = keyedMember(v)
	}
	return newMemberSet(list)
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

// intersect returns the values that are in both.
func (d domain) intersect(e domain) domain { return d.within(e, d.membersIn(e)) }

// within returns the values that are in both, given the members among them.
func (d domain) within(e domain, members *memberSet) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free, members: members}
	if d.members != nil || e.members != nil {
		both.kinds = both.free | memberKinds(members, both.kinds)
	}
	return both
}

// membersIn returns the members of both domains that the other one allows, those of d
// first. If they are all of one set, that set is shared.
func (d domain) membersIn(e domain) *memberSet {
	fromD := d.members.filter(func(m *Member) bool {
		return e.free&m.Kind != 0 || e.members.has(m)
	})
	fromE := e.members.filter(func(m *Member) bool {
		return d.free&m.Kind != 0 && !d.members.has(m)
	})
	switch {
	case len(fromE) == 0 && len(fromD) == len(d.members.members()):
		return d.members
	case len(fromD) == 0 && len(fromE) == len(e.members.members()):
		return e.members
	}
	return newMemberSet(append(slices.Clip(fromD), fromE...))
}

// filter returns the members that keep accepts.
func (s *memberSet) filter(keep func(*Member) bool) []Member {
	all := s.members()
	for i := range all {
		if keep(&all[i]) {
			continue
		}
		kept := slices.Clone(all[:i])
		for j := i + 1; j < len(all); j++ {
			if keep(&all[j]) {
				kept = append(kept, all[j])
			}
		}
		return kept
	}
	return all
}

// memberWork is the cost of a literal in a new set.
const memberWork = 4

// pair identifies the members of the intersection of two domains, or of the union of two
// sets. Both are remembered, since the same enums meet in many places.
type pair struct {
	union        bool
	d, e         *memberSet
	dFree, eFree Kinds
}

// remember returns the set of the pair, made on demand of up to n members; ok is false if
// that is too much work.
func (c *compiler) remember(key pair, n int, set func() *memberSet) (s *memberSet, ok bool) {
	s, known := c.sets[key]
	if !known {
		if !c.spend(memberWork * n) {
			return nil, false
		}
		s = set()
		if key != (pair{}) {
			c.sets[key] = s
		}
	}
	return s, true
}

// intersect returns the values in both domains.
func (c *compiler) intersect(d, e domain) domain {
	if d.members == nil && e.members == nil {
		return d.intersect(e)
	}
	n := len(d.members.members()) + len(e.members.members())
	key := pair{false, d.members, e.members, d.free, e.free}
	members, ok := c.remember(key, n, func() *memberSet { return d.membersIn(e) })
	if !ok {
		return everything
	}
	return d.within(e, members)
}

// union returns the values that at least one of the variants allows.
func (c *compiler) union(variants []variant) domain {
	var all domain
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
	var key pair
	switch len(sets) {
	case 0:
		return all
	case 1:
		all.members = sets[0]
		return all
	case 2:
		key = pair{union: true, d: sets[0], e: sets[1]}
	}
	members, ok := c.remember(key, n, func() *memberSet {
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
