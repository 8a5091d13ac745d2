package sig

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/callwire/callwire/internal/limits"
)

// schema is one JSON Schema of the source, split as it is read: what it demands itself,
// what must hold too, and alternatives. Schemas inside it are read on demand. What schemas
// demand themselves is compared by the identity of the schema.
type schema struct {
	source *value // nil for one that only combines others, or restricts the kinds
	id     int
	read   bool
	name   string      // of the definition, once something refers to it
	all    []*schema   // of $ref and allOf: these hold too
	any    [][]*schema // of anyOf, oneOf, nullable and several types: one of each holds

	demands    bool // it demands or describes something itself
	restricted bool // by type, enum, const or false: domain applies
	domain     domain

	object     bool // has a keyword that only makes sense for objects
	declares   bool // has the keyword properties
	properties []property
	required   []string
	closed     bool    // additionalProperties: false
	open       bool    // additionalProperties: true or a schema, or patternProperties
	extra      *schema // additionalProperties
	patterns   []patternProperty
	conditions []condition

	array  bool // has a keyword that only makes sense for arrays
	prefix []*schema
	rest   *schema // of the elements after prefix

	description string
	byDefault   json.RawMessage
	examples    []json.RawMessage
	limits      *limits.Limits

	checked bool // the required properties were checked

	variants []variant // nil: not known, see expand
	endless  bool      // the variants are too many, or too deep
	onPath   bool      // it is being expanded
}

type property struct {
	name   string
	schema *schema
}

type patternProperty struct {
	source  string
	matches *regexp.Regexp // nil matches every key
	size    int            // cost of a byte of a key, see compilePattern
	schema  *schema
}

// condition is a schema that applies only to some objects. The properties that it
// declares are accepted in all; those that only a test (if) declares are untyped.
type condition struct {
	schema *schema
	test   bool
}

// schemaAt returns v as a schema, not yet read.
func (c *compiler) schemaAt(v *value) *schema {
	if v.schema == nil {
		c.lastID++
		v.schema = &schema{source: v, id: c.lastID}
	}
	return v.schema
}

// schemasIn returns the schemas in a list.
func (c *compiler) schemasIn(list []*value) (all []*schema) {
	for _, v := range list {
		all = append(all, c.schemaAt(v))
	}
	return all
}

// ofKind returns the schema that only restricts the types.
func (c *compiler) ofKind(k Kinds) *schema {
	s := c.kinds[k]
	if s == nil {
		c.lastID++
		s = &schema{id: c.lastID, read: true, demands: true, restricted: true, domain: only(k)}
		c.kinds[k] = s
	}
	return s
}

// allOf returns a schema that demands what all of the list demand.
func allOf(list []*schema) *schema {
	if len(list) == 1 {
		return list[0]
	}
	return &schema{read: true, all: list}
}

// anyOf returns a schema that demands what one of the list demands, nil for none.
func anyOf(list []*schema) *schema {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &schema{read: true, any: [][]*schema{list}}
}

// implied returns the types that the keywords imply if there is no type.
func (s *schema) implied() (kinds Kinds) {
	if s.declares || len(s.patterns) > 0 || s.extra != nil || len(s.required) > 0 {
		kinds |= Object
	}
	if s.array {
		kinds |= Array
	}
	return kinds
}

// restrictsBelow reports whether there are keywords for properties or elements.
func (s *schema) restrictsBelow() bool { return s.object || s.array || len(s.conditions) > 0 }

// reader reads the keywords of one schema.
type reader struct {
	*compiler
	*schema
	nullable bool
	types    []Kinds // in source order
	found    int     // keywords that were found so far
}

const aSchema = Object | Boolean

// readSchema reads the keywords of s, once.
func (c *compiler) readSchema(s *schema) *schema {
	if s.read {
		return s
	}
	s.read = true
	switch v := s.source; {
	case v.is(Boolean):
		s.demands = !v.isTrue()
		s.restricted = s.demands
	case !v.is(Object):
		c.report(v, invalidSchema,
			"a schema must be an object or a boolean, found %s: untyped", v.kind)
	default:
		r := reader{compiler: c, schema: s}
		r.readDomain()
		r.readApplicators()
		r.readProperties()
		r.readElements()
		r.readAnnotations()
		s.limits = r.readLimits()
		r.finish()
	}
	return s
}

