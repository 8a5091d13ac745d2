package sig

import (
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
	required nameList
	closed   bool
	extra    []*schema // undeclared properties; empty and not closed: anything
}

// byName are the schemas of properties, or of patterns, by name. Those of one name hold
// together.
type byName struct {
	nameList
	schemas [][]*schema
}

func (b *byName) add(name string, s *schema) {
	if b.nameList.add(name) {
		b.schemas = append(b.schemas, []*schema{s})
		return
	}
	i := find(&b.nameList, name)
	b.schemas[i] = append(b.schemas[i], s)
}

// of returns the schemas with that name.
func (b *byName) of(name string) []*schema {
	if i := find(&b.nameList, name); i >= 0 {
		return b.schemas[i]
	}
	return nil
}

// fillObject unites the variants that allow objects. A property has the types of
// all variants that mention it; a variant that merely allows any other
// property adds nothing. Otherwise the usual union of open objects that differ in
// their properties would be untyped.
func (c *compiler) fillObject(p place) {
	var objects, literals []*object
	var extra []*schema
	isAny := false
	for _, v := range p.variants {
		if v.domain.kinds&Object == 0 {
			continue
		}
		if p.Free&^v.domain.free&Object != 0 {
			literals = append(literals, c.literalObjects(v)...)
			continue
		}
		o := c.objectOf(v)
		objects = append(objects, o)
		if !o.closed {
			extra = append(extra, allOf(o.extra))
			isAny = isAny || len(o.extra) == 0
		}
	}
	if len(objects) == 0 {
		return
	}
	if !isAny { // otherwise one of the others allows them, too
		objects = append(objects, literals...)
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
		if p.Limits != nil {
			p.Fields[i].needs = p.Limits.Needs[name]
		}
	}
	p.indexFields()
	c.fillPatterns(p.Type, objects)
	p.Extra = c.typeOf(anyOf(extra))
}

// literals returns the arrays or objects of a variant that allows no others.
func (c *compiler) literals(v variant, k Kinds) (all []*value) {
	for _, m := range v.domain.members.members() {
		if m.Kind == k && c.spend(len(m.JSON)) {
			literal, _ := decode(m.JSON, maxDepth) // it was in the schema
			all = append(all, literal)
		}
	}
	return all
}

// literalObjects returns for each object of a variant that allows no others what demands it.
func (c *compiler) literalObjects(v variant) (objects []*object) {
	for _, literal := range c.literals(v, Object) {
		o := &object{closed: true}
		for _, m := range literal.below {
			o.declared.add(m.token, c.ofLiteral(m))
			o.required.add(m.token)
		}
		objects = append(objects, o)
	}
	return objects
}

// isRequired reports whether all variants require the property.
func isRequired(objects []*object, name string) bool {
	isOptional := func(o *object) bool { return find(&o.required, name) < 0 }
	return !slices.ContainsFunc(objects, isOptional)
}

