package sig

import (
	"encoding/binary"
	"slices"
)

// Schemas that apply at one place form a conjunction: all of them must hold.
// Distributing its unions gives its variants, conjunctions of own keywords only.
// One of them must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so a recursive schema
// that goes through them does not recurse here.

// conjunction is a list of schemas that all apply at one place.
type conjunction []*schema

// variant is a conjunction of keywords.
type variant struct {
	own    []*keywords
	domain domain
}

// saysBelow reports whether v has keywords for properties or elements.
func (v variant) saysBelow() bool { return slices.ContainsFunc(v.own, (*keywords).saysBelow) }

// The bounds of compilation. Real schemas come nowhere near them; beyond them a
// place is untyped.
const (
	maxNesting  = 256  // of applicators within applicators
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
		c.report(v, tooComplex, "%s: what lies beyond is untyped", message)
	}
}

// gathered is a conjunction with its references and allOf followed: the keywords that
// apply, and the unions. Of each union one alternative applies.
type gathered struct {
	own    []*keywords
	unions []*union
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
			c.loop(&s.looped, s.source)
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
	if s.own != nil && !slices.Contains(g.own, s.own) {
		g.own = append(g.own, s.own)
	}
	s.onPath = true
	for _, r := range s.all {
		c.gatherInto(g, r, depth+1)
	}
	s.onPath = false
	g.unions = append(g.unions, s.any...)
}

// loop reports, once, that a schema is defined in terms of itself.
func (c *compiler) loop(reported *bool, source *value) {
	if !*reported {
		*reported = true
		c.report(source, refLoop,
			"the schema is defined in terms of itself: the repetition is ignored")
	}
}

// expand distributes the unions of a conjunction. It returns nil if that is too
// complex.
func (c *compiler) expand(list conjunction, depth int) []variant {
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
			c.loop(&u.looped, u.source)
			continue
		}
		u.expanding = true
		var one []variant
		for _, alternative := range u.alternatives {
			one = append(one, c.expand(conjunction{alternative}, depth+1)...)
			if !c.spend(1 + len(one)) {
				break
			}
		}
		u.expanding = false
		all = c.product(all, distinct(one))
		if all == nil {
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
			own := slices.Clip(v.own)
			for _, k := range w.own {
				if !slices.Contains(v.own, k) {
					own = append(own, k)
				}
			}
			all = append(all, variant{own: own})
		}
	}
	return distinct(all)
}

// distinct removes repeated variants.
func distinct(all []variant) []variant {
	if len(all) < 2 {
		return all
	}
	seen := make(map[string]bool, len(all))
	kept := all[:0:0]
	for _, v := range all {
		key := string(appendKey(nil, v.own))
		if !seen[key] {
			seen[key] = true
			kept = append(kept, v)
		}
	}
	return kept
}

// appendKey appends a key that is unique to the list within the tool.
func appendKey(b []byte, list []*keywords) []byte {
	for _, k := range list {
		b = binary.AppendUvarint(b, uint64(k.id))
	}
	return b
}
