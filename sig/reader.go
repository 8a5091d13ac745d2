package sig

import "strings"

// readSchema reads the keywords of s, once.
func (c *compiler) readSchema(s *schema) *schema {
	if s.read {
		return s
	}
	s.read = true
	v := s.source
	switch {
	case v.is(Boolean) && v.text == "false":
		s.own = c.newKeywords(v)
		s.own.restricted, s.own.name = true, s.name
		return s
	case v.is(Boolean):
		return s
	case !v.is(Object):
		c.report(v, invalidSchema,
			"a schema must be an object or a boolean, found %s: untyped", v.kind)
		return s
	}
	r := reader{compiler: c, keywords: c.newKeywords(v), schema: s}
	for i := range v.members {
		r.keyword(v.members[i].key, v.members[i].value)
	}
	r.finish()
	return s
}

// reader reads the keywords of one schema, in any order.
type reader struct {
	*compiler
	*keywords
	schema *schema

	nullable                   bool
	refs, allOf                []*schema
	listed                     []Kinds // of the keyword type; nil: there is none
	enum, constant             *memberSet
	never                      bool // no value is allowed
	additional, unevaluated    *value
	items, prefix              *value
	moreItems, unevaluatedItem *value
	bounds                     []keywordValue // of numbers
}

const conditionsIgnored = "%s: its properties are always accepted and its conditions are ignored"

// wanted is the kind of value that a keyword must have.
type wanted struct {
	kinds Kinds
	text  string
}

var keywordKinds = map[string]wanted{
	"nullable":          {Boolean, "a boolean"},
	"properties":        {Object, "an object"},
	"patternProperties": {Object, "an object"},
	"prefixItems":       {Array, "an array of schemas"},
	"$ref":              {String, "a string"},
	"$recursiveRef":     {String, "a string"},
	"$dynamicRef":       {String, "a string"},
}

func (r *reader) keyword(key string, v *value) {
	if want, ok := keywordKinds[key]; ok && !v.is(want.kinds) {
		r.invalid(v, want.text)
		return
	}
	if r.valueKeyword(key, v) || r.objectKeyword(key, v) || r.arrayKeyword(key, v) {
		return
	}
	switch key {
	case "$ref", "$recursiveRef", "$dynamicRef":
		if target := r.resolve(v); target != nil {
			r.refs = append(r.refs, target)
		}
	case "allOf":
		r.allOf = r.subschemas(v)
	case "anyOf", "oneOf":
		if alternatives := r.subschemas(v); alternatives != nil {
			u := &union{source: v, alternatives: alternatives}
			r.schema.any = append(r.schema.any, u)
		}
	case "description":
		r.description = v.str()
	case "default":
		r.byDefault = v.raw
	case "examples":
		for _, e := range v.elements {
			r.examples = append(r.examples, e.raw)
		}
	case "example":
		r.examples = append(r.examples, v.raw)
	default:
		r.readLimit(key, v)
	}
}

// valueKeyword reads a keyword on which values are allowed.
func (r *reader) valueKeyword(key string, v *value) bool {
	switch key {
	case "type":
		r.readTypes(v)
	case "enum":
		if !v.is(Array) || len(v.elements) == 0 {
			r.invalid(v, "an array with members")
			break
		}
		r.enum = r.literals(v.elements...)
	case "const":
		r.constant = r.literals(v)
	case "nullable":
		r.nullable = v.text == "true"
	case "not":
		r.never = v.is(Boolean) && v.text == "true" || v.is(Object) && len(v.members) == 0
		if !r.never { // which is how zod writes never
			r.report(v, unsupportedKeyword, "not: ignored, so what it excludes is allowed")
		}
	default:
		return false
	}
	return true
}

