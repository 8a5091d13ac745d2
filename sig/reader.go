package sig

import (
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/internal/limits"
)

// reader reads the keywords of one schema.
type reader struct {
	*compiler
	*schema
	allowed  domain // by type, enum and const
	types    []Kinds
	nullable bool
}

const aSchema = Object | Boolean

// keywords are what is read of a schema, in this order, each with the kinds that its value can
// be of. Anything else is reported and ignored.
var keywords = [...]struct {
	name  string
	kinds Kinds
	read  func(*reader, *value)
}{
	{"nullable", Boolean, func(r *reader, v *value) { r.nullable = v.isTrue() }},
	{"type", Any, (*reader).readTypes},
	{"enum", Array, func(r *reader, v *value) { r.restrict(r.list(v)) }},
	{"const", Any, func(r *reader, v *value) { r.restrict([]*value{v}) }},
	{"not", Any, (*reader).readNot},

	{"$ref", String, (*reader).refer},
	{"$recursiveRef", String, (*reader).refer},
	{"$dynamicRef", String, (*reader).refer},
	{"allOf", Array,
		func(r *reader, v *value) { r.all = append(r.all, r.schemasIn(r.list(v))...) }},
	{"anyOf", Array, (*reader).readAlternatives},
	{"oneOf", Array, (*reader).readAlternatives},

	{"properties", Object, (*reader).readProperties},
	{"required", Any, (*reader).readRequired},
	{"unevaluatedProperties", aSchema, (*reader).readOthers},
	{"additionalProperties", aSchema, (*reader).readOthers},
	{"patternProperties", Object, (*reader).readPatterns},
	{"if", aSchema, (*reader).readCondition},
	{"then", aSchema, (*reader).readCondition},
	{"else", aSchema, (*reader).readCondition},
	{"dependentRequired", Object, (*reader).readDependencies},
	{"dependentSchemas", Object, (*reader).readDependencies},
	{"dependencies", Object, (*reader).readDependencies},

	{"prefixItems", Array, (*reader).readTuple},
	{"unevaluatedItems", aSchema, (*reader).readItems},
	{"additionalItems", aSchema, (*reader).readAdditionalItems},
	{"items", aSchema | Array, (*reader).readItems},

	{"description", Any, func(r *reader, v *value) { r.description = v.str() }},
	{"default", Any, func(r *reader, v *value) { r.byDefault = v.raw }},
	{"examples", Any, (*reader).readExamples},
	{"example", Any, func(r *reader, v *value) { r.examples = append(r.examples, v.raw) }},

	{"format", String, func(r *reader, v *value) { r.readText(v, &r.limit().Formats) }},
	{"pattern", String, func(r *reader, v *value) { r.readText(v, &r.limit().Patterns) }},
	{"minLength", Number, func(r *reader, v *value) { r.readCount(v, &r.limit().Length.Min) }},
	{"maxLength", Number, func(r *reader, v *value) { r.readCount(v, &r.limit().Length.Max) }},
	{"minItems", Number, func(r *reader, v *value) { r.readCount(v, &r.limit().Items.Min) }},
	{"maxItems", Number, func(r *reader, v *value) { r.readCount(v, &r.limit().Items.Max) }},
	{"minProperties", Number,
		func(r *reader, v *value) { r.readCount(v, &r.limit().Properties.Min) }},
	{"maxProperties", Number,
		func(r *reader, v *value) { r.readCount(v, &r.limit().Properties.Max) }},
	{"minimum", Number, func(r *reader, v *value) { r.readBound(v, &r.limit().Min, 1) }},
	{"maximum", Number, func(r *reader, v *value) { r.readBound(v, &r.limit().Max, -1) }},
	{"exclusiveMinimum", Number | Boolean,
		func(r *reader, v *value) { r.readExclusive(v, &r.limit().Min, 1) }},
	{"exclusiveMaximum", Number | Boolean,
		func(r *reader, v *value) { r.readExclusive(v, &r.limit().Max, -1) }},
	{"multipleOf", Number, (*reader).readMultiple},
	{"uniqueItems", Boolean, func(r *reader, v *value) { r.limit().Unique = v.isTrue() }},
	{"contentEncoding", String, (*reader).readOther},
	{"contentMediaType", String, (*reader).readOther},
	{"contains", aSchema, (*reader).readOther},
	{"minContains", Number, (*reader).readOther},
	{"maxContains", Number, (*reader).readOther},
	{"propertyNames", aSchema, (*reader).readOther},
}

