package sig

import (
	"github.com/callwire/callwire/internal/lexeme"
)

// objectVariant is what a variant demands of objects.
type objectVariant struct {
	own       []*keywords
	matched   []*keywords // those of own that have patterns
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
	var variants []objectVariant
	for _, v := range p.variants {
		if v.domain.kinds&Object != 0 {
			variants = append(variants, c.objectVariant(v))
		}
	}
	if len(variants) == 0 {
		return
	}
	p.Closed = true
	for i := range variants {
		p.Closed = p.Closed && variants[i].closed
	}
	names := namesOf(variants)
	if !c.spend(len(names) * len(variants)) {
		p.Closed = false // the properties are not known
		return
	}
	p.Fields = make([]Field, len(names))
	for i, name := range names {
		p.Fields[i] = c.field(variants, name, i)
	}
	p.indexFields()
	c.checkRequired(variants, p.Type)
	c.fillPatterns(p.Type, variants)
	if !p.Closed {
		var unions []conjunction
		for i := range variants {
			if !variants[i].closed {
				unions = append(unions, variants[i].extra)
			}
		}
		p.Extra = c.typeOf(unions...)
	}
}

// objectVariant merges the keywords of a variant, as if they were in one schema. It is closed
// if additionalProperties is false, or if it has the keyword properties and none for
// other properties.
func (c *compiler) objectVariant(v variant) objectVariant {
	o := objectVariant{
		own:      v.own,
		declared: make(map[string]conjunction),
		required: make(map[string]bool),
	}
	var declares, open, closed bool
	for _, k := range v.own {
		declares = declares || k.declares
		open = open || k.open
		closed = closed || k.closed
		if k.extra != nil {
			o.extra = append(o.extra, k.extra)
		}
		if len(k.patterns) > 0 {
			o.matched = append(o.matched, k)
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
	o.closed = closed || declares && !open
	if o.closed {
		o.extra = nil
	}
	c.tolerate(&o, v.own, 0)
	return o
}

// tolerate adds the properties that conditional schemas declare: accepted, but
// never required.
func (c *compiler) tolerate(o *objectVariant, own []*keywords, depth int) {
	if depth > maxConditions {
		return
	}
	for _, s := range own {
		for _, cond := range s.conditions {
			for _, v := range c.expand(conjunction{cond.schema}, 0) {
				for _, s := range v.own {
					for _, p := range s.properties {
						if !c.spend(1) {
							return
						}
						as := conjunction{p.schema}
						if cond.test {
							as = nil
						}
						o.tolerate(p.name, as)
					}
				}
				c.tolerate(o, v.own, depth+1)
			}
		}
	}
}

// maxConditions bounds conditions within conditions.
const maxConditions = 8

func (o *objectVariant) tolerate(name string, as conjunction) {
	if o.declared[name] != nil {
		return
	}
	if o.tolerated == nil {
		o.tolerated = make(map[string][]conjunction)
	}
	list, known := o.tolerated[name]
	if !known {
		o.names = append(o.names, name)
	}
	o.tolerated[name] = append(list, as)
}

// namesOf returns the names of all properties in source order, followed by those
// that are required but not declared.
func namesOf(variants []objectVariant) []string {
	if len(variants) == 0 {
		return nil
	}
	names := variants[0].names[:len(variants[0].names):len(variants[0].names)]
	seen := make(map[string]bool)
	for _, name := range names {
		seen[name] = true
	}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for i := range variants[1:] {
		for _, name := range variants[1+i].names {
			add(name)
		}
	}
	for _, s := range variants[0].own {
		for _, name := range s.required {
			if requiredByAll(variants, name) {
				add(name)
			}
		}
	}
	return names
}

func requiredByAll(variants []objectVariant, name string) bool {
	for i := range variants {
		if !variants[i].required[name] {
			return false
		}
	}
	return true
}

// declaredByAny reports whether a variant declares the property.
func declaredByAny(variants []objectVariant, name string) bool {
	for i := range variants {
		if variants[i].declared[name] != nil {
			return true
		}
	}
	return false
}

func (c *compiler) field(variants []objectVariant, name string, index int) Field {
	f := Field{Name: name, Index: index, Required: true}
	f.JSONKey = append(lexeme.AppendQuoted(nil, name), ':')
	var unions []conjunction
	for i := range variants {
		v := &variants[i]
		f.Required = f.Required && v.required[name]
		list := v.declared[name]
		if list == nil {
			unions = append(unions, v.undeclared(c, name)...)
			continue
		}
		unions = append(unions, list)
		for _, p := range list {
			if p.source.is(Boolean) && p.source.text == "false" && !p.never {
				p.never = true
				c.report(p.source, contradiction,
					"the property %q is declared as false: no value is allowed here", name)
			}
		}
	}
	f.Type = c.typeOf(unions...)
	f.Plain = isLetters(f.Name)
	return f
}

// isLetters reports whether the name consists of letters, digits, _ and -.
func isLetters(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && c != '_' && c != '-' {
				return false
			}
		}
	}
	return name != ""
}

// undeclared returns the schemas for a property that the variant does not declare.
func (v *objectVariant) undeclared(c *compiler, name string) []conjunction {
	if as := v.tolerated[name]; as != nil {
		return as
	}
	if list := v.matching(c, name); list != nil {
		return []conjunction{list}
	}
	return v.others()
}

// others returns the schemas for all undeclared properties.
func (v *objectVariant) others() []conjunction {
	if len(v.extra) == 0 {
		return nil
	}
	return []conjunction{v.extra}
}

// matching returns the schemas of the patterns that match the name.
func (v *objectVariant) matching(c *compiler, name string) (list conjunction) {
	for _, s := range v.matched {
		for i := range s.patterns {
			p := &s.patterns[i]
			if p.matches == nil || c.spend(1+len(name)*p.size/64) && p.matches.MatchString(name) {
				list = append(list, p.schema)
			}
		}
	}
	return list
}

// checkRequired reports required properties that are not declared.
func (c *compiler) checkRequired(variants []objectVariant, t *Type) {
	for i := range variants {
		for _, s := range variants[i].own {
			if s.checked {
				continue
			}
			s.checked = true
			for _, name := range s.required {
				if declaredByAny(variants, name) {
					continue
				}
				read := "read as optional"
				if t.Field([]byte(name)) != nil {
					read = "read as declared and untyped"
				}
				c.report(s.source.get("required"), undeclaredRequired,
					"%q is required but not declared: "+read, name)
			}
		}
	}
}

func (c *compiler) fillPatterns(t *Type, variants []objectVariant) {
	seen := make(map[string]bool)
	size := 0
	for i := range variants {
		for _, s := range variants[i].own {
			for _, p := range s.patterns {
				if seen[p.source] || !c.spend(len(variants)) {
					continue
				}
				seen[p.source] = true
				var unions []conjunction
				for j := range variants {
					unions = append(unions, variants[j].patterned(p.source)...)
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

// patterned returns the schemas for undeclared properties that match the pattern.
func (v *objectVariant) patterned(source string) []conjunction {
	var list conjunction
	for _, s := range v.own {
		for _, p := range s.patterns {
			if p.source == source {
				list = append(list, p.schema)
			}
		}
	}
	if list != nil {
		return []conjunction{list}
	}
	return v.others()
}
