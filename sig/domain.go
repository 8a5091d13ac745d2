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

// empty reports whether d allows nothing.
func (d *domain) empty() bool { return d.kinds == 0 }

// intersect returns the values that are in both. The members of d come first.
func (d domain) intersect(e domain) domain { return d.within(e, d.membersIn(e)) }

// within returns the values that are in both, given the members among them.
func (d domain) within(e domain, members *memberSet) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free, members: members}
	if d.members != nil || e.members != nil {
		both.kinds = both.free | memberKinds(members, both.kinds)
	}
	return both
}

// membersIn returns the members of both domains that the other one allows.
func (d domain) membersIn(e domain) *memberSet {
	inE := func(m *Member) bool { return e.free&m.Kind != 0 || e.members.has(m) }
	onlyE := func(m *Member) bool { return d.free&m.Kind != 0 && !d.members.has(m) }
	fromD, fromE := count(d.members, inE), count(e.members, onlyE)
	switch { // share a set that does not change
	case fromE == 0 && fromD == d.members.len():
		return d.members
	case fromD == 0 && fromE == e.members.len():
		return e.members
	}
	list := make([]Member, 0, fromD+fromE)
	list = appendMembers(list, d.members, inE)
	list = appendMembers(list, e.members, onlyE)
	return newMemberSet(list)
}

// memberWork is the cost of a literal in a new set.
const memberWork = 4

// pair identifies the members of the intersection of two domains.
type pair struct {
	d, e         *memberSet
	dFree, eFree Kinds
}

// intersect returns the values in both domains. It remembers the members, since
// the same domains meet in many places.
func (c *compiler) intersect(d, e domain) domain {
	if d.members == nil && e.members == nil {
		return d.intersect(e)
	}
	key := pair{d.members, e.members, d.free, e.free}
	members, known := c.common[key]
	if !known {
		if !c.spend(memberWork * (d.members.len() + e.members.len())) {
			return everything
		}
		members = d.membersIn(e)
		c.common[key] = members
	}
	return d.within(e, members)
}

// count returns how many members keep accepts.
func count(s *memberSet, keep func(*Member) bool) (n int) {
	for i := range s.members() {
		if keep(&s.list[i]) {
			n++
		}
	}
	return n
}

// appendMembers appends the members that keep accepts.
func appendMembers(list []Member, s *memberSet, keep func(*Member) bool) []Member {
	for i := range s.members() {
		if keep(&s.list[i]) {
			list = append(list, s.list[i])
		}
	}
	return list
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
			n += d.members.len()
		}
	}
	var key [2]*memberSet
	switch copy(key[:], sets); len(sets) {
	case 0, 1:
		all.members = key[0]
		return all
	case 2:
		all.members = c.united[key]
		if all.members != nil {
			return all
		}
	}
	if !c.spend(memberWork * n) {
		return everything
	}
	list := make([]Member, 0, n)
	for _, s := range sets {
		list = append(list, s.list...)
	}
	all.members = newMemberSet(list)
	if len(sets) == 2 {
		c.united[key] = all.members
	}
	return all
}
