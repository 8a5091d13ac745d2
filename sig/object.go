package sig

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/limits"
)

// byName are the schemas of properties, or of patterns, by name. Those of one name hold
// together.
type byName struct {
	nameList
	schemas [][]*schema
}

func (b *byName) add(name string, s ...*schema) {
	if b.nameList.add(name) {
		b.schemas = append(b.schemas, s)
		return
	}
	i := find(&b.nameList, name)
	b.schemas[i] = append(b.schemas[i], s...)
}

// fillObject sets the properties of a type that all of these schemas demand, as if all of
// their keywords were in one schema. It is closed if additionalProperties is false, or if it has
// the keyword properties and none for other properties. Without additionalProperties,
// unevaluatedProperties means the same.
func (c *compiler) fillObject(t *Type, own []*schema) {
	names := 0
	for _, s := range own {
		names += len(s.properties) + len(s.patterns) + len(s.required)
	}
	if t.Kinds&Object == 0 || !c.spend(8*names) {
		return
	}
	var declared, patterns byName
	var required nameList
	var extra []*schema
	declares, open := false, false
	allowsOthers := func(s *schema) bool { return s.open && !s.unevaluated }
	isOpen := slices.ContainsFunc(own, allowsOthers)
	for _, s := range own {
		isEvaluated := s.unevaluated && isOpen
		declares = declares || s.properties != nil
		open = open || s.open || len(s.patterns) > 0
		t.Closed = t.Closed || s.closed && !isEvaluated
		for _, p := range s.properties {
			declared.add(p.source.token, p)
		}
		for _, p := range s.patterns {
			patterns.add(p.source.token, p)
		}
		for _, name := range s.required {
			required.add(name)
		}
		if s.extra != nil && !isEvaluated {
			extra = append(extra, s.extra)
		}
	}
	t.Closed = t.Closed || declares && !open
	if t.Closed {
		extra = nil
	}
	c.tolerate(&declared, own)
	fields := make([]Field, 0, len(declared.list))
	for i, name := range declared.list {
		all := slices.Concat(declared.schemas[i], c.matching(&patterns, name))
		isRequired := find(&required, name) >= 0
		fields = append(fields, Field{Name: name, Required: isRequired, Type: c.typeOf(all...)})
	}
	for i, name := range patterns.list {
		matches := c.programs[name]
		t.patterns = append(t.patterns, pattern{name, matches, c.typeOf(patterns.schemas[i]...)})
		if matches == nil {
			break
		}
	}
	t.Extra = c.typeOf(extra...)
	for _, s := range own {
		for _, name := range s.required {
			if find(&declared.nameList, name) < 0 {
				c.report(s.source.get("required"), "undeclared-required",
					"%q is required but not declared: untyped", name)
				declared.add(name)
				typ, _, _ := t.Property([]byte(name))
				if all := c.matching(&patterns, name); len(all) > 1 {
					typ = c.typeOf(all...)
				}
				fields = append(fields,
					Field{Name: name, Required: true, Type: typ, undeclared: true})
			}
		}
	}
	t.setFields(fields)
}

// matching returns the schemas of the patterns that match a name.
func (c *compiler) matching(patterns *byName, name string) (all []*schema) {
	for i, pattern := range patterns.list {
		if p := c.programs[pattern]; p != nil && c.spend(1+len(name)) && p.MatchString(name) {
			all = append(all, patterns.schemas[i]...)
		}
	}
	return all
}

// split returns the alternatives of t that allow arrays, or objects. If some allow more than
// literals, each literal of the others is an alternative of its own.
func (c *compiler) split(t *Type, k Kinds, alts []*Type) (some, literals []*Type) {
	for _, alt := range alts {
		switch {
		case alt.Kinds&k == 0:
		case t.Free&^alt.Free&k == 0:
			some = append(some, alt)
		default:
			for _, m := range alt.Enum {
				if m.Kind == k && c.spend(len(m.JSON)) {
					literals = append(literals, c.around(m.JSON))
				}
			}
		}
	}
	return some, literals
}

// around returns a type that has the elements or properties of a literal.
func (c *compiler) around(literal []byte) *Type {
	v, _ := decode(literal, maxDepth) // it was in the schema
	t := &Type{Closed: true}
	fields := make([]Field, len(v.below))
	for i, b := range v.below {
		typ := c.typeAt([]variant{{c.ofLiteral(b)}})
		fields[i] = Field{Name: b.token, Required: true, Type: typ}
		t.Prefix = append(t.Prefix, typ)
	}
	t.setFields(fields)
	return t
}

// uniteObjects sets the properties of a union. A property has the types of all alternatives
// that mention it; one that merely allows any other property adds nothing. Otherwise the usual
// union of open objects that differ in their properties would be untyped.
func (c *compiler) uniteObjects(t *Type, alts []*Type) {
	objects, literals := c.split(t, Object, alts)
	if len(objects) == 0 {
		return
	}
	var extra []*Type
	for _, o := range objects {
		if !o.Closed {
			extra = append(extra, o.Extra)
		}
	}
	if !slices.Contains(extra, nil) { // otherwise one of the others allows them, too
		objects = append(objects, literals...)
	}
	var names, undeclared nameList // in the order of the source
	for _, o := range objects {
		for _, f := range o.Fields {
			if f.undeclared {
				undeclared.add(f.Name)
			} else {
				names.add(f.Name)
			}
		}
	}
	for _, name := range undeclared.list {
		names.add(name)
	}
	if !c.spend(len(names.list) * len(objects)) {
		return // the properties are not known
	}
	var fields []Field
	for _, name := range names.list {
		if f := c.uniteFields(objects, name); f.Required || !f.undeclared {
			fields = append(fields, f)
		}
	}
	t.setFields(fields)
	c.unitePatterns(t, objects)
	t.Closed, t.Extra = extra == nil, c.union(extra)
}

