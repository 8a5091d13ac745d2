package sig

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// object is what a variant demands of objects, as if all of its keywords were in one
// schema. It is closed if additionalProperties is false, or if it has the keyword properties
// and none for other properties.
type object struct {
	own      []*schema
	closed   bool
	extra    []*schema // undeclared properties; empty and not closed: anything
	declared map[string][]*schema
	required map[string]bool
	names    []string // of declared properties, in order
}

// fillObject unites the variants that allow objects. A property has the types of
// all variants that mention it; a variant that merely allows any other
// property adds nothing. Otherwise the usual union of open objects that differ in
// their properties would be untyped.
func (c *compiler) fillObject(p place) {
	var variants []*object
	var extra []*schema
	for _, v := range p.variants {
		if v.domain.kinds&Object != 0 {
			o := c.objectOf(v)
			variants = append(variants, o)
			if !o.closed {
				extra = append(extra, allOf(o.extra))
			}
		}
	}
	if len(variants) == 0 {
		return
	}
	names := c.propertyNames(variants)
	if !c.spend(len(names) * len(variants)) {
		return // the properties are not known
	}
	p.Closed = extra == nil
	p.Fields = make([]Field, len(names))
	for i, name := range names {
		p.Fields[i] = Field{
			Name: name, Index: i, Plain: isPlain(name),
			JSONKey:  append(lexeme.AppendQuoted(nil, name), ':'),
			Required: isRequired(variants, name),
			Type:     c.typeOf(c.property(variants, name)),
		}
	}
	p.indexFields()
	c.fillPatterns(p.Type, variants)
	p.Extra = c.typeOf(anyOf(extra))
}

// isRequired reports whether all variants require the property.
func isRequired(variants []*object, name string) bool {
	return !slices.ContainsFunc(variants, func(o *object) bool { return !o.required[name] })
}

func (c *compiler) objectOf(v variant) *object {
	o := &object{
		own:      v.own,
		declared: make(map[string][]*schema),
		required: make(map[string]bool),
	}
	var declares, open bool
	for _, s := range v.own {
		declares = declares || s.declares
		open = open || s.open
		o.closed = o.closed || s.closed
		if s.extra != nil {
			o.extra = append(o.extra, s.extra)
		}
		o.declare(s.properties)
		for _, p := range s.properties {
			if p.schema.source.get("required").isTrue() { // as in draft 3
				o.required[p.name] = true
			}
		}
		for _, name := range s.required {
			o.required[name] = true
		}
	}
	o.closed = o.closed || declares && !open
	if o.closed {
		o.extra = nil
	}
	if list := c.conditional(v.own, 0); len(list) > 0 {
		// What only conditions declare is accepted, as one of them declares it.
		more := object{declared: make(map[string][]*schema)}
		more.declare(list)
		for _, name := range more.names {
			if o.declared[name] == nil {
				o.declare([]property{{name, anyOf(more.declared[name])}})
			}
		}
	}
	return o
}

