package sig

import (
	"slices"

	"github.com/callwire/callwire/internal/lexeme"
)

// objectVariant is what a variant demands of objects, as if all of its keywords were in one
// schema. It is closed if additionalProperties is false, or if it has the keyword properties
// and none for other properties.
type objectVariant struct {
	own       []*keywords
	patterned []*keywords // those of own that have patterns
	closed    bool
	extra     conjunction              // undeclared properties; empty and not closed: anything
	declared  map[string]conjunction   // declared properties
	tolerated map[string][]conjunction // by conditions only, one entry for each
	required  map[string]bool
	names     []string // of declared and tolerated properties, in order
}

// fillObject unites the variants that allow objects. A property has the types of
// all variants that mention it; a variant that merely allows any other
// property adds nothing. Otherwise the usual union of open objects that differ in
// their properties would be untyped.
func (c *compiler) fillObject(p place) {
	var variants []*objectVariant
	var extra []conjunction
	for _, v := range p.variants {
		if v.domain.kinds&Object != 0 {
			o := c.objectVariant(v)
			variants = append(variants, o)
			if !o.closed {
				extra = append(extra, o.extra)
			}
		}
	}
	if len(variants) == 0 {
		return
	}
	names := propertyNames(variants)
	if !c.spend(len(names) * len(variants)) {
		return // the properties are not known
	}
	p.Closed = extra == nil
	p.Fields = make([]Field, len(names))
	for i, name := range names {
		p.Fields[i] = c.field(variants, name, i)
	}
	p.indexFields()
	c.checkRequired(variants, p.Type)
	c.fillPatterns(p.Type, variants)
	p.Extra = c.typeOf(extra...)
}

func (c *compiler) objectVariant(v variant) *objectVariant {
	o := &objectVariant{
		own:      v.own,
		declared: make(map[string]conjunction),
		required: make(map[string]bool),
	}
	var declares, open bool
	for _, k := range v.own {
		declares = declares || k.declares
		open = open || k.open
		o.closed = o.closed || k.closed
		if k.extra != nil {
			o.extra = append(o.extra, k.extra)
		}
		if len(k.patterns) > 0 {
			o.patterned = append(o.patterned, k)
		}
		for _, p := range k.properties {
			list, known := o.declared[p.name]
			if !known {
				o.names = append(o.names, p.name)
			}
			o.declared[p.name] = append(list, p.schema)
			if c.readSchema(p.schema).requiredHere() {
				o.required[p.name] = true
			}
		}
		for _, name := range k.required {
			o.required[name] = true
		}
	}
	o.closed = o.closed || declares && !open
	if o.closed {
		o.extra = nil
	}
	c.tolerate(o, v.own, 0)
	return o
}

// maxConditions bounds conditions within conditions.
const maxConditions = 8

// tolerate adds the properties that only conditional schemas declare: accepted, but
// never required.
func (c *compiler) tolerate(o *objectVariant, own []*keywords, depth int) {
	for _, k := range own {
		for _, cond := range k.conditions {
			if depth > maxConditions {
				return
			}
			for _, v := range c.expand(conjunction{cond.schema}, 0) {
				for _, k := range v.own {
					for _, p := range k.properties {
						if !c.spend(1) {
							return
						}
						o.tolerate(p, cond.test)
					}
				}
				c.tolerate(o, v.own, depth+1)
			}
		}
	}
}

func (o *objectVariant) tolerate(p property, untyped bool) {
	if o.declared[p.name] != nil {
		return
	}
	if o.tolerated == nil {
		o.tolerated = make(map[string][]conjunction)
	}
	list, known := o.tolerated[p.name]
	if !known {
		o.names = append(o.names, p.name)
	}
	as := conjunction{p.schema}
	if untyped {
		as = nil
	}
	o.tolerated[p.name] = append(list, as)
}

// propertyNames returns the names of all properties in source order, followed by those
// that are required but not declared.
func propertyNames(variants []*objectVariant) []string {
	names := slices.Clip(variants[0].names)
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		seen[name] = true
	}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, v := range variants[1:] {
		for _, name := range v.names {
			add(name)
		}
	}
	for _, k := range variants[0].own {
		for _, name := range k.required {
			if every(variants, func(v *objectVariant) bool { return v.required[name] }) {
				add(name)
			}
		}
	}
	return names
}