// keywordIndex has the indexes of keywords by name.
var keywordIndex = make(map[string]int)

func init() {
	for i, k := range keywords {
		keywordIndex[k.name] = i
	}
}

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
		r := reader{compiler: c, schema: s, allowed: everything}
		r.readKeywords()
		r.finish()
	case !v.isTrue():
		c.report(v, "invalid-schema",
			"a schema must be an object or a boolean, found %s: untyped", v.kind)
	}
	return s
}

func (r *reader) readKeywords() {
	var found [len(keywords)]*value
	for _, m := range r.source.below {
		if i, ok := keywordIndex[m.token]; ok {
			found[i] = m
		}
	}
	for i, v := range found {
		if v.is(keywords[i].kinds) {
			keywords[i].read(r, v)
		} else if v != nil {
			r.invalid(v, keywords[i].kinds.String())
		}
	}
}

// invalid reports a keyword, or an element of its list, with a value of the wrong
// kind.
func (r *reader) invalid(v *value, want string) {
	r.report(v, "invalid-keyword", "expected %s, found %s: ignored", want, v.kind)
}

// finish decides what the schema demands itself. Several types are alternatives, and so is
// null next to all of a schema that is nullable.
func (r *reader) finish() {
	s := r.schema
	if r.allowed != everything || r.types != nil {
		s.domain = &r.allowed
	}
	if s.limits != nil {
		s.limits = s.limits.Compiled()
	}
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

// readTypes reads the types, in source order.
func (r *reader) readTypes(v *value) {
	names := []*value{v}
	if v.is(Array) {
		names = r.list(v)
	}
	kinds := Kinds(0)
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
		kinds |= k
		r.types = append(r.types, k)
		r.allowed = only(kinds)
	}
}

// list returns the elements of an array. That there are none is reported.
func (r *reader) list(v *value) []*value {
	if len(v.below) == 0 {
		r.invalid(v, "an array with members")
	}
	return v.below
}

// restrict allows only these literals, and reports those that are not allowed anyway. If none
// is, they alone decide.
func (r *reader) restrict(list []*value) {
	if len(list) == 0 {
		return
	}
	before := r.allowed
	listed := domain{}.with(membersOf(list), Any)
	r.allowed = r.intersect(before, listed)
	if r.allowed.kinds == 0 {
		r.report(r.source, "enum-conflict",
			"no value of enum or const is of type %s: the type is ignored", before.kinds)
		r.allowed, r.types = listed, nil
		return
	}
	var lost []string
	for _, m := range listed.members.list {
		isNull := r.nullable && m.Kind == Null
		if !isNull && !r.allowed.has(m) {
			lost = append(lost, string(m.JSON))
		}
	}
	if lost != nil {
		r.report(r.source, "enum-conflict",
			"%.100s: not of type %s, so not allowed", strings.Join(lost, ", "), before.kinds)
	}
}

func (r *reader) readNot(v *value) {
	if v.isTrue() || v.is(Object) && len(v.below) == 0 { // as zod writes never
		r.allowed = domain{}
		return
	}
	r.report(v, "unsupported-keyword", "not: ignored, so what it excludes is allowed")
}

func (r *reader) refer(v *value) {
	if target := r.resolve(v); target != nil {
		r.all = append(r.all, target)
	}
}

func (r *reader) readAlternatives(v *value) {
	if list := r.list(v); len(list) > 0 {
		r.any = append(r.any, r.schemasIn(list))
	}
}

