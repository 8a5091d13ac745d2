package sig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
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
	return c.remember(fmt.Sprint(all, sets), n, func() domain {
		list := make([]Member, 0, n)
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

// Member is one literal that an enum or const allows.
type Member struct {
	Kind Kinds  // exactly one; Integer for a number that is integral by value, else Number
	JSON []byte // compact, with digits and escapes as written
	Text string // the decoded text of a string, otherwise JSON

	key memberKey
}

// memberKey is the same for equal members: the text of a string, otherwise the canonical text.
type memberKey struct {
	isString bool
	text     string
}

// memberOf returns the literal v.
func memberOf(v *value) Member {
	m := Member{Kind: v.kind, JSON: v.raw, Text: v.text}
	m.key = memberKey{v.kind == String, v.text}
	switch v.kind {
	case Number:
		if lexeme.IsIntegral(v.raw) {
			m.Kind = Integer
		}
		m.key.text = string(lexeme.AppendNumber(nil, v.raw))
	case Array, Object:
		var b bytes.Buffer
		_ = json.Compact(&b, v.raw) // v was decoded, so its text is JSON
		m.JSON, m.Text = b.Bytes(), b.String()
		form, _ := canonical(v.raw, maxDepth)
		m.key.text = string(form)
	}
	return m
}

// memberSet is a list of distinct literals. It does not change, so domains and
// types share it. A nil set is empty.
type memberSet struct {
	list  []Member
	index map[memberKey]int32 // index of each in list, if there are many
	depth int                 // how deep the members may nest
}

// manyMembers is the number of members from which an index is faster than comparing.
const manyMembers = 9

// literalsOf returns the set of these values.
func literalsOf(values ...*value) *memberSet {
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
	if len(list) >= manyMembers {
		s.index = make(map[memberKey]int32, len(list))
	}
	for _, m := range list {
		if s.has(&m) {
			continue
		}
		if s.index != nil {
			s.index[m.key] = int32(len(s.list))
		}
		s.list = append(s.list, m)
		s.depth = max(s.depth, len(m.key.text)/2) // each level has two brackets
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

// has reports whether m is in s.
func (s *memberSet) has(m *Member) bool { return find(s, m.key.isString, m.key.text) != nil }

// find returns the literal with the key, or nil. It does not allocate.
func find[T string | []byte](s *memberSet, isString bool, text T) *Member {
	switch {
	case s == nil:
		return nil
	case s.index != nil:
		if i, ok := s.index[memberKey{isString, string(text)}]; ok {
			return &s.list[i]
		}
		return nil
	}
	i := slices.IndexFunc(s.list, func(m Member) bool {
		return m.key.isString == isString && m.key.text == string(text)
	})
	if i < 0 {
		return nil
	}
	return &s.list[i]
}

// Member returns the literal of Enum with kind k and this text, or nil. The text of
// a string is the decoded one. Numbers, arrays and objects are compared by value;
// for a number, k may be Integer or Number. It takes time linear in text, however
// many literals there are. It allocates only for arrays, objects and long numbers.
func (t *Type) Member(k Kinds, text []byte) *Member {
	if t == nil || t.members == nil {
		return nil
	}
	switch {
	case k&numeric != 0:
		if !lexeme.IsNumber(text) {
			return nil
		}
		var room [48]byte
		return find(t.members, false, lexeme.AppendNumber(room[:0], text))
	case k&(Array|Object) != 0:
		bracket := byte('[')
		if k == Object {
			bracket = '{'
		}
		form, ok := canonical(text, t.members.depth)
		if !ok || form[0] != bracket {
			return nil
		}
		return find(t.members, false, form)
	}
	return find(t.members, k == String, text)
}

// Literals are equal if and only if their canonical texts are: numbers as AppendNumber
// writes them, strings with the fewest escapes, members sorted by key, no space.

// canonicalizer appends the canonical text of what it reads to out.
type canonicalizer struct {
	lexeme.Scanner
	out []byte
}

// canonical returns the canonical text of a JSON value. ok is false if text is not JSON, or
// nests deeper than depth.
func canonical(text []byte, depth int) (form []byte, ok bool) {
	c := canonicalizer{Scanner: lexeme.Scanner{Text: text, Depth: depth, Unpaired: true}}
	c.value(c.Next())
	fault, _ := c.Fault()
	return c.out, fault == lexeme.NoFault
}

// value reads the value that begins with t.
func (c *canonicalizer) value(t lexeme.JSONToken) {
	text := c.Text[t.Start:t.End]
	switch {
	case t.Kind == '[':
		c.out = append(c.out, '[')
		for t = c.Next(); t.Kind != ']' && t.Kind != 0; t = c.Next() {
			c.value(t)
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, ']')
	case t.Kind == '{':
		c.out = append(c.out, '{')
		c.members()
		c.out = append(c.out, '}')
	case t.Escaped:
		content := lexeme.AppendJSONUnquoted(nil, c.Content(t), utf8.RuneError)
		c.out = lexeme.AppendQuoted(c.out, content)
	case t.Kind == 'l' && LiteralKind(text) == Number:
		c.out = lexeme.AppendNumber(c.out, text)
	default:
		c.out = append(c.out, text...)
	}
}

// members reads the members of an object and sorts them by key. Of repeated keys the last
// one counts.
func (c *canonicalizer) members() {
	type member struct{ start, key, end int } // of out
	var all []member
	first := len(c.out)
	for t := c.Next(); t.Kind == 'k'; t = c.Next() {
		m := member{start: len(c.out)}
		c.value(t)
		m.key = len(c.out)
		c.out = append(c.out, ':')
		c.value(c.Next())
		c.out = append(c.out, ',')
		m.end = len(c.out)
		all = append(all, m)
	}
	if len(all) < 2 {
		return
	}
	byKey := func(a, b member) int {
		return bytes.Compare(c.out[a.start:a.key], c.out[b.start:b.key])
	}
	slices.SortStableFunc(all, byKey)
	var sorted []byte
	for i, m := range all {
		if i+1 == len(all) || byKey(m, all[i+1]) != 0 {
			sorted = append(sorted, c.out[m.start:m.end]...)
		}
	}
	c.out = append(c.out[:first], sorted...)
}