func every(variants []*objectVariant, holds func(*objectVariant) bool) bool {
	return !slices.ContainsFunc(variants, func(v *objectVariant) bool { return !holds(v) })
}

func (c *compiler) field(variants []*objectVariant, name string, index int) Field {
	f := Field{Name: name, Index: index, Plain: isLetters(name)}
	f.JSONKey = append(lexeme.AppendQuoted(nil, name), ':')
	f.Required = every(variants, func(v *objectVariant) bool { return v.required[name] })
	var unions []conjunction
	for _, v := range variants {
		switch list := v.declared[name]; {
		case list != nil:
			unions = append(unions, list)
			c.checkNever(name, list)
		case v.tolerated[name] != nil:
			unions = append(unions, v.tolerated[name]...)
		default:
			unions = append(unions, v.undeclared(func(p *patternProperty) bool {
				return p.matches == nil ||
					c.spend(1+len(name)*p.size/64) && p.matches.MatchString(name)
			})...)
		}
	}
	f.Type = c.typeOf(unions...)
	return f
}

// checkNever reports, once, a property that is declared as false.
func (c *compiler) checkNever(name string, declared conjunction) {
	for _, s := range declared {
		if s.source.is(Boolean) && !s.source.isTrue() && !s.never {
			s.never = true
			c.report(s.source, contradiction,
				"the property %q is declared as false: no value is allowed here", name)
		}
	}
}

// isLetters reports whether the name consists of letters, digits, _ and -.
func isLetters(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

// undeclared returns the schemas for undeclared properties: those of the patterns that
// match, otherwise those for all others.
func (v *objectVariant) undeclared(matches func(*patternProperty) bool) []conjunction {
	var list conjunction
	for _, k := range v.patterned {
		for i := range k.patterns {
			if matches(&k.patterns[i]) {
				list = append(list, k.patterns[i].schema)
			}
		}
	}
	if list == nil {
		list = v.extra
	}
	if len(list) == 0 {
		return nil
	}
	return []conjunction{list}
}

// checkRequired reports required properties that are not declared.
func (c *compiler) checkRequired(variants []*objectVariant, t *Type) {
	for _, v := range variants {
		for _, k := range v.own {
			if k.checked {
				continue
			}
			k.checked = true
			for _, name := range k.required {
				declares := func(v *objectVariant) bool { return v.declared[name] != nil }
				if slices.ContainsFunc(variants, declares) {
					continue
				}
				read := "read as optional"
				if t.Field([]byte(name)) != nil {
					read = "read as declared and untyped"
				}
				c.report(k.source.get("required"), undeclaredRequired,
					"%q is required but not declared: "+read, name)
			}
		}
	}
}

func (c *compiler) fillPatterns(t *Type, variants []*objectVariant) {
	seen := make(map[string]bool)
	size := 0
	for _, v := range variants {
		for _, k := range v.patterned {
			for _, p := range k.patterns {
				if seen[p.source] || !c.spend(len(variants)) {
					continue
				}
				seen[p.source] = true
				var unions []conjunction
				for _, v := range variants {
					unions = append(unions, v.undeclared(func(q *patternProperty) bool {
						return q.source == p.source
					})...)
				}
				if size += p.size; size > maxPatternSize {
					c.report(p.schema.source, badPattern,
						"the patterns here take too long together: this one matches every key")
					p.matches = nil
				}
				t.patterns = append(t.patterns, pattern{p.matches, c.typeOf(unions...)})
				if p.matches == nil {
					return // no key gets as far as the others
				}
			}
		}
	}
}

// fillArray unites the variants that allow arrays, element by element. As with
// properties, a variant without keywords for an element adds nothing.
func (c *compiler) fillArray(p place) {
	var variants []variant
	longest := 0
	for _, v := range p.variants {
		if v.domain.kinds&Array != 0 {
			variants = append(variants, v)
			for _, k := range v.own {
				longest = max(longest, len(k.prefix))
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
		for _, k := range v.own {
			if i < len(k.prefix) {
				list = append(list, k.prefix[i])
			} else if k.rest != nil {
				list = append(list, k.rest)
			}
		}
		if list != nil {
			unions = append(unions, list)
		}
	}
	return c.typeOf(unions...)
}
