package sig

import "slices"

// domain is a set of JSON values: all values of the free kinds, and the
// members. This is all of T, the types allowed at a place, that can be said
// without looking into arrays and objects.
//
// kinds are the free kinds and those of the members; a numeric member stands
// for all numeric kinds that were allowed beside it, so that a number which is
// no member still is of an allowed type.
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

// memberKinds returns the kinds within allowed that the members stand for.
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
func (d domain) intersect(e domain) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	if d.members == nil && e.members == nil {
		return both
	}
	both.members = intersectMembers(d, e)
	both.kinds = both.free | memberKinds(both.members, both.kinds)
	return both
}

func intersectMembers(d, e domain) *memberSet {
	inE := func(m *Member) bool { return e.free&m.Kind != 0 || e.members.has(m) }
	onlyE := func(m *Member) bool { return d.free&m.Kind != 0 && !d.members.has(m) }
	fromD, fromE := count(d.members, inE), count(e.members, onlyE)
	switch { // sets are shared where nothing is new about them
	case fromE == 0 && fromD == len(d.members.members()):
		return d.members
	case fromD == 0 && fromE == len(e.members.members()):
		return e.members
	}
	list := make([]Member, 0, fromD+fromE)
	list = appendMembers(list, d.members, inE)
	list = appendMembers(list, e.members, onlyE)
	return newMemberSet(list)
}

// count returns how many members are such.
func count(s *memberSet, such func(*Member) bool) (n int) {
	for i := range s.members() {
		if such(&s.list[i]) {
			n++
		}
	}
	return n
}

// appendMembers appends the members that are such.
func appendMembers(list []Member, s *memberSet, such func(*Member) bool) []Member {
	for i := range s.members() {
		if such(&s.list[i]) {
			list = append(list, s.list[i])
		}
	}
	return list
}

// union returns the values that any of the variants allows.
func union(variants []variant) domain {
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
	if len(sets) == 1 {
		all.members = sets[0]
		return all
	}
	list := make([]Member, 0, n)
	for _, s := range sets {
		list = append(list, s.list...)
	}
	all.members = newMemberSet(list)
	return all
}
