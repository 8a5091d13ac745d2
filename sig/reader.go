package sig

import (
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// readSchema reads the keywords of s, once.
func (c *compiler) readSchema(s *schema) *schema {
	if s.read {
		return s
	}
	s.read = true
	v := s.source
	switch {
	case v.is(Boolean) && !v.isTrue():
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
	for _, m := range v.members {
		k, known := keywordReaders[m.key]
		switch {
		case !known:
		case !m.value.is(k.kinds):
			want := k.want
			if want == "" {
				want = k.kinds.String()
			}
			r.invalid(m.value, want)
		default:
			k.read(&r, m.value)
		}
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
	items, tuple               *value
	moreItems, unevaluatedItem *value
	exclusive                  map[string]bool // the boolean bounds of drafts 3 and 4
	bounds                     []keywordValue
}

// keywordValue is a keyword whose meaning depends on others.
type keywordValue struct {
	keyword string
	value   *value
}

// keywordReader reads a keyword whose value is of these kinds, in words what is wanted.
type keywordReader struct {
	kinds Kinds
	want  string // "" for the names of the kinds
	read  func(r *reader, v *value)
}

const aSchema = Object | Boolean

// keywordReaders are the keywords that are read, with how.
var keywordReaders = map[string]keywordReader{
	"type":     {Any, "", (*reader).readTypes},
	"enum":     {Any, "", (*reader).readEnum},
	"const":    {Any, "", func(r *reader, v *value) { r.constant = literalsOf(v) }},
	"nullable": {Boolean, "a boolean", func(r *reader, v *value) { r.nullable = v.isTrue() }},
	"not":      {Any, "", (*reader).readNot},

	"$ref":          {String, "a string", (*reader).readRef},
	"$recursiveRef": {String, "a string", (*reader).readRef},
	"$dynamicRef":   {String, "a string", (*reader).readRef},
	"allOf":         {Any, "", func(r *reader, v *value) { r.allOf = r.subschemas(v) }},
	"anyOf":         {Any, "", (*reader).readUnion},
	"oneOf":         {Any, "", (*reader).readUnion},

	"properties":            {Object, "an object", (*reader).readProperties},
	"patternProperties":     {Object, "an object", (*reader).readPatterns},
	"additionalProperties":  {aSchema, "a schema", func(r *reader, v *value) { r.additional = v }},
	"unevaluatedProperties": {aSchema, "a schema", func(r *reader, v *value) { r.unevaluated = v }},
	"required":              {Any, "", (*reader).readRequired},
	"if":                    {Any, "", func(r *reader, v *value) { r.readCondition("if", v) }},
	"then":                  {Any, "", func(r *reader, v *value) { r.readCondition("then", v) }},
	"else":                  {Any, "", func(r *reader, v *value) { r.readCondition("else", v) }},
	"dependentSchemas":      {Any, "", (*reader).readDependents},
	"dependencies":          {Object, "", (*reader).readDependencies},

	"items":            {Any, "", func(r *reader, v *value) { r.items = v }},
	"prefixItems":      {Array, "an array of schemas", func(r *reader, v *value) { r.tuple = v }},
	"additionalItems":  {aSchema, "a schema", func(r *reader, v *value) { r.moreItems = v }},
	"unevaluatedItems": {aSchema, "a schema", func(r *reader, v *value) { r.unevaluatedItem = v }},

	"description": {Any, "", func(r *reader, v *value) { r.description = v.str() }},
	"default":     {Any, "", func(r *reader, v *value) { r.byDefault = v.raw }},
	"example":     {Any, "", func(r *reader, v *value) { r.examples = append(r.examples, v.raw) }},
	"examples": {Any, "", func(r *reader, v *value) {
		for _, e := range v.elements {
			r.examples = append(r.examples, e.raw)
		}
	}},

	"format":            texts(func(l *Limits) *[]string { return &l.Formats }),
	"contentEncoding":   texts(func(l *Limits) *[]string { return &l.Encodings }),
	"contentMediaType":  texts(func(l *Limits) *[]string { return &l.Encodings }),
	"pattern":           texts(func(l *Limits) *[]string { return &l.Patterns }),
	"minLength":         count(func(l *Limits) *int { return &l.Length.Min }),
	"maxLength":         count(func(l *Limits) *int { return &l.Length.Max }),
	"minItems":          count(func(l *Limits) *int { return &l.Items.Min }),
	"maxItems":          count(func(l *Limits) *int { return &l.Items.Max }),
	"minProperties":     count(func(l *Limits) *int { return &l.Properties.Min }),
	"maxProperties":     count(func(l *Limits) *int { return &l.Properties.Max }),
	"minimum":           bound("minimum", Number),
	"exclusiveMinimum":  bound("exclusiveMinimum", Number|Boolean),
	"maximum":           bound("maximum", Number),
	"exclusiveMaximum":  bound("exclusiveMaximum", Number|Boolean),
	"multipleOf":        {Number, "", (*reader).readMultiple},
	"uniqueItems":       {Boolean, "", func(r *reader, v *value) { r.limit().Unique = v.isTrue() }},
	"dependentRequired": {Object, "", (*reader).readNeeds},
	"contains":          other("contains", aSchema),
	"minContains":       other("minContains", Number),
	"maxContains":       other("maxContains", Number),
	"propertyNames":     other("propertyNames", aSchema),
}

// texts reads a keyword whose value is added to a list of strings.
func texts(list func(*Limits) *[]string) keywordReader {
	return keywordReader{String, "", func(r *reader, v *value) {
		l := list(r.limit())
		*l = append(*l, v.text)
	}}
}

// count reads a keyword whose value is a length or number.
func count(end func(*Limits) *int) keywordReader {
	return keywordReader{Number, "", func(r *reader, v *value) {
		l, d := r.limit(), parseDecimal(v.raw)
		if d.negative || !lexeme.IsIntegral(v.raw) {
			r.invalid(v, "a count")
			return
		}
		*end(l) = d.count()
	}}
}

// bound reads a keyword that bounds numbers.
func bound(keyword string, kinds Kinds) keywordReader {
	return keywordReader{kinds, "", func(r *reader, v *value) {
		r.limit()
		if !v.is(Boolean) {
			r.bounds = append(r.bounds, keywordValue{keyword, v})
			return
		}
		if r.exclusive == nil {
			r.exclusive = make(map[string]bool)
		}
		r.exclusive[keyword] = v.isTrue()
	}}
}

// other reads a keyword that is not interpreted.
func other(keyword string, kinds Kinds) keywordReader {
	return keywordReader{kinds, "", func(r *reader, v *value) {
		l := r.limit()
		if !v.isTrue() {
			l.Other = append(l.Other, Keyword{keyword, v.raw})
		}
	}}
}

// limit returns the limits of the schema.
func (r *reader) limit() *Limits {
	if r.limits == nil {
		r.limits = newLimits()
	}
	return r.limits
}

func (r *reader) readTypes(v *value) {
	names := []*value{v}
	if v.is(Array) {
		names = v.elements
	}
	if len(names) == 0 {
		r.invalid(v, "at least one type")
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
	}
}

func (r *reader) readEnum(v *value) {
	if !v.is(Array) || len(v.elements) == 0 {
		r.invalid(v, "an array with members")
		return
	}
	r.enum = literalsOf(v.elements...)
}

// readNot reads the schema of what is not allowed. {} is how zod writes never.
func (r *reader) readNot(v *value) {
	r.never = v.isTrue() || v.is(Object) && len(v.members) == 0
	if !r.never {
		r.report(v, unsupportedKeyword, "not: ignored, so what it excludes is allowed")
	}
}

func (r *reader) readRef(v *value) {
	if target := r.resolve(v); target != nil {
		r.refs = append(r.refs, target)
	}
}

func (r *reader) readUnion(v *value) {
	if alternatives := r.subschemas(v); alternatives != nil {
		r.schema.any = append(r.schema.any, &union{source: v, alternatives: alternatives})
	}
}

// subschemas returns the schemas in a list.
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

func (r *reader) readProperties(v *value) {
	r.declares = true
	r.properties = make([]property, 0, len(v.members))
	for _, m := range v.members {
		r.properties = append(r.properties, property{m.key, r.schemaAt(m.value)})
	}
}

func (r *reader) readPatterns(v *value) {
	for _, m := range v.members {
		p := patternProperty{source: m.key, schema: r.schemaAt(m.value)}
		p.matches, p.size = r.compilePattern(m.value, m.key)
		r.patterns = append(r.patterns, p)
	}
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

// readCondition reads a schema that applies only to some objects.
func (r *reader) readCondition(key string, v *value) {
	r.report(v, unsupportedKeyword,
		"%s: its properties are always accepted and its conditions are ignored", key)
	r.conditions = append(r.conditions, condition{r.schemaAt(v), key == "if"})
}

func (r *reader) readDependents(v *value) { r.readConditions("dependentSchemas", v) }

// readConditions reads schemas that apply to objects with some property.
func (r *reader) readConditions(key string, v *value) {
	for _, m := range v.members {
		if m.value.is(aSchema) {
			r.readCondition(key, m.value)
		}
	}
}

// readDependencies reads schemas and lists of names, as older drafts mixed them.
func (r *reader) readDependencies(v *value) {
	r.readConditions("dependencies", v)
	r.readNeeds(v)
}

// readNeeds reads which properties require others, in source order.
func (r *reader) readNeeds(v *value) {
	l := r.limit()
	for _, m := range v.members {
		need := Need{Name: m.key}
		for _, e := range m.value.elements {
			need.Others = append(need.Others, e.str())
		}
		if len(need.Others) > 0 {
			l.Needs = append(l.Needs, need)
		}
	}
}

func (r *reader) readMultiple(v *value) {
	l := r.limit()
	if v.text == "0" || v.text[0] == '-' {
		r.invalid(v, "a positive number")
		return
	}
	l.MultipleOf = append(l.MultipleOf, json.Number(v.text))
}

// finish evaluates keywords that depend on each other.
func (r *reader) finish() {
	r.finishDomain()
	r.finishObject()
	r.finishArray()
	r.finishBounds()
	s := r.schema
	// The order of anyOf and oneOf in the source has no meaning.
	if u := s.any; len(u) == 2 && u[0].source.token > u[1].source.token {
		u[0], u[1] = u[1], u[0]
	}
	s.all = append(r.refs, r.allOf...)
	if r.says() {
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
	conflict := func(format string, args ...any) {
		r.report(r.source, enumConflict, format, args...)
	}
	d := everything
	if r.listed != nil {
		var k Kinds
		for _, t := range r.listed {
			k |= t
		}
		d = only(k)
		if len(r.listed) > 1 {
			r.types = r.listed
		}
	}
	for _, members := range []*memberSet{r.enum, r.constant} {
		if members == nil {
			continue
		}
		listed := literals(members)
		both := d.intersect(listed)
		if both.kinds == 0 {
			conflict("no value of enum or const is of type %s: the type is ignored", d.kinds)
			both = listed
		} else if rest := r.excluded(both.members, members); rest != "" {
			conflict("%s: not of type %s, so not allowed", rest, d.kinds)
		}
		without := d.kinds &^ both.kinds
		if r.nullable && without == Null {
			without = 0
		}
		if len(r.listed) > 1 && without != 0 {
			conflict("enum or const has no value of type %s, so that type is not allowed", without)
		}
		d = both
	}
	r.restricted = r.never || r.listed != nil || r.enum != nil || r.constant != nil
	if !r.never {
		r.domain = d
	}
}

// excluded lists the members that are not in kept, except null next to nullable.
func (r *reader) excluded(kept, members *memberSet) string {
	if len(kept.list) == len(members.list) {
		return ""
	}
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
	if r.additional == nil {
		r.additional = r.unevaluated // it sees through allOf, as this package does
	}
	a := r.additional
	r.closed = a.is(Boolean) && !a.isTrue()
	r.open = a != nil && !r.closed || len(r.patterns) > 0
	if a.is(Object) {
		r.extra = r.schemaAt(a)
	}
	r.object = r.declares || r.open || r.closed || len(r.required) > 0
}

func (r *reader) finishArray() {
	rest := r.items
	if r.items.is(Array) {
		// Before 2020-12 a tuple was an array in items, and the rest additionalItems.
		r.tuple, rest = r.items, r.moreItems
	} else if r.items != nil && !r.items.is(aSchema) {
		r.invalid(r.items, "a schema")
		rest = nil
	}
	if rest == nil {
		rest = r.unevaluatedItem
	}
	if r.tuple != nil {
		for _, e := range r.tuple.elements {
			r.prefix = append(r.prefix, r.schemaAt(e))
		}
	}
	if rest != nil {
		r.rest = r.schemaAt(rest)
	}
	r.array = r.items != nil || r.tuple != nil
}

// finishBounds reads the bounds of numbers. In drafts 3 and 4 an exclusive bound is a
// boolean that makes the inclusive one exclusive.
func (r *reader) finishBounds() {
	for _, b := range r.bounds {
		end := &Bound{Number: json.Number(b.value.text), Exclusive: true}
		value := &r.limits.Value
		switch b.keyword {
		case "minimum":
			end.Exclusive = r.exclusive["exclusiveMinimum"]
			fallthrough
		case "exclusiveMinimum":
			value.Min = tighter(value.Min, end, 1)
		case "maximum":
			end.Exclusive = r.exclusive["exclusiveMaximum"]
			fallthrough
		default:
			value.Max = tighter(value.Max, end, -1)
		}
	}
}

// invalid reports a keyword, or an element of its list, with a value of the wrong
// kind.
func (r *reader) invalid(v *value, want string) {
	r.report(v, invalidKeyword, "expected %s, found %s: ignored", want, v.kind)
}
