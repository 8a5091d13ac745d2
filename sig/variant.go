package sig

import (
	"encoding/binary"
	"slices"
)

// Schemas that apply at one place form a conjunction: all of them must hold.
// Distributing its unions gives its variants, conjunctions of own keywords only,
// one of which must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so a recursive schema
// that goes through them does not recurse here.

// conjunction is a list of schemas that all apply at one place.
type conjunction []*schema

// variant is a conjunction whose own keywords alone count.
type variant struct {
	own    []*schema
	domain domain
}

// silent reports whether v says nothing at all: it allows every value.
func (v variant) silent() bool { return len(v.own) == 0 }

// saysBelow reports whether v says anything of properties or elements.
func (v variant) saysBelow() bool {
	return slices.ContainsFunc(v.own, func(s *schema) bool { return s.object.stated || s.array.stated || len(s.object.conditions) > 0 })
}

// The bounds of compilation. Real schemas come nowhere near them; beyond them a
// place is untyped.
const (
	maxNesting  = 200  // of applicators within applicators
	maxVariants = 1024 // at one place
	toolWork    = 1 << 17
	byteWork    = 16 // work allowed for each byte of the schema, in addition to toolWork
)

// spend subtracts n from the work left for the tool, and reports whether there was
// enough.
func (c *compiler) spend(n int) bool {
	if c.work -= n; c.work >= 0 {
		return true
	}
	c.tooComplex(nil, "the schema expands into more than can be compiled")
	return false
}

func (c *compiler) tooComplex(v *value, message string) {
	if !c.complex {
		c.complex = true
		c.report(v, TooComplex, "%s: what lies beyond is untyped", message)
	}
}

// gathered is a conjunction with its references and allOf followed: the schemas
// whose own keywords apply, and the unions, each of which applies by one of its
// alternatives.
type gathered struct {
	own    []*schema
	unions []*schema
}

// gather follows the references and allOf of all schemas in the list. A schema
// that is reached twice counts once, since it adds nothing the second time.
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

// loop reports, once, that s is defined in terms of itself.
func (c *compiler) loop(s *schema) {
	if !s.looped {
		s.looped = true
		c.report(s.source, RefLoop, "the schema is defined in terms of itself: the repetition is ignored")
	}
}

// nullUnion returns a nullable schema as a union with null.
func (c *compiler) nullUnion(s *schema) *schema {
	if s.orNull == nil {
		rest := c.derive(s, nonNull)
		rest.nullable = false
		s.orNull = c.newUnion(s.source, []*schema{rest, c.kindSchema(Null)})
	}
	return s.orNull
}

// withoutApplicators returns a schema with only the own keywords of s.
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

// variants distributes the unions of a conjunction. It returns nil if that is too
// complex.
func (c *compiler) variants(list conjunction, depth int) []variant {
	if len(list) != 1 {
		return c.distribute(list, depth)
	}
	s := list[0]
	if s.variants == nil && !s.endless {
		loops := c.loops
		all := c.distribute(list, depth)
		if c.loops != loops {
			return all // depends on the unions being expanded, so it is not kept
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
		if u.expanding { // inside one of its own alternatives, where it adds nothing
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

// product combines each variant of a with each of b.
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

// distinct removes repeated variants.
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

// appendKey appends a key that is unique to the list within the tool.
func appendKey(b []byte, list []*schema) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(s.id))
	}
	return b
}