// finish decides what the schema demands itself. Several types are alternatives, and so is
// null next to all of a schema that is nullable.
func (r *reader) finish() {
	s := r.schema
	describes := s.description != "" || s.byDefault != nil || s.examples != nil
	s.demands = describes || s.restricted || s.restrictsBelow() || s.limits != nil
	if len(r.types) > 1 {
		var kinds []*schema
		for _, k := range r.types {
			kinds = append(kinds, r.ofKind(k))
		}
		s.any = append(s.any, kinds)
	}
	if r.nullable {
		rest := *s
		rest.onPath = false
		*s = schema{source: s.source, read: true, name: s.name}
		r.lastID++
		s.id = r.lastID
		s.any = [][]*schema{{&rest, r.ofKind(Null)}}
	}
}

// keyword returns the value of a keyword, nil if it is missing or of another kind than
// these, in words what is wanted. That is reported.
func (r *reader) keyword(name string, kinds Kinds, want string) *value {
	v := r.source.get(name)
	if v == nil {
		return nil
	}
	if !v.is(kinds) {
		r.invalid(v, cmp.Or(want, kinds.String()))
		return nil
	}
	r.found++
	return v
}

// invalid reports a keyword, or an element of its list, with a value of the wrong
// kind.
func (r *reader) invalid(v *value, want string) {
	r.report(v, invalidKeyword, "expected %s, found %s: ignored", want, v.kind)
}

// readDomain reads type, enum, const, nullable and not. An enum next to a type allows its
// members of that type; if it has none, the enum alone decides.
func (r *reader) readDomain() {
	r.nullable = r.keyword("nullable", Boolean, "a boolean").isTrue()
	r.types = r.readTypes()
	r.restricted = r.types != nil
	d := everything
	if r.restricted {
		d = domain{}
		for _, k := range r.types {
			d = only(d.kinds | k)
		}
	}
	enum := r.source.get("enum")
	if enum != nil && len(enum.elements) == 0 {
		r.invalid(enum, "an array with members")
	}
	lists := [][]*value{enum.children(), nil}
	if v := r.source.get("const"); v != nil {
		lists[1] = []*value{v}
	}
	for _, list := range lists {
		if len(list) > 0 {
			r.restricted = true
			d = r.combine(d, literalsOf(list...))
		}
	}
	r.domain = d
	not := r.source.get("not")
	switch {
	case not.isTrue() || not.is(Object) && len(not.members) == 0: // as zod writes never
		r.restricted, r.domain = true, domain{}
	case not != nil:
		r.report(not, unsupportedKeyword, "not: ignored, so what it excludes is allowed")
	}
}

// readTypes returns the types, in source order; nil if there are none.
func (r *reader) readTypes() (types []Kinds) {
	v := r.source.get("type")
	if v == nil {
		return nil
	}
	names := []*value{v}
	if v.is(Array) {
		names = v.elements
	}
	if len(names) == 0 {
		r.invalid(v, "at least one type")
	}
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
	return types
}

// combine returns the members that are in the domain, and reports those that are not.
func (r *reader) combine(d domain, members *memberSet) domain {
	conflict := func(format string, args ...any) {
		r.report(r.source, enumConflict, format, args...)
	}
	listed := literals(members)
	both := r.intersect(d, listed)
	var lost []string
	for _, m := range members.list {
		if !both.has(&m) && !(r.nullable && m.Kind == Null) {
			lost = append(lost, string(m.JSON))
		}
	}
	const enough = 5
	if len(lost) > enough {
		lost = append(lost[:enough], "…")
	}
	if both.kinds == 0 {
		conflict("no value of enum or const is of type %s: the type is ignored", d.kinds)
		both, r.types = listed, nil
	} else if len(lost) > 0 {
		conflict("%s: not of type %s, so not allowed", strings.Join(lost, ", "), d.kinds)
	}
	without := d.kinds &^ both.kinds
	if r.nullable && without == Null {
		without = 0
	}
	if len(r.types) > 1 && without != 0 {
		conflict("enum or const has no value of type %s, so that type is not allowed", without)
	}
	return both
}

// readApplicators reads references, allOf, anyOf and oneOf.
func (r *reader) readApplicators() {
	for _, key := range [...]string{"$ref", "$recursiveRef", "$dynamicRef"} {
		if v := r.keyword(key, String, "a string"); v != nil {
			if target := r.resolve(v); target != nil {
				r.all = append(r.all, target)
			}
		}
	}
	r.all = append(r.all, r.readList("allOf")...)
	for _, key := range [...]string{"anyOf", "oneOf"} {
		if alternatives := r.readList(key); alternatives != nil {
			r.any = append(r.any, alternatives)
		}
	}
}

