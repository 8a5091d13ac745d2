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

	key string // the same for equal literals
}

// notString is a byte that the text of no string of a schema contains.
const notString = 0xff

// memberOf returns the literal v. Its key is the text of a string, otherwise notString and
// the canonical text.
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
		form, _ := appendCanonical([]byte{notString}, v.raw, maxDepth)
		m.key = string(form)
	}
	return m
}

// memberSet is a list of distinct literals. It does not change once it is in a domain, so
// domains and types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	keys  nameList
	depth int // how deep the members may nest
}

// add adds a literal unless the set has it.
func (s *memberSet) add(m Member) {
	if s.keys.add(m.key) {
		s.list = append(s.list, m)
		s.depth = max(s.depth, len(m.key)/2) // each level has two brackets
	}
}

// membersOf returns the set of these values.
func membersOf(values []*value) *memberSet {
	s := new(memberSet)
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

// has reports whether the domain has the literal.
func (d domain) has(m Member) bool {
	return d.free&m.Kind != 0 || d.members != nil && find(&d.members.keys, m.key) >= 0
}

// intersect returns the values in both domains.
func (c *compiler) intersect(d, e domain) domain {
	both := domain{kinds: d.kinds & e.kinds, free: d.free & e.free}
	isOut := func(m Member) bool { return !d.has(m) || !e.has(m) }
	return both.with(c.merge(isOut, d.members, e.members), both.kinds)
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
	return all.with(c.merge(func(Member) bool { return false }, sets...), all.kinds)
}

// merge returns the literals of the sets without those that are out. The same enum is in many
// places, so a set that is not changed is shared.
func (c *compiler) merge(isOut func(Member) bool, all ...*memberSet) *memberSet {
	const memberWork = 16 // cost of a literal in a new set
	var sets []*memberSet
	n := 0
	for _, s := range all {
		if s != nil && !slices.Contains(sets, s) {
			sets = append(sets, s)
			n += len(s.list)
		}
	}
	if len(sets) == 1 && !slices.ContainsFunc(sets[0].list, isOut) {
		return sets[0]
	}
	if n == 0 || !c.spend(memberWork*n) {
		return nil
	}
	merged := &memberSet{list: make([]Member, 0, n)}
	for _, s := range sets {
		for _, m := range s.list {
			if !isOut(m) {
				merged.add(m)
			}
		}
	}
	return merged
}
