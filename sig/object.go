package sig

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// object is what a variant demands of objects, as if all of its keywords were in one
// schema. It is closed if additionalProperties is false, or if it has the keyword properties
// and none for other properties.
type object struct {
	own      []*schema
	declared byName
	patterns byName
	required set[string]
	closed   bool
	extra    []*schema // undeclared properties; empty and not closed: anything
}

// byName are the schemas of properties, or of patterns, by name. Those of one name hold
// together.
type byName struct {
	names   []string // in source order
	schemas map[string][]*schema
}

func (b *byName) add(list ...property) {
	if b.schemas == nil && list != nil {
		b.schemas = make(map[string][]*schema, len(list))
	}
	for _, p := range list {
		known := b.schemas[p.name]
		if known == nil {
			b.names = append(b.names, p.name)
		}
		b.schemas[p.name] = append(known, p.schema)
	}
}

// fillObject unites the variants that allow objects. A property has the types of
// all variants that mention it; a variant that merely allows any other
// property adds nothing. Otherwise the usual union of open objects that differ in
// their properties would be untyped.
func (c *compiler) fillObject(p place) {
	var objects []*object
	var extra []*schema
	for _, v := range p.variants {
		if v.domain.kinds&Object != 0 {
			o := c.objectOf(v)
			objects = append(objects, o)
			if !o.closed {
				extra = append(extra, allOf(o.extra))
			}
		}
	}
	if len(objects) == 0 {
		return
	}
	names := c.propertyNames(objects)
	if !c.spend(len(names) * len(objects)) {
		return // the properties are not known
	}
	p.Closed = extra == nil
	p.Fields = make([]Field, len(names))
	for i, name := range names {
		p.Fields[i] = Field{
			Name: name, Index: i,
			JSONKey:  append(lexeme.AppendQuoted(nil, name), ':'),
			Required: isRequired(objects, name),
			Type:     c.typeOf(c.property(objects, name)),
		}
	}
	p.indexFields()
	for i := 0; p.Limits != nil && i < len(p.Limits.Needs); i++ {
		need := p.Limits.Needs[i]
		if f := p.Field([]byte(need.Name)); f != nil {
			f.needs = append(f.needs, need.Others)
		}
	}
	c.fillPatterns(p.Type, objects)
	p.Extra = c.typeOf(anyOf(extra))
}

// isRequired reports whether all variants require the property.
func isRequired(objects []*object, name string) bool {
	return !slices.ContainsFunc(objects, func(o *object) bool { return !o.required[name] })
}

func (c *compiler) objectOf(v variant) *object {
	o := &object{own: v.own, required: make(set[string])}
	declares, open := false, false
	for _, s := range v.own {
		declares = declares || s.properties != nil
		open = open || s.open
		o.closed = o.closed || s.closed
		o.declared.add(s.properties...)
		o.patterns.add(s.patterns...)
		for _, name := range s.required {
			o.required[name] = true
		}
		if s.extra != nil {
			o.extra = append(o.extra, s.extra)
		}
	}
	o.closed = o.closed || declares && !open
	if o.closed {
		o.extra = nil
	}
	// What only conditions declare is accepted, as one of them declares it.
	var more byName
	more.add(c.conditional(v.own, 0)...)
	for _, name := range more.names {
		if o.declared.schemas[name] == nil {
			o.declared.add(property{name, anyOf(more.schemas[name])})
		}
	}
	return o
}

// maxConditions bounds conditions within conditions.
const maxConditions = 8

// conditional returns the properties that conditions declare.
func (c *compiler) conditional(own []*schema, depth int) (list []property) {
	for _, s := range own {
		for _, cond := range s.conditions {
			for _, v := range c.expand(cond.schema, 0) {
				for _, s := range v.own {
					if !c.spend(len(s.properties)) {
						return list
					}
					for _, p := range s.properties {
						if cond.test {
							p.schema = allOf(nil)
						}
						list = append(list, p)
					}
				}
				if depth < maxConditions {
					list = append(list, c.conditional(v.own, depth+1)...)
				}
			}
		}
	}
	return list
}

// propertyNames returns the names of all properties in source order, followed by those
// that are required but not declared, which it reports.
func (c *compiler) propertyNames(objects []*object) (names []string) {
	declared, added := make(set[string]), make(set[string])
	for _, o := range objects {
		for _, name := range o.declared.names {
			if declared.add(name) {
				names = append(names, name)
			}
		}
	}
	for _, o := range objects {
		for _, s := range o.own {
			for _, name := range s.required {
				if declared[name] {
					continue
				}
				read := "read as optional"
				if isRequired(objects, name) {
					read = "read as declared and untyped"
					if added.add(name) {
						names = append(names, name)
					}
				}
				if !s.checked {
					c.report(s.source.get("required"), "undeclared-required",
						"%q is required but not declared: "+read, name)
				}
			}
			s.checked = true
		}
	}
	return names
}