// readList reads a list of schemas.
func (r *reader) readList(key string) []*schema {
	v := r.source.get(key)
	if v != nil && len(v.elements) == 0 {
		r.invalid(v, "an array of schemas")
	}
	return r.schemasIn(v.children())
}

func (r *reader) readProperties() {
	if v := r.keyword("properties", Object, "an object"); v != nil {
		r.declares = true
		r.properties = make([]property, 0, len(v.members))
		for _, m := range v.members {
			r.properties = append(r.properties, property{m.key, r.schemaAt(m.value)})
		}
	}
	if v := r.keyword("patternProperties", Object, "an object"); v != nil {
		for _, m := range v.members {
			p := patternProperty{source: m.key, schema: r.schemaAt(m.value)}
			p.matches, p.size = r.compilePattern(m.value, m.key)
			r.patterns = append(r.patterns, p)
		}
	}
	additional := r.keyword("additionalProperties", aSchema, "a schema")
	unevaluated := r.keyword("unevaluatedProperties", aSchema, "a schema")
	if additional == nil {
		additional = unevaluated // it sees through allOf, as this package does
	}
	r.closed = additional.is(Boolean) && !additional.isTrue()
	r.open = additional != nil && !r.closed || len(r.patterns) > 0
	if additional.is(Object) {
		r.extra = r.schemaAt(additional)
	}
	if v := r.source.get("required"); v != nil {
		r.readRequired(v)
	}
	r.object = r.declares || r.open || r.closed || len(r.required) > 0
	r.readConditions()
}

// readRequired reads the list of names. A boolean, which draft 3 had in the property
// itself, is read with the properties around it.
func (r *reader) readRequired(v *value) {
	switch {
	case v.is(Boolean):
		r.report(v, misplacedRequired,
			"required belongs in the enclosing object, as a list of names: read as meant")
	case v.is(String):
		r.report(v, invalidKeyword,
			"required must be an array of strings, found a string: read as a list of one")
		r.required = []string{v.text}
	case v.is(Array):
		for _, e := range v.elements {
			if !e.is(String) {
				r.invalid(e, "a string")
				continue
			}
			r.required = append(r.required, e.text)
		}
	default:
		r.invalid(v, "an array of strings")
	}
}

// readConditions reads schemas that apply only to some objects.
func (r *reader) readConditions() {
	add := func(key string, v *value) {
		if v != nil {
			r.report(v, unsupportedKeyword,
				"%s: its properties are always accepted and its conditions are ignored", key)
			r.conditions = append(r.conditions, condition{r.schemaAt(v), key == "if"})
		}
	}
	for _, key := range [...]string{"if", "then", "else"} {
		add(key, r.source.get(key))
	}
	for _, key := range [...]string{"dependentSchemas", "dependencies"} {
		for _, m := range r.source.get(key).entries() {
			if m.value.is(aSchema) {
				add(key, m.value)
			}
		}
	}
}

func (r *reader) readElements() {
	items := r.source.get("items")
	tuple := r.keyword("prefixItems", Array, "an array of schemas")
	more := r.keyword("additionalItems", aSchema, "a schema")
	unevaluated := r.keyword("unevaluatedItems", aSchema, "a schema")
	rest := items
	if items.is(Array) {
		// Before 2020-12 a tuple was an array in items, and the rest additionalItems.
		tuple, rest = items, more
	} else if items != nil && !items.is(aSchema) {
		r.invalid(items, "a schema")
		rest = nil
	}
	if rest == nil {
		rest = unevaluated
	}
	r.prefix = r.schemasIn(tuple.children())
	if rest != nil {
		r.rest = r.schemaAt(rest)
	}
	r.array = items != nil || tuple != nil
}

func (r *reader) readAnnotations() {
	r.description = r.source.get("description").str()
	if v := r.source.get("default"); v != nil {
		r.byDefault = v.raw
	}
	for _, e := range r.source.get("examples").children() {
		r.examples = append(r.examples, e.raw)
	}
	if v := r.source.get("example"); v != nil {
		r.examples = append(r.examples, v.raw)
	}
}
