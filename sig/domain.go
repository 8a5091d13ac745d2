package sig

import (
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
	return m, string(v.appendCanonical([]byte{notString}))
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
		v, err := decode(text, t.members.depth)
		if err != nil {
			return nil
		}
		// Not appended to key, which is on the stack only because it does not escape.
		key = v.appendCanonical([]byte{notString})
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
	isInBoth := func(k Kinds, key string) bool { return d.has(k, key) && e.has(k, key) }
	return both.with(c.merge(isInBoth, d.members, e.members), both.kinds)
}

// unite returns the values in at least one of the domains.
func (c *compiler) unite(domains []domain) domain {
	var all domain
	var sets []*memberSet
	for _, d := range domains {
		all.kinds |= d.kinds
		all.free |= d.free
		sets = append(sets, d.members)
	}
	return all.with(c.merge(func(Kinds, string) bool { return true }, sets...), all.kinds)
}

// merge returns the literals of the sets that isKept keeps. Where they are those of the only
// set, that is shared: the same enum is in many places.
func (c *compiler) merge(isKept func(k Kinds, key string) bool, all ...*memberSet) *memberSet {
	const memberWork = 16 // cost of a literal in a new set
	var sets []*memberSet
	kept, total := 0, 0
	for _, s := range all {
		if s == nil || slices.Contains(sets, s) {
			continue
		}
		sets = append(sets, s)
		total += len(s.list)
		for i, m := range s.list {
			if isKept(m.Kind, s.keys.list[i]) {
				kept++
			}
		}
	}
	if len(sets) == 1 && kept == total {
		return sets[0]
	}
	if len(sets) == 0 || !c.spend(memberWork*kept) {
		return nil
	}
	set := newMemberSet(kept)
	for _, s := range sets {
		for i, m := range s.list {
			if key := s.keys.list[i]; isKept(m.Kind, key) {
				set.add(m, key)
			}
		}
	}
	return set
}
