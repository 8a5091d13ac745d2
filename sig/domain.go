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
	members     []Member
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
func literals(members []Member) domain {
	if set := memberSet(members); len(set) < len(members) {
		members = slices.DeleteFunc(slices.Clone(members), func(m Member) bool {
			first := set[m.key()]
			delete(set, m.key())
			return !first
		})
	}
	return domain{kinds: memberKinds(members, Any), members: members}
}

// memberKinds returns the kinds within allowed that the members stand for.
func memberKinds(members []Member, allowed Kinds) (k Kinds) {
	for i := range members {
		if k |= members[i].Kind; k&numeric != 0 {
			k |= numeric
		}
	}
	return k & allowed
}

// empty reports whether d allows nothing.
func (d *domain) empty() bool { return d.kinds == 0 }

// intersect returns the values that are in both. The members of d come first.
func (d domain) intersect(e domain) domain {
	if len(d.members) == 0 && len(e.members) == 0 {
		return domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	}
	both := domain{free: d.free & e.free}
	var inD, inE map[memberKey]bool
	if len(d.members) > 0 && len(e.members) > 0 {
		inD, inE = memberSet(d.members), memberSet(e.members)
	}
	for _, m := range d.members {
		if e.free&m.Kind != 0 || inE[m.key()] {
			both.members = append(both.members, m)
		}
	}
	for _, m := range e.members {
		if d.free&m.Kind != 0 && !inD[m.key()] {
			both.members = append(both.members, m)
		}
	}
	both.kinds = both.free | memberKinds(both.members, d.kinds&e.kinds)
	return both
}

func memberSet(members []Member) map[memberKey]bool {
	set := make(map[memberKey]bool, len(members))
	for i := range members {
		set[members[i].key()] = true
	}
	return set
}

// union returns the values that any of the variants allows.
func union(variants []variant) domain {
	if len(variants) == 1 {
		return variants[0].domain
	}
	var all domain
	seen := make(map[memberKey]bool)
	for i := range variants {
		d := &variants[i].domain
		all.kinds |= d.kinds
		all.free |= d.free
		for _, m := range d.members {
			if key := m.key(); !seen[key] {
				seen[key] = true
				all.members = append(all.members, m)
			}
		}
	}
	return all
}
