package sig

import "slices"

// All schemas of a conjunction must hold. Distributing its unions gives its variants,
// conjunctions of what schemas demand themselves. One of them must hold:
//
//	A and (B or C)  =  (A and B) or (A and C)
//
// Everything that is local to a place is decided variant by variant. What lies
// below the place, in properties and items, is not looked at, so a recursive schema
// that goes through them does not recurse here.

// variant is a list of schemas. What they demand themselves holds together.
type variant []*schema

// restrictsBelow reports whether v has keywords for properties or elements.
func (v variant) restrictsBelow() bool {
	return slices.ContainsFunc(v, (*schema).restrictsBelow)
}

// source returns where v comes from: its first schema that is in the source, nil if none is.
func (v variant) source() *value {
	for _, s := range v {
		if s.source != nil {
			return s.source
		}
	}
	return nil
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
		return []variant{nil} // what it demands applies already
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
	all := []variant{nil}
	if s.demands {
		all[0] = variant{s}
	}
	if !c.spend(1) {
		return all[:0]
	}
	for _, other := range s.all {
		all = c.product(all, c.expand(other, depth))
	}
	for _, alternatives := range s.any {
		var one []variant
		for _, a := range alternatives {
			if a.source.isJust(Null) { // often next to a reference
				a = c.ofKind(Null)
			}
			some := c.expand(a, depth)
			if len(some) == 0 || !c.spend(1+len(some)) {
				return all[:0]
			}
			one = append(one, some...)
		}
		all = c.product(all, c.distinct(one))
	}
	return all
}

// product combines each variant of a with each of b. It takes over a.
func (c *compiler) product(a, b []variant) []variant {
	if len(a)*len(b) > maxVariants {
		c.tooComplex(nil, "anyOf and oneOf multiply to too many alternatives")
		return nil
	}
	all := make([]variant, 0, len(a)*len(b))
	for _, v := range a {
		for _, w := range b {
			compared := len(v) * len(w)
			if !c.spend(1 + len(w) + compared/64) {
				return nil
			}
			both := v
			if len(b) > 1 {
				both = slices.Clone(v)
			}
			for _, s := range w {
				if !slices.Contains(v, s) {
					both = append(both, s)
				}
			}
			all = append(all, both)
		}
	}
	return c.distinct(all)
}

// distinct removes repeated variants. Alternatives often repeat common properties.
func (c *compiler) distinct(all []variant) []variant {
	if len(all) < 2 {
		return all
	}
	seen := make(set[string], len(all))
	return slices.DeleteFunc(slices.Clone(all), func(v variant) bool {
		var key []byte
		for _, s := range v {
			key = appendKey(key, c.same(s))
		}
		return !seen.add(string(key))
	})
}

// same returns the first schema with the same text.
func (c *compiler) same(s *schema) *schema {
	if s.first == nil {
		s.first = s
		if s.source != nil && c.spend(len(s.source.raw)/8) {
			form, _ := appendCanonical(nil, s.source.raw, maxDepth)
			text := string(form)
			if c.texts[text] == nil {
				c.texts[text] = s
			}
			s.first = c.texts[text]
		}
	}
	return s.first
}
