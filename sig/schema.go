package sig

import (
	"cmp"
	"encoding/json"
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

	demands bool    // it demands or describes something itself
	domain  *domain // of type, enum, const or false; nil: none of these

	properties []*schema // by their tokens; nil without the keyword
	required   []string
	closed     bool      // additionalProperties: false
	open       bool      // additionalProperties: true or a schema, or patternProperties
	extra      *schema   // additionalProperties
	patterns   []*schema // patternProperties, by their tokens
	conditions []condition

	array  bool // has a keyword that only makes sense for arrays
	prefix []*schema
	rest   *schema // of the elements after prefix

	description string
	byDefault   json.RawMessage
	examples    []json.RawMessage
	limits      *limits.Limits

	variants []variant // nil: not known; none: too many, or too deep; see expand
	onPath   bool      // it is being expanded
}

// condition is a schema that applies only to some objects. The properties that it
// declares are accepted in all; those that only a test (if) declares are untyped.
type condition struct {
	*schema
	test bool
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
func (c *compiler) schemasIn(list []*value) []*schema {
	all := make([]*schema, len(list))
	for i, v := range list {
		all[i] = c.schemaAt(v)
	}
	return all
}

// ofKind returns the schema that only restricts the types.
func (c *compiler) ofKind(k Kinds) *schema {
	s := c.kinds[k]
	if s == nil {
		c.lastID++
		d := only(k)
		s = &schema{id: c.lastID, read: true, demands: true, domain: &d}
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

// isFalse reports whether the schema is false, which allows no value.
func (s *schema) isFalse() bool { return s.source.is(Boolean) && !s.source.isTrue() }

// implied returns the types that the keywords imply if there is no type.
func (s *schema) implied() (kinds Kinds) {
	if s.properties != nil || len(s.patterns) > 0 || s.extra != nil || len(s.required) > 0 {
		kinds |= Object
	}
	if s.array {
		kinds |= Array
	}
	return kinds
}

// restrictsBelow reports whether there are keywords for properties or elements.
func (s *schema) restrictsBelow() bool {
	return s.implied() != 0 || s.open || s.closed || len(s.conditions) > 0
}

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
	case s.isFalse():
		s.demands, s.domain = true, new(domain)
	case v.is(Object):
		r := reader{compiler: c, schema: s}
		r.readDomain()
		r.readApplicators()
		r.readProperties()
		r.readElements()
		r.readAnnotations()
		r.finish()
	case !v.isTrue():
		c.report(v, "invalid-schema",
			"a schema must be an object or a boolean, found %s: untyped", v.kind)
	}
	return s
}

// finish decides what the schema demands itself. Several types are alternatives, and so is
// null next to all of a schema that is nullable.
func (r *reader) finish() {
	s := r.schema
	describes := s.description != "" || s.byDefault != nil || s.examples != nil
	s.demands = describes || s.domain != nil || s.restrictsBelow() || s.limits != nil
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
		r.lastID++
		*s = schema{source: s.source, id: r.lastID, read: true, name: s.name}
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
	r.report(v, "invalid-keyword", "expected %s, found %s: ignored", want, v.kind)
}

// list returns the elements of a keyword's array. That there are none is reported.
func (r *reader) list(name, want string) []*value {
	v := r.source.get(name)
	if v != nil && len(v.elements()) == 0 {
		r.invalid(v, want)
	}
	return v.elements()
}

// readDomain reads type, enum, const, nullable and not. An enum next to a type allows its
// members of that type; if it has none, the enum alone decides.
func (r *reader) readDomain() {
	r.nullable = r.keyword("nullable", Boolean, "a boolean").isTrue()
	r.types = r.readTypes()
	d, kinds := everything, Kinds(0)
	for _, k := range r.types {
		kinds |= k
		d = only(kinds)
	}
	enum := r.list("enum", "an array with members")
	constant := r.source.get("const")
	if len(enum) > 0 {
		d = r.restrict(d, enum)
	}
	if constant != nil {
		d = r.restrict(d, []*value{constant})
	}
	not := r.source.get("not")
	isNever := not.isTrue() || not.is(Object) && len(not.below) == 0 // as zod writes never
	if isNever {
		d = domain{}
	} else if not != nil {
		r.report(not, "unsupported-keyword", "not: ignored, so what it excludes is allowed")
	}
	if isNever || r.types != nil || len(enum) > 0 || constant != nil {
		r.domain = &d
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
		names = v.below
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
			r.report(n, "unknown-type", "%q is not a JSON Schema type: read as any", n.text)
			k = Any
		case !exact:
			r.report(n, "misspelt-type", "%q is not a JSON Schema type: read as %s", n.text, k)
		}
		types = append(types, k)
	}
	return types
}

