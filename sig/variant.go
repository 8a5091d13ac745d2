package sig

import (
	"encoding/binary"
	"slices"
)

// Schemas that apply at one place are written as a conjunction: a list of
// which all must hold. Distributing its unions over it gives its variants,
// conjunctions of nothing but own keywords, of which one must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so recursion
// ends where schemas meet a place that is not theirs.

// conjunction is a list of schemas that all apply at one place.
type conjunction []*schema

// variant is a conjunction of which only the own keywords count.
type variant struct {
	own    []*schema
	domain domain
}

// The bounds of compilation. No schema that people write comes near them;
// beyond them a place is untyped.
const (
	maxNesting  = 200  // of applicators within applicators
	maxVariants = 1024 // at one place
	toolWork    = 1 << 17
	byteWork    = 16 // work allowed for each byte of the schema, above toolWork
)

// spend takes n units off the work that the tool may still cost, and reports
// whether it could.
func (c *compiler) spend(n int) bool {
	if c.work -= n; c.work >= 0 {
		return true
	}
	c.tooComplex(nil, "the schema unfolds into more than can be compiled")
	return false
}

func (c *compiler) tooComplex(v *value, message string) {
	if !c.complex {
		c.complex = true
		c.report(v, TooComplex, "%s: what lies beyond is untyped", message)
	}
}

// gathered is a conjunction with its references and allOf followed: the
// schemas whose own keywords apply, and the unions of which one alternative
// each applies.
type gathered struct {
	own    []*schema
	unions []*schema
}

// gather follows the references and allOf of all schemas in the list. A schema
// that is met twice counts once, for it cannot say more the second time.
func (c *compiler) gather(list conjunction) gathered {
	c.walk++
	var g gathered
	for _, s := range list {
		c.gatherInto(&g, s, 0)
	}
	return g
}

func (c *compiler) gatherInto(g *gathered, s *schema, depth int) {
	c.readSchema(s)
	if s.visited == c.walk {
		if s.onPath {
			c.loop(s)
		}
		return
	}
	s.visited = c.walk
	if depth > maxNesting {
		c.tooComplex(s.source, "allOf and $ref are nested too deep")
		return
	}
	if !c.spend(1) {
		return
	}
	switch {
	case s.alternatives != nil:
		g.unions = append(g.unions, s)
		return
	case s.nullable:
		g.unions = append(g.unions, c.nullUnion(s))
		return
	case s.own:
		g.own = append(g.own, s)
	}
	s.onPath = true
	for _, r := range s.refs {
		c.gatherInto(g, r, depth+1)
	}
	for _, a := range s.allOf {
		c.gatherInto(g, a, depth+1)
	}
	s.onPath = false
	g.unions = append(g.unions, s.unions...)
}

// loop reports, once, that s is defined by itself.
func (c *compiler) loop(s *schema) {
	if !s.looped {
		s.looped = true
		c.report(s.source, RefLoop, "the schema is defined by itself: the repetition is left out")
	}
}

// nullUnion returns the union that a nullable schema is.
func (c *compiler) nullUnion(s *schema) *schema {
	if s.orNull == nil {
		rest := c.derive(s, nonNull)
		rest.nullable = false
		s.orNull = c.newUnion(s.source, []*schema{rest, c.kindSchema(Null)})
	}
	return s.orNull
}

// withoutApplicators returns the schema that says the own keywords of s only.
func (c *compiler) withoutApplicators(s *schema) *schema {
	if len(s.refs) == 0 && len(s.allOf) == 0 && len(s.unions) == 0 {
		return s
	}
	if s.alone == nil {
		s.alone = c.derive(s, alone)
		s.alone.name, s.alone.refs, s.alone.allOf, s.alone.unions = "", nil, nil, nil
	}
	return s.alone
}

// variants distributes the unions of a conjunction over it. It returns nil
// where that is too complex.
func (c *compiler) variants(list conjunction, depth int) []variant {
	if len(list) != 1 {
		return c.distribute(list, depth)
	}
	s := list[0]
	if s.variants == nil && !s.endless {
		loops := c.loops
		all := c.distribute(list, depth)
		if c.loops != loops {
			return all // in another place more may be said
		}
		s.variants, s.endless = all, all == nil
	}
	return s.variants
}

func (c *compiler) distribute(list conjunction, depth int) []variant {
	if depth > maxNesting {
		c.tooComplex(list[0].source, "anyOf and oneOf are nested too deep")
		return nil
	}
	g := c.gather(list)
	all := []variant{{own: g.own}}
	for _, u := range g.unions {
		if u.expanding { // within one of its alternatives, which says nothing by that
			c.loops++
			c.loop(u)
			continue
		}
		u.expanding = true
		var one []variant
		for _, alternative := range u.alternatives {
			one = append(one, c.variants(conjunction{alternative}, depth+1)...)
			if !c.spend(1 + len(one)) {
				break
			}
		}
		u.expanding = false
		if all = c.product(all, distinct(one)); all == nil {
			return nil
		}
	}
	return all
}

// product pairs each variant of a with each of b.
func (c *compiler) product(a, b []variant) []variant {
	if len(a)*len(b) > maxVariants {
		c.tooComplex(nil, "anyOf and oneOf multiply to too many alternatives")
		return nil
	}
	var all []variant
	for _, v := range a {
		for _, w := range b {
			if !c.spend(1 + len(v.own) + len(w.own) + len(v.own)*len(w.own)/8) {
				return nil
			}
			pair := append(v.own[:len(v.own):len(v.own)], w.own...)
			all = append(all, variant{own: withoutRepetition(pair, len(v.own))})
		}
	}
	return distinct(all)
}

// withoutRepetition removes from list[n:] what is in list[:n].
func withoutRepetition(list []*schema, n int) []*schema {
	kept := list[:n]
	for _, s := range list[n:] {
		if !slices.Contains(list[:n], s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// distinct removes the variants that are there already.
func distinct(all []variant) []variant {
	if len(all) < 2 {
		return all
	}
	seen := make(map[string]bool, len(all))
	var key []byte
	kept := all[:0:0]
	for _, v := range all {
		key = appendKey(key[:0], v.own)
		if !seen[string(key)] {
			seen[string(key)] = true
			kept = append(kept, v)
		}
	}
	return kept
}

// appendKey appends what tells the list from every other list of the tool.
func appendKey(b []byte, list []*schema) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(s.id))
	}
	return b
}
