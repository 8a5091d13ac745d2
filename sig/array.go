package sig

// fillArray unites the variants that allow arrays, element by element. As with
// properties, a variant without keywords for an element adds nothing.
func (c *compiler) fillArray(p place) {
	var variants []variant
	longest := 0
	for _, v := range p.variants {
		if v.domain.kinds&Array != 0 {
			variants = append(variants, v)
			for _, s := range v.own {
				longest = max(longest, len(s.prefix))
			}
		}
	}
	if len(variants) == 0 || !c.spend((longest+1)*len(variants)) {
		return
	}
	for i := range longest {
		p.Prefix = append(p.Prefix, c.element(variants, i))
	}
	p.Items = c.element(variants, longest)
}

// element returns the type of the element at index i.
func (c *compiler) element(variants []variant, i int) *Type {
	unions := make([]conjunction, 0, len(variants))
	for _, v := range variants {
		var list conjunction
		for _, s := range v.own {
			if i < len(s.prefix) {
				list = append(list, s.prefix[i])
			} else if s.rest != nil {
				list = append(list, s.rest)
			}
		}
		if list != nil {
			unions = append(unions, list)
		}
	}
	return c.typeOf(unions...)
}
