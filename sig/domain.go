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
}

// notString is a byte that the text of no string of a schema contains.
const notString = 0xff

// memberOf returns the literal v, and a key that is the same for equal literals: the text
// of a string, otherwise notString and the canonical text.
func memberOf(v *value) (m Member, key string) {
	m = Member{Kind: v.kind, JSON: v.raw, Text: v.text}
	if v.kind == String {
		return m, v.text
	}
	if v.kind == Number && lexeme.IsIntegral(v.raw) {
		m.Kind = Integer
	}
	if v.kind&(Array|Object) != 0 {
		m.JSON = rawjson.Compact(v.raw)
		m.Text = string(m.JSON)
	}
	form, _ := appendCanonical([]byte{notString}, v.raw, maxDepth)
	return m, string(form)
}

// memberSet is a list of distinct literals. It does not change once it is in a domain, so
// domains and types share it. A nil set is empty.
type memberSet struct {
	keys  nameList
	list  []Member // in the order of keys
	depth int      // how deep the members may nest
}

// newMemberSet returns an empty set with room for n literals.
func newMemberSet(n int) *memberSet {
	return &memberSet{keys: nameList{list: make([]string, 0, n)}, list: make([]Member, 0, n)}
}

// add adds a literal unless the set has it.
func (s *memberSet) add(m Member, key string) {
	if s.keys.add(key) {
		s.list = append(s.list, m)
		s.depth = max(s.depth, len(key)/2) // each level has two brackets
	}
}

// membersOf returns the set of these values.
func membersOf(values []*value) *memberSet {
	s := newMemberSet(len(values))
	for _, v := range values {
		s.add(memberOf(v))
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

// has reports whether s has the literal with the key.
func (s *memberSet) has(key string) bool { return s != nil && find(&s.keys, key) >= 0 }

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
	i := find(&t.members.keys, key)
	if i < 0 || t.Enum[i].Kind&k == 0 {
		return nil
	}
	return &t.Enum[i]
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
	for _, m := range set.members() {
		k |= m.Kind
	}
	if k&numeric != 0 {
		k |= numeric
	}
	return domain{kinds: d.free | k&allowed, free: d.free, members: set}
}

// has reports whether the domain has the literal, of kind k.
func (d domain) has(k Kinds, key string) bool { return d.free&k != 0 || d.members.has(key) }

// intersect returns the values in both domains.
func (c *compiler) intersect(d, e domain) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	switch {
	case d == everything:
		return e
	case d.members == nil && e.members == nil:
		return both
	}
	isInBoth := func(k Kinds, key string) bool { return d.has(k, key) && e.has(k, key) }
	return c.merge(fmt.Sprint(d, e), both, isInBoth, d.members, e.members)
}

// union returns the values that at least one of the variants allows.
func (c *compiler) union(variants []variant) domain {
	var all domain
	var sets []*memberSet
	for i := range variants {
		d := &variants[i].domain
		all.kinds |= d.kinds
		all.free |= d.free
		if d.members != nil && !slices.Contains(sets, d.members) {
			sets = append(sets, d.members)
		}
	}
	switch len(sets) {
	case 0:
		return all
	case 1:
		all.members = sets[0]
		return all
	}
	return c.merge(fmt.Sprint(all, sets), all, func(Kinds, string) bool { return true }, sets...)
}

// merge returns d with the literals of the sets that isKept keeps, of the kinds in d. The domain
// for a key is made once, since the same enums meet in many places.
func (c *compiler) merge(
	key string, d domain, isKept func(k Kinds, key string) bool, sets ...*memberSet,
) domain {
	const memberWork = 4 // cost of a literal in a new set
	n := 0
	for _, s := range sets {
		n += len(s.members())
	}
	if known, ok := c.domains[key]; ok {
		return known
	}
	if !c.spend(memberWork * n) {
		return everything
	}
	set := newMemberSet(n / len(sets))
	for _, s := range sets {
		for i, m := range s.members() {
			if key := s.keys.list[i]; isKept(m.Kind, key) {
				set.add(m, key)
			}
		}
	}
	if first := sets[0]; len(first.members()) == len(set.list) { // they are the same
		set = first
	}
	d = d.with(set, d.kinds)
	c.domains[key] = d
	return d
}