// objectKeyword reads a keyword on properties.
func (r *reader) objectKeyword(key string, v *value) bool {
	o := &r.object
	switch key {
	case "properties":
		o.declares = true
		o.properties = make([]property, 0, len(v.members))
		for _, m := range v.members {
			o.properties = append(o.properties, property{m.key, r.schemaAt(m.value)})
		}
	case "patternProperties":
		for _, m := range v.members {
			p := patternProperty{source: m.key, schema: r.schemaAt(m.value)}
			p.matches, p.size = r.compilePattern(m.value, m.key)
			o.patterns = append(o.patterns, p)
		}
	case "additionalProperties":
		r.additional = r.subschema(v)
	case "unevaluatedProperties":
		r.unevaluated = r.subschema(v)
	case "required":
		r.readRequired(v)
	case "if", "then", "else":
		r.readCondition(key, v)
	case "dependentSchemas", "dependencies":
		for _, m := range v.members {
			if m.value.is(Object | Boolean) { // an array names properties that are also required
				r.readCondition(key, m.value)
			}
		}
		r.readLimit(key, v)
	default:
		return false
	}
	return true
}

// readCondition reads a schema that applies only to some objects.
func (r *reader) readCondition(key string, v *value) {
	r.report(v, unsupportedKeyword, conditionsIgnored, key)
	r.object.conditions = append(r.object.conditions, condition{r.schemaAt(v), key == "if"})
}

// arrayKeyword reads a keyword on elements.
func (r *reader) arrayKeyword(key string, v *value) bool {
	switch key {
	case "items":
		r.items = v
	case "prefixItems":
		r.prefix = v
	case "additionalItems":
		r.moreItems = r.subschema(v)
	case "unevaluatedItems":
		r.unevaluatedItem = r.subschema(v)
	default:
		return false
	}
	return true
}

// finish evaluates keywords that depend on each other.
func (r *reader) finish() {
	r.finishDomain()
	r.finishObject()
	r.finishArray()
	r.finishLimits()
	s := r.schema
	// The order of anyOf and oneOf in the source has no meaning.
	if u := s.any; len(u) == 2 && u[0].source.token > u[1].source.token {
		u[0], u[1] = u[1], u[0]
	}
	s.all = append(r.refs, r.allOf...)
	if r.keywords.says() {
		s.own = r.keywords
		s.own.name = s.name
	}
	if r.nullable {
		rest := &schema{source: s.source, read: true, own: s.own, all: s.all, any: s.any}
		null := &schema{source: s.source, read: true, own: r.ofKind(Null)}
		s.own, s.all = nil, nil
		s.any = []*union{{source: s.source, alternatives: []*schema{rest, null}}}
	}
}

// finishDomain evaluates type, enum and const. An enum next to a type allows its members
// of that type; if it has none, the enum alone decides.
func (r *reader) finishDomain() {
	d := everything
	if r.listed != nil {
		var k Kinds
		for _, t := range r.listed {
			k |= t
		}
		d = only(k)
		if len(r.listed) > 1 {
			r.keywords.types = r.listed
		}
	}
	for _, members := range []*memberSet{r.enum, r.constant} {
		if members == nil {
			continue
		}
		listed := literals(members)
		both := d.intersect(listed)
		switch {
		case both.empty():
			r.conflict("no value of enum or const is of type %s: the type is ignored", d.kinds)
			both = listed
		case len(both.members.list) < len(members.list):
			if rest := r.excluded(both.members, members); rest != "" {
				r.conflict("%s: not of type %s, so not allowed", rest, d.kinds)
			}
		}
		without := d.kinds &^ both.kinds
		if r.nullable && without == Null {
			without = 0
		}
		if len(r.listed) > 1 && without != 0 {
			r.conflict("enum or const has no value of type %s, so that type is not allowed", without)
		}
		d = both
	}
	if r.never {
		d = domain{}
	}
	r.restricted = r.never || r.listed != nil || r.enum != nil || r.constant != nil
	r.domain = d
}

// conflict reports that type, enum and const do not fit together.
func (r *reader) conflict(format string, args ...any) {
	r.report(r.source, enumConflict, format, args...)
}

// literals returns the set of these values.
func (r *reader) literals(values ...*value) *memberSet {
	list := make([]Member, len(values))
	for i, v := range values {
		list[i] = keyedMember(v)
	}
	return newMemberSet(list)
}