// uniteFields returns the property of a union.
func (c *compiler) uniteFields(objects []*Type, name string) Field {
	f := Field{Name: name, Required: true, undeclared: true}
	var types []*Type
	for _, o := range objects {
		if len(o.patterns) > 0 && !c.spend(len(name)) {
			return f
		}
		typ, own, _ := o.Property([]byte(name))
		isDeclared := own != nil && !own.undeclared
		if isDeclared || typ != nil {
			types = append(types, typ)
		}
		f.Required = f.Required && own != nil && own.Required
		f.undeclared = f.undeclared && !isDeclared
	}
	f.Type = c.union(types)
	return f
}

// unitePatterns adds the patterns of all objects, up to one that matches every key.
func (c *compiler) unitePatterns(t *Type, objects []*Type) {
	for _, o := range objects {
		for _, p := range o.patterns {
			isIt := func(other pattern) bool { return other.matches == p.matches }
			if slices.ContainsFunc(t.patterns, isIt) || !c.spend(len(objects)) {
				continue
			}
			var types []*Type
			for _, o := range objects {
				if i := slices.IndexFunc(o.patterns, isIt); i >= 0 {
					types = append(types, o.patterns[i].typ)
				} else if o.Extra != nil {
					types = append(types, o.Extra)
				}
			}
			t.patterns = append(t.patterns, pattern{p.source, p.matches, c.union(types)})
			if p.matches == nil {
				return
			}
		}
	}
}

// maxConditions bounds the conditions of an object, and those within them.
const maxConditions = 1024

// tolerate adds the properties that only conditions declare. They are accepted, as one of the
// conditions declares them.
func (c *compiler) tolerate(declared *byName, own []*schema) {
	var all []condition
	for _, s := range own {
		all = append(all, s.conditions...)
	}
	var more byName
	for i := 0; i < min(len(all), maxConditions); i++ {
		for _, v := range c.expand(all[i].schema, 0) {
			for _, s := range v {
				if !c.spend(1 + len(s.properties)) {
					return
				}
				for _, p := range s.properties {
					name := p.source.token
					if all[i].test {
						p = &schema{read: true}
					}
					more.add(name, p)
				}
				all = append(all, s.conditions...)
			}
		}
	}
	for i, name := range more.list {
		if find(&declared.nameList, name) < 0 {
			declared.add(name, &schema{read: true, any: more.schemas[i : i+1]})
		}
	}
}

// pattern is a pattern of patternProperties; one without matches matches every name.
type pattern struct {
	source  string // as written
	matches *regexp.Regexp
	typ     *Type
}

// isAny reports whether a signature can write the pattern as a star.
func (p pattern) isAny() bool {
	return p.matches == nil || p.source == "" || p.source == ".*" || p.source == "^.*$"
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
	translated := limits.Translated(source, true)
	tree, err := syntax.Parse(translated, syntax.Perl)
	if err == nil && len(source) <= maxPattern && c.spend(cost) {
		program, err := syntax.Compile(tree.Simplify())
		if err == nil && c.patternSize+len(program.Inst) <= maxPatternSize {
			c.patternSize += len(program.Inst)
			c.programs[source] = regexp.MustCompile(translated)
			return
		}
	}
	problem := "it is too long, repeats too much or comes after too many others"
	if err != nil {
		problem = err.Error()
	}
	c.report(v, "bad-pattern", "the pattern matches every key: %s", problem)
}

// fillArray sets the elements of a type that all of these schemas demand. Without items,
// unevaluatedItems means the same.
func (c *compiler) fillArray(t *Type, own []*schema) {
	longest := 0
	for _, s := range own {
		longest = max(longest, len(s.prefix))
	}
	if t.Kinds&Array == 0 || !c.spend((longest+1)*len(own)) {
		return
	}
	hasItems := func(s *schema) bool { return s.rest != nil && !s.unevaluatedRest }
	isFull := slices.ContainsFunc(own, hasItems)
	c.setElements(t, longest, func(i int) (typ *Type, isDeclared bool) {
		var all []*schema
		for _, s := range own {
			isEvaluated := s.unevaluatedRest && (isFull || i < longest)
			if i < len(s.prefix) {
				all = append(all, s.prefix[i])
			} else if s.rest != nil && !isEvaluated {
				all = append(all, s.rest)
			}
		}
		return c.typeOf(all...), all != nil
	})
}

// uniteArrays sets the elements of a union. As with properties, an alternative without keywords
// for an element adds nothing.
func (c *compiler) uniteArrays(t *Type, alts []*Type) {
	arrays, literals := c.split(t, Array, alts)
	longest := 0
	for _, a := range slices.Concat(arrays, literals) {
		longest = max(longest, len(a.Prefix))
	}
	if len(arrays) == 0 || !c.spend((longest+1)*(len(arrays)+len(literals))) {
		return
	}
	c.setElements(t, longest, func(i int) (typ *Type, isDeclared bool) {
		var types []*Type
		for _, a := range arrays {
			if a.Item(i) != nil || i < len(a.Prefix) || a.anyItem {
				types = append(types, a.Item(i))
			}
		}
		for _, l := range literals {
			if types != nil && i < len(l.Prefix) {
				types = append(types, l.Prefix[i])
			}
		}
		return c.union(types), types != nil
	})
}

// setElements sets the types of the first n elements, and of those after them.
func (c *compiler) setElements(t *Type, n int, element func(i int) (*Type, bool)) {
	for i := range n {
		typ, _ := element(i)
		t.Prefix = append(t.Prefix, typ)
	}
	typ, isDeclared := element(n)
	t.Items, t.anyItem = typ, typ == nil && isDeclared
}
