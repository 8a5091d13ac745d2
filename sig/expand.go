package sig

import (
	"encoding/binary"
	"slices"
)

// All schemas of a conjunction must hold. Distributing its unions gives its variants,
// conjunctions of what schemas demand themselves. One of them must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so a recursive schema
// that goes through them does not recurse here.

// variant is a list of schemas. What they demand themselves holds together.
type variant struct {
	own    []*schema
	domain domain
}

// restrictsBelow reports whether v has keywords for properties or elements.
func (v variant) restrictsBelow() bool {
	return slices.ContainsFunc(v.own, (*schema).restrictsBelow)
}

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
	c.work -= n
	if c.work < 0 {
		c.tooComplex(nil, "the schema expands into more than can be compiled")
	}
	return c.work >= 0
}

func (c *compiler) tooComplex(v *value, message string) {
	if !c.complex {
		c.complex = true
		c.report(v, "too-complex", "%s: what lies beyond is untyped", message)
	}
}

// expand returns the variants of a schema, none if they are too complex.
func (c *compiler) expand(s *schema, depth int) []variant {
	switch {
	case s.variants != nil:
		return s.variants
	case s.onPath:
		c.loops++
		c.report(s.source, "ref-loop",
			"the schema is defined in terms of itself: the repetition is ignored")
		return []variant{{}} // what it demands applies already
	case depth > maxNesting:
		c.tooComplex(s.source, "allOf, anyOf, oneOf and $ref are nested too deep")
		return nil
	}
	loops := c.loops
	s.onPath = true
	all := c.distribute(c.readSchema(s), depth+1)
	s.onPath = false
	if c.loops == loops { // otherwise they depend on the schemas being expanded
		s.variants = all
	}
	return all
}

// distribute combines what a schema demands with the variants of its references and
// alternatives.
func (c *compiler) distribute(s *schema, depth int) []variant {
	all := []variant{{}}
	if s.demands {
		all[0].own = []*schema{s}
	}
	if !c.spend(1) {
		return all[:0]
	}
	for _, other := range s.all {
		all = c.product(all, c.expand(other, depth))
	}
	for _, alternatives := range s.any {
		var one []variant
		for _, a := range c.distinctSchemas(alternatives) {
			some := c.expand(a, depth)
			if len(some) == 0 || !c.spend(1+len(some)) {
				return all[:0]
			}
			one = append(one, some...)
		}
		all = c.product(all, distinct(one))
	}
	return all
}

// distinctSchemas removes schemas that are the same JSON as an earlier one. Alternatives that
// repeat common properties often contain such.
func (c *compiler) distinctSchemas(list []*schema) []*schema {
	if len(list) < 2 {
		return list
	}
	seen := make(set[string], len(list))
	return slices.DeleteFunc(slices.Clone(list), func(s *schema) bool {
		return s.source != nil && c.spend(len(s.source.raw)/8) &&
			!seen.add(string(s.source.appendCanonical(nil)))
	})
}

// product combines each variant of a with each of b. It takes over a.
func (c *compiler) product(a, b []variant) []variant {
	all := a[:0:0]
	if len(a)*len(b) > maxVariants {
		c.tooComplex(nil, "anyOf and oneOf multiply to too many alternatives")
		return all
	}
	for _, v := range a {
		for _, w := range b {
			own := v.own
			if len(b) > 1 {
				own = slices.Clone(own)
			}
			compared := len(own) * len(w.own)
			if !c.spend(1 + len(w.own) + compared/64) {
				return a[:0]
			}
			for _, s := range w.own {
				if !slices.Contains(v.own, s) {
					own = append(own, s)
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
	seen := make(set[string], len(all))
	return slices.DeleteFunc(slices.Clone(all), func(v variant) bool {
		return !seen.add(string(appendKey(nil, v.own)))
	})
}

// set is a set of keys.
type set[K comparable] map[K]bool

// add adds a key, and reports whether it is new.
func (s set[K]) add(key K) bool {
	before := len(s)
	s[key] = true
	return len(s) > before
}

// appendKey appends a key that is unique to the list within the tool.
func appendKey(b []byte, list []*schema) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(s.id))
	}
	return b
}