func (o *object) declare(list []property) {
	for _, p := range list {
		list, known := o.declared[p.name]
		if !known {
			o.names = append(o.names, p.name)
		}
		o.declared[p.name] = append(list, p.schema)
	}
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
func (c *compiler) propertyNames(variants []*object) (names []string) {
	isDeclared := make(map[string]bool)
	for _, o := range variants {
		for _, name := range o.names {
			if !isDeclared[name] {
				isDeclared[name] = true
				names = append(names, name)
			}
		}
	}
	added := make(map[string]bool)
	for _, o := range variants {
		for _, s := range o.own {
			for _, name := range s.required {
				if isDeclared[name] {
					continue
				}
				read := "read as optional"
				if isRequired(variants, name) {
					read = "read as declared and untyped"
					if !added[name] {
						added[name] = true
						names = append(names, name)
					}
				}
				if !s.checked {
					c.report(s.source.get("required"), undeclaredRequired,
						"%q is required but not declared: "+read, name)
				}
			}
			s.checked = true
		}
	}
	return names
}

// property returns the schema of a property.
func (c *compiler) property(variants []*object, name string) *schema {
	matches := func(p *patternProperty) bool {
		return p.matches == nil ||
			c.spend(1+len(name)*p.size/64) && p.matches.MatchString(name)
	}
	var list []*schema
	for _, o := range variants {
		if declared := o.declared[name]; declared != nil {
			list = append(list, allOf(declared))
			for _, s := range declared {
				if s.source.is(Boolean) && !s.source.isTrue() {
					c.report(s.source, contradiction,
						"the property %q is declared as false: no value is allowed here", name)
				}
			}
		} else {
			list = append(list, o.undeclared(matches)...)
		}
	}
	return anyOf(list)
}

// undeclared returns the schema for undeclared properties, that of the patterns that match
// or else that for all others; none if there is neither.
func (o *object) undeclared(matches func(*patternProperty) bool) []*schema {
	var list []*schema
	for _, s := range o.own {
		for i := range s.patterns {
			if matches(&s.patterns[i]) {
				list = append(list, s.patterns[i].schema)
			}
		}
	}
	if list == nil {
		list = o.extra
	}
	if len(list) > 1 {
		return []*schema{allOf(list)}
	}
	return list
}

// isPlain reports whether the name consists of letters, digits, _ and -.
func isPlain(name string) bool {
	isOther := func(r rune) bool { return r >= utf8.RuneSelf || r != '-' && !isLetter(byte(r)) }
	return name != "" && !strings.ContainsFunc(name, isOther)
}

func (c *compiler) fillPatterns(t *Type, variants []*object) {
	var all []*patternProperty
	seen := make(map[string]bool)
	for _, o := range variants {
		for _, s := range o.own {
			for i := range s.patterns {
				if p := &s.patterns[i]; !seen[p.source] && c.spend(len(variants)) {
					seen[p.source] = true
					all = append(all, p)
				}
			}
		}
	}
	size := 0
	for _, p := range all {
		var list []*schema
		for _, o := range variants {
			list = append(list, o.undeclared(func(q *patternProperty) bool {
				return q.source == p.source
			})...)
		}
		matches := p.matches
		size += p.size
		if size > maxPatternSize {
			c.report(p.schema.source, badPattern,
				"the patterns here take too long together: this one matches every key")
			matches = nil
		}
		t.patterns = append(t.patterns, pattern{matches, c.typeOf(anyOf(list))})
		if matches == nil {
			return // no key gets as far as the others
		}
	}
}

// fillArray unites the variants that allow arrays, element by element. As with
// properties, a variant without keywords for an element adds nothing.
func (c *compiler) fillArray(p place) {
	if p.Kinds&Array == 0 {
		return
	}
	arrays := slices.DeleteFunc(slices.Clone(p.variants), func(v variant) bool {
		return v.domain.kinds&Array == 0
	})
	longest := 0
	for _, v := range arrays {
		for _, s := range v.own {
			longest = max(longest, len(s.prefix))
		}
	}
	if !c.spend((longest + 1) * len(arrays)) {
		return
	}
	for i := range longest {
		p.Prefix = append(p.Prefix, c.element(arrays, i))
	}
	p.Items = c.element(arrays, longest)
}

// element returns the type of the element at index i.
func (c *compiler) element(variants []variant, i int) *Type {
	var all []*schema
	for _, v := range variants {
		var list []*schema
		for _, s := range v.own {
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

// pattern is a pattern of patternProperties; one without matches matches every name.
type pattern struct {
	matches *regexp.Regexp
	typ     *Type
}

// A byte of a key can take as many steps as the pattern's program has instructions,
// about five nanoseconds each, so longer patterns are not run.
const (
	maxPattern     = 512 // bytes of one pattern
	maxPatternSize = 600 // instructions of all patterns of an object
)

// compilePattern compiles a regular expression of the schema and returns how many
// instructions it has; nil, which matches everything, if it cannot be run.
func (c *compiler) compilePattern(v *value, source string) (matches *regexp.Regexp, size int) {
	cost := len(source)
	if strings.Contains(source, "{") {
		cost *= 500 // a repetition is compiled into copies of what it repeats
	}
	problem := ""
	switch tree, err := syntax.Parse(source, syntax.Perl); {
	case len(source) > maxPattern:
		problem = fmt.Sprintf("the pattern is longer than %d bytes: it", maxPattern)
	case err != nil:
		problem = err.Error() + ": the pattern"
	case c.spend(cost):
		program, err := syntax.Compile(tree.Simplify())
		if err == nil && len(program.Inst) <= maxPatternSize {
			return regexp.MustCompile(source), len(program.Inst)
		}
		problem = "the pattern repeats too much: it"
	}
	if problem != "" {
		c.report(v, badPattern, "%s matches every key", problem)
	}
	return nil, 0
}