// restrict returns the literals that are in the domain, and reports those that are not.
func (r *reader) restrict(d domain, list []*value) domain {
	listed := domain{}.with(membersOf(list), Any)
	both := r.intersect(d, listed)
	if both.kinds == 0 {
		r.report(r.source, "enum-conflict",
			"no value of enum or const is of type %s: the type is ignored", d.kinds)
		r.types = nil
		return listed
	}
	var lost []string
	for i, m := range listed.members.list {
		isNull := r.nullable && m.Kind == Null
		if !isNull && !both.has(m.Kind, listed.members.keys.list[i]) {
			lost = append(lost, string(m.JSON))
		}
	}
	if lost != nil {
		r.report(r.source, "enum-conflict",
			"%.100s: not of type %s, so not allowed", strings.Join(lost, ", "), d.kinds)
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
	r.all = append(r.all, r.schemasIn(r.list("allOf", "an array of schemas"))...)
	for _, key := range [...]string{"anyOf", "oneOf"} {
		if list := r.list(key, "an array of schemas"); len(list) > 0 {
			r.any = append(r.any, r.schemasIn(list))
		}
	}
}

func (r *reader) readProperties() {
	if v := r.keyword("properties", Object, "an object"); v != nil {
		r.properties = r.schemasIn(v.below)
	}
	r.patterns = r.schemasIn(r.keyword("patternProperties", Object, "an object").members())
	for _, p := range r.patterns {
		r.addPattern(p.source)
	}
	additional := cmp.Or(
		r.keyword("additionalProperties", aSchema, "a schema"),
		r.keyword("unevaluatedProperties", aSchema, "a schema"), // sees through allOf, as we do
	)
	r.closed = additional.is(Boolean) && !additional.isTrue()
	r.open = additional != nil && !r.closed || len(r.patterns) > 0
	if additional.is(Object) {
		r.extra = r.schemaAt(additional)
	}
	if v := r.source.get("required"); v != nil {
		r.readRequired(v)
	}
	for _, p := range r.properties {
		if p.source.get("required").isTrue() { // as in draft 3
			r.required = append(r.required, p.source.token)
		}
	}
	r.readConditions()
}

// readRequired reads the list of names. A boolean, which draft 3 had in the property
// itself, is read with the properties around it.
func (r *reader) readRequired(v *value) {
	switch v.kind {
	case Boolean:
		r.report(v, "misplaced-required",
			"required belongs in the enclosing object, as a list of names: read as meant")
	case String:
		r.report(v, "invalid-keyword",
			"required must be an array of strings, found a string: read as a list of one")
		r.required = []string{v.text}
	case Array:
		for _, e := range v.below {
			if e.is(String) {
				r.required = append(r.required, e.text)
			} else {
				r.invalid(e, "a string")
			}
		}
	default:
		r.invalid(v, "an array of strings")
	}
}

// readConditions reads schemas that apply only to some objects.
func (r *reader) readConditions() {
	add := func(key string, v *value) {
		r.report(v, "unsupported-keyword",
			"%s: its properties are always accepted and its conditions are ignored", key)
		r.conditions = append(r.conditions, condition{r.schemaAt(v), key == "if"})
	}
	for _, key := range [...]string{"if", "then", "else"} {
		if v := r.source.get(key); v != nil {
			add(key, v)
		}
	}
	for _, key := range [...]string{"dependentSchemas", "dependencies"} {
		for _, m := range r.source.get(key).members() {
			if m.is(aSchema) {
				add(key, m)
			}
		}
	}
}

func (r *reader) readElements() {
	items := r.source.get("items")
	tuple := r.keyword("prefixItems", Array, "an array of schemas")
	more := r.keyword("additionalItems", aSchema, "a schema")
	unevaluated := r.keyword("unevaluatedItems", aSchema, "a schema")
	r.array = items != nil || tuple != nil
	if items.is(Array) {
		// Before 2020-12 a tuple was an array in items, and the rest additionalItems.
		tuple, items = items, more
	} else if items != nil && !items.is(aSchema) {
		r.invalid(items, "a schema")
		items = nil
	}
	r.prefix = r.schemasIn(tuple.elements())
	if rest := cmp.Or(items, unevaluated); rest != nil {
		r.rest = r.schemaAt(rest)
	}
}

func (r *reader) readAnnotations() {
	r.description = r.source.get("description").str()
	if v := r.source.get("default"); v != nil {
		r.byDefault = v.raw
	}
	for _, e := range r.source.get("examples").elements() {
		r.examples = append(r.examples, e.raw)
	}
	if v := r.source.get("example"); v != nil {
		r.examples = append(r.examples, v.raw)
	}
	r.limits = r.readLimits()
}