// excluded lists the members that are not in kept, except null next to nullable.
func (r *reader) excluded(kept, members *memberSet) string {
	var rest []string
	for i := range members.list {
		if m := &members.list[i]; !kept.has(m) && !(r.nullable && m.Kind == Null) {
			rest = append(rest, string(m.JSON))
		}
	}
	const enough = 5
	if len(rest) > enough {
		rest = append(rest[:enough], "…")
	}
	return strings.Join(rest, ", ")
}

func (r *reader) finishObject() {
	o := &r.object
	if r.additional == nil {
		r.additional = r.unevaluated // it sees through allOf, as this package does
	}
	switch a := r.additional; {
	case a.is(Boolean) && a.text == "false":
		o.closed = true
	case a.is(Boolean):
		o.open = true
	case a != nil:
		o.open = true
		o.extra = r.schemaAt(a)
	}
	o.open = o.open || len(o.patterns) > 0
	o.stated = o.declares || o.open || o.closed || len(o.required) > 0
}

func (r *reader) finishArray() {
	a := &r.array
	rest := r.items
	if r.items.is(Array) {
		// Before 2020-12 a tuple was an array in items, and the rest additionalItems.
		r.prefix, rest = r.items, r.moreItems
	} else if r.items != nil && !r.items.is(Object|Boolean) {
		r.invalid(r.items, "a schema")
		rest = nil
	}
	if rest == nil {
		rest = r.unevaluatedItem
	}
	if r.prefix != nil {
		for _, e := range r.prefix.elements {
			a.prefix = append(a.prefix, r.schemaAt(e))
		}
	}
	if rest != nil {
		a.rest = r.schemaAt(rest)
	}
	a.stated = r.items != nil || r.prefix != nil
}

// readRequired reads the list of names; for a boolean, which draft 3 had in the
// property itself, see requiredHere.
func (r *reader) readRequired(v *value) {
	switch {
	case v.is(Boolean):
		r.report(v, misplacedRequired,
			"required belongs in the enclosing object, as a list of names: read as meant")
	case v.is(String):
		r.report(v, invalidKeyword,
			"required must be an array of strings, found a string: read as a list of one")
		r.object.required = []string{v.text}
	case v.is(Array):
		for _, e := range v.elements {
			if !e.is(String) {
				r.invalid(e, "a string")
				continue
			}
			r.object.required = append(r.object.required, e.text)
		}
	default:
		r.invalid(v, "an array of strings")
	}
}

func (r *reader) readTypes(v *value) {
	names := []*value{v}
	if v.is(Array) {
		names = v.elements
	}
	var types []Kinds
	for _, n := range names {
		if !n.is(String) {
			r.invalid(n, "the name of a type")
			continue
		}
		k, exact := kindNamed(n.text)
		switch {
		case k == 0:
			r.report(n, unknownType, "%q is not a JSON Schema type: read as any", n.text)
			k = Any
		case !exact:
			r.report(n, misspeltType, "%q is not a JSON Schema type: read as %s", n.text, k)
		}
		types = append(types, k)
	}
	if len(types) > 0 {
		r.listed = types
	} else if len(names) == 0 {
		r.invalid(v, "at least one type")
	}
}

// subschema returns v if it can be a schema, else nil.
func (r *reader) subschema(v *value) *value {
	if !v.is(Object | Boolean) {
		r.invalid(v, "a schema")
		return nil
	}
	return v
}

func (r *reader) subschemas(v *value) []*schema {
	if !v.is(Array) || len(v.elements) == 0 {
		r.invalid(v, "an array of schemas")
		return nil
	}
	list := make([]*schema, len(v.elements))
	for i, e := range v.elements {
		list[i] = r.schemaAt(e)
	}
	return list
}

// invalid reports a keyword, or an element of its list, with a value of the wrong
// kind.
func (r *reader) invalid(v *value, want string) {
	r.report(v, invalidKeyword, "expected %s, found %s: ignored", want, v.kind)
}