func (c *compiler) objectOf(v variant) *object {
	o := &object{own: v.own}
	declares, open := false, false
	for _, s := range v.own {
		declares = declares || s.properties != nil
		open = open || s.open
		o.closed = o.closed || s.closed
		for _, p := range s.properties {
			o.declared.add(p.source.token, p)
		}
		for _, p := range s.patterns {
			o.patterns.add(p.source.token, p)
		}
		for _, name := range s.required {
			o.required.add(name)
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
	c.conditional(&more, v.own)
	for i, name := range more.list {
		if o.declared.of(name) == nil {
			o.declared.add(name, anyOf(more.schemas[i]))
		}
	}
	return o
}

// maxConditions bounds the conditions of an object, and those within them.
const maxConditions = 1024

// conditional adds the properties that conditions declare.
func (c *compiler) conditional(to *byName, own []*schema) {
	var all []condition
	for _, s := range own {
		all = append(all, s.conditions...)
	}
	for i := 0; i < min(len(all), maxConditions); i++ {
		for _, v := range c.expand(all[i].schema, 0) {
			for _, s := range v.own {
				if !c.spend(1 + len(s.properties)) {
					return
				}
				for _, p := range s.properties {
					name := p.source.token
					if all[i].test {
						p = allOf(nil)
					}
					to.add(name, p)
				}
				all = append(all, s.conditions...)
			}
		}
	}
}

// propertyNames returns the names of all properties in source order, followed by those
// that all variants require but none declares. All that are not declared are reported.
func (c *compiler) propertyNames(objects []*object) []string {
	var declared, names nameList
	for _, o := range objects {
		for _, name := range o.declared.list {
			declared.add(name)
			names.add(name)
		}
	}
	for _, o := range objects {
		for _, s := range o.own {
			for _, name := range s.required {
				if find(&declared, name) >= 0 {
					continue
				}
				if isRequired(objects, name) {
					names.add(name)
				}
				c.report(s.source.get("required"), "undeclared-required",
					"%q is required but not declared: untyped", name)
			}
		}
	}
	return names.list
}

// property returns the schema of a property. Patterns that match it apply to a declared one, too.
func (c *compiler) property(objects []*object, name string) *schema {
	matches := func(pattern string) bool {
		p := c.programs[pattern]
		return c.spend(1+len(name)) && (p == nil || p.MatchString(name))
	}
	return either(objects, func(o *object) []*schema {
		all := slices.Clip(o.declared.of(name))
		if all == nil {
			return o.undeclared(matches)
		}
		for i, pattern := range o.patterns.list {
			if c.programs[pattern] != nil && matches(pattern) {
				all = append(all, o.patterns.schemas[i]...)
			}
		}
		return all
	})
}

// either returns the schema of a place below a union: what one of the variants demands there.
// One that demands nothing adds nothing.
func either[V any](variants []V, demands func(V) []*schema) *schema {
	var list []*schema
	for _, v := range variants {
		if some := demands(v); some != nil {
			list = append(list, allOf(some))
		}
	}
	return anyOf(list)
}

// undeclared returns the schemas for undeclared properties, those of the patterns that match
// or else those for all others.
func (o *object) undeclared(matches func(pattern string) bool) (list []*schema) {
	for i, pattern := range o.patterns.list {
		if matches(pattern) {
			list = append(list, o.patterns.schemas[i]...)
		}
	}
	if list == nil {
		return o.extra
	}
	return list
}

// fillPatterns adds the patterns, up to one that matches every key.
func (c *compiler) fillPatterns(t *Type, objects []*object) {
	var all nameList
	for _, o := range objects {
		for _, name := range o.patterns.list {
			if !all.add(name) || !c.spend(len(objects)) {
				continue
			}
			isIt := func(other string) bool { return other == name }
			s := either(objects, func(o *object) []*schema { return o.undeclared(isIt) })
			matches := c.programs[name]
			t.patterns = append(t.patterns, pattern{matches, c.typeOf(s)})
			if matches == nil {
				return
			}
		}
	}
}

// pattern is a pattern of patternProperties; one without matches matches every name.
type pattern struct {
	matches *regexp.Regexp
	typ     *Type
}

// A byte of a key can take as many steps as the patterns' programs have instructions,
// about five nanoseconds each, so longer patterns are not run.
const (
	maxPattern     = 512 // bytes of one pattern
	maxPatternSize = 600 // instructions of all patterns of a tool
)

// addPattern compiles the pattern that is the key of v, once. One that cannot be run matches
// every key, and is reported.
func (c *compiler) addPattern(v *value) {
	source := v.token
	if _, known := c.programs[source]; known {
		return
	}
	c.programs[source] = nil
	cost := len(source)
	if strings.Contains(source, "{") {
		cost *= 500 // a repetition is compiled into copies of what it repeats
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err == nil && len(source) <= maxPattern && c.spend(cost) {
		program, err := syntax.Compile(tree.Simplify())
		if err == nil && c.patternSize+len(program.Inst) <= maxPatternSize {
			c.patternSize += len(program.Inst)
			c.programs[source] = regexp.MustCompile(source)
			return
		}
	}
	problem := "it is too long, repeats too much or comes after too many others"
	if err != nil {
		problem = err.Error()
	}
	c.report(v, "bad-pattern", "the pattern matches every key: %s", problem)
}

// fillArray unites the variants that allow arrays, element by element. As with
// properties, a variant without keywords for an element adds nothing.
func (c *compiler) fillArray(p place) {
	var arrays [][]*schema
	var literals []*value
	longest := 0
	for _, v := range p.variants {
		switch {
		case v.domain.kinds&Array == 0:
		case p.Free&^v.domain.free&Array != 0:
			literals = append(literals, c.literals(v, Array)...)
		default:
			arrays = append(arrays, v.own)
			for _, s := range v.own {
				longest = max(longest, len(s.prefix))
			}
		}
	}
	for _, l := range literals {
		longest = max(longest, len(l.below))
	}
	if len(arrays) == 0 || !c.spend((longest+1)*(len(arrays)+len(literals))) {
		return
	}
	for i := range longest {
		p.Prefix = append(p.Prefix, c.element(arrays, literals, i))
	}
	p.Items = c.element(arrays, literals, longest)
}

// element returns the type of the element at index i.
func (c *compiler) element(arrays [][]*schema, literals []*value, i int) *Type {
	s := either(arrays, func(own []*schema) (list []*schema) {
		for _, s := range own {
			if i < len(s.prefix) {
				list = append(list, s.prefix[i])
			} else if s.rest != nil {
				list = append(list, s.rest)
			}
		}
		return list
	})
	if s == nil {
		return nil
	}
	all := []*schema{s}
	for _, l := range literals {
		if i < len(l.below) {
			all = append(all, c.ofLiteral(l.below[i]))
		}
	}
	return c.typeOf(anyOf(all))
}