func (r *reader) readProperties(v *value) {
	r.properties = r.schemasIn(v.below)
	for _, p := range v.below {
		if p.get("required").isTrue() { // as in draft 3
			r.required = append(r.required, p.token)
		}
	}
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
		r.required = append(r.required, v.text)
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

// readOthers reads the schema of undeclared properties.
func (r *reader) readOthers(v *value) {
	s := r.schemaAt(v)
	r.closed, r.open, r.extra = s.isFalse(), !s.isFalse(), nil
	r.unevaluated = v.token == "unevaluatedProperties"
	if v.is(Object) {
		r.extra = s
	}
}

func (r *reader) readPatterns(v *value) {
	r.patterns = r.schemasIn(v.below)
	for _, p := range v.below {
		r.addPattern(p)
	}
}

// readCondition reads a schema that applies only to some objects.
func (r *reader) readCondition(v *value) { r.addCondition(v.token, v) }

func (r *reader) addCondition(keyword string, v *value) {
	r.report(v, "unsupported-keyword",
		"%s: its properties are always accepted and its conditions are ignored", keyword)
	r.conditions = append(r.conditions, condition{r.schemaAt(v), keyword == "if"})
}

// readDependencies reads what properties require: a schema, or others.
func (r *reader) readDependencies(v *value) {
	for _, m := range v.below {
		if m.is(aSchema) {
			r.addCondition(v.token, m)
			continue
		}
		for _, e := range m.elements() {
			if r.limit().Needs == nil {
				r.limits.Needs = make(map[string][]string)
			}
			r.limits.Needs[m.token] = append(r.limits.Needs[m.token], e.str())
		}
	}
}

func (r *reader) readTuple(v *value) { r.array, r.prefix = true, r.schemasIn(v.below) }

// Before 2020-12 a tuple was an array in items, and the rest additionalItems.

func (r *reader) readAdditionalItems(v *value) {
	if r.source.get("items").is(Array) {
		r.rest, r.unevaluatedRest = r.schemaAt(v), false
	}
}

func (r *reader) readItems(v *value) {
	if v.is(Array) {
		r.readTuple(v)
	} else {
		r.array, r.rest = true, r.schemaAt(v)
		r.unevaluatedRest = v.token == "unevaluatedItems"
	}
}

func (r *reader) readExamples(v *value) {
	for _, e := range v.elements() {
		r.examples = append(r.examples, e.raw)
	}
}

// limit returns the limits of the schema, to be changed.
func (r *reader) limit() *Limits {
	if r.limits == nil {
		l := limits.None
		r.limits = &l
	}
	return r.limits
}

func (r *reader) readText(v *value, list *[]string) {
	if v.text != "" {
		*list = []string{v.text}
	}
}

// readCount sets an end of a range to a count.
func (r *reader) readCount(v *value, end *int) {
	if n, ok := limits.Count(v.text); ok {
		*end = n
	} else {
		r.invalid(v, "a count")
	}
}

// readBound makes a bound as strict as v; inward is as in limits.Tighter.
func (r *reader) readBound(v *value, end **limits.Bound, inward int) {
	isExclusive := strings.HasPrefix(v.token, "exclusive")
	bound := &limits.Bound{Number: json.Number(v.text), Exclusive: isExclusive}
	*end = limits.Tighter(*end, bound, inward)
}

// readExclusive reads an exclusive bound. In drafts 3 and 4 it is a boolean that makes the other
// one exclusive.
func (r *reader) readExclusive(v *value, end **limits.Bound, inward int) {
	if v.is(Number) {
		r.readBound(v, end, inward)
	} else if *end != nil {
		(*end).Exclusive = v.isTrue()
	}
}

func (r *reader) readMultiple(v *value) {
	if limits.Number(v.text).Sign() > 0 {
		r.limit().MultipleOf = []json.Number{json.Number(v.text)}
	} else {
		r.invalid(v, "a positive number")
	}
}

// readOther reads a limit that is not interpreted. Names of properties are strings anyway.
func (r *reader) readOther(v *value) {
	isMet := v.token == "propertyNames" && (v.isTrue() || v.isJust(String))
	if !isMet {
		r.limit().Other = append(r.limit().Other, Keyword{Name: v.token, Value: string(v.raw)})
	}
}