// property returns the schema of a property.
func (c *compiler) property(objects []*object, name string) *schema {
	matches := func(pattern string) bool {
		p := c.programs[pattern]
		return p.matches == nil ||
			c.spend(1+len(name)*p.size/64) && p.matches.MatchString(name)
	}
	var list []*schema
	for _, o := range objects {
		declared := o.declared.schemas[name]
		for _, s := range declared {
			if s.source.is(Boolean) && !s.source.isTrue() {
				c.report(s.source, "contradiction",
					"the property %q is declared as false: no value is allowed here", name)
			}
		}
		if declared == nil {
			declared = o.undeclared(matches)
		}
		if declared != nil {
			list = append(list, allOf(declared))
		}
	}
	return anyOf(list)
}

// undeclared returns the schemas for undeclared properties, those of the patterns that match
// or else those for all others.
func (o *object) undeclared(matches func(pattern string) bool) (list []*schema) {
	for _, pattern := range o.patterns.names {
		if matches(pattern) {
			list = append(list, o.patterns.schemas[pattern]...)
		}
	}
	if list == nil {
		return o.extra
	}
	return list
}

func (c *compiler) fillPatterns(t *Type, objects []*object) {
	seen, size := make(set[string]), 0
	for _, o := range objects {
		for _, name := range o.patterns.names {
			if !seen.add(name) || !c.spend(len(objects)) {
				continue
			}
			var list []*schema
			for _, o := range objects {
				some := o.undeclared(func(other string) bool { return other == name })
				if some != nil {
					list = append(list, allOf(some))
				}
			}
			p := c.programs[name]
			size += p.size
			if size > maxPatternSize {
				p.matches = nil
				c.report(o.patterns.schemas[name][0].source, "bad-pattern",
					"the patterns here take too long together: this one matches every key")
			}
			t.patterns = append(t.patterns, pattern{p.matches, c.typeOf(anyOf(list))})
			if p.matches == nil {
				return // no key gets as far as the others
			}
		}
	}
}

// pattern is a pattern of patternProperties; one without matches matches every name.
type pattern struct {
	matches *regexp.Regexp
	typ     *Type
}

// program is a compiled pattern.
type program struct {
	matches *regexp.Regexp // nil matches every key
	size    int            // how many instructions it has
	problem string         // why it matches every key
}

// A byte of a key can take as many steps as the pattern's program has instructions,
// about five nanoseconds each, so longer patterns are not run.
const (
	maxPattern     = 512 // bytes of one pattern
	maxPatternSize = 600 // instructions of all patterns of an object
)

// addProgram compiles the pattern of a schema, once, and reports why it cannot be run.
func (c *compiler) addProgram(pattern property) {
	source := pattern.name
	p, known := c.programs[source]
	cost := len(source)
	if strings.Contains(source, "{") {
		cost *= 500 // a repetition is compiled into copies of what it repeats
	}
	switch tree, err := syntax.Parse(source, syntax.Perl); {
	case known:
	case len(source) > maxPattern:
		p.problem = fmt.Sprintf("the pattern is longer than %d bytes: it", maxPattern)
	case err != nil:
		p.problem = err.Error() + ": the pattern"
	case c.spend(cost):
		code, err := syntax.Compile(tree.Simplify())
		if err == nil && len(code.Inst) <= maxPatternSize {
			p = program{matches: regexp.MustCompile(source), size: len(code.Inst)}
		} else {
			p.problem = "the pattern repeats too much: it"
		}
	}
	c.programs[source] = p
	if p.problem != "" {
		c.report(pattern.schema.source, "bad-pattern", "%s matches every key", p.problem)
	}
}

// fillArray unites the variants that allow arrays, element by element. As with
// properties, a variant without keywords for an element adds nothing.
func (c *compiler) fillArray(p place) {
	var arrays [][]*schema
	longest := 0
	for _, v := range p.variants {
		if v.domain.kinds&Array != 0 {
			arrays = append(arrays, v.own)
			for _, s := range v.own {
				longest = max(longest, len(s.prefix))
			}
		}
	}
	if len(arrays) == 0 || !c.spend((longest+1)*len(arrays)) {
		return
	}
	for i := range longest {
		p.Prefix = append(p.Prefix, c.element(arrays, i))
	}
	p.Items = c.element(arrays, longest)
}

// element returns the type of the element at index i.
func (c *compiler) element(arrays [][]*schema, i int) *Type {
	var all []*schema
	for _, own := range arrays {
		var list []*schema
		for _, s := range own {
			if i < len(s.prefix) {
				list = append(list, s.prefix[i])
			} else if s.rest != nil {
				list = append(list, s.rest)
			}
		}
		if list != nil {
			all = append(all, allOf(list))
		}
	}
	return c.typeOf(anyOf(all))
}
