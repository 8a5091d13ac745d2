package sig

import (
	"encoding/json"
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// textLimits are limits on strings that are texts themselves. A comment has them between
// marks.
var textLimits = [...]struct {
	keyword, mark string
	of            func(*limits.Limits) *[]string
}{
	{"format", "", func(l *limits.Limits) *[]string { return &l.Formats }},
	{"pattern", "/", func(l *limits.Limits) *[]string { return &l.Patterns }},
}

// countLimits are limits on sizes. A comment names their units.
var countLimits = [...]struct {
	min, max, one, many string
	of                  func(*limits.Limits) *limits.Range
}{
	{"minLength", "maxLength", "char", "chars",
		func(l *limits.Limits) *limits.Range { return &l.Length }},
	{"minItems", "maxItems", "item", "items",
		func(l *limits.Limits) *limits.Range { return &l.Items }},
	{"minProperties", "maxProperties", "property", "properties",
		func(l *limits.Limits) *limits.Range { return &l.Properties }},
}

// otherLimits are keywords that are only shown or reported.
var otherLimits = [...]struct {
	keyword string
	kinds   Kinds
}{
	{"contentEncoding", String}, {"contentMediaType", String},
	{"contains", aSchema}, {"minContains", Number}, {"maxContains", Number},
	{"propertyNames", aSchema},
}

// readLimits returns the limits of a schema, nil if it has none.
func (r *reader) readLimits() *limits.Limits {
	before := r.found
	l := limits.None
	for _, k := range textLimits {
		if v := r.keyword(k.keyword, String, ""); v != nil {
			*k.of(&l) = []string{v.text}
		}
	}
	for _, k := range countLimits {
		r.readCount(k.min, &k.of(&l).Min)
		r.readCount(k.max, &k.of(&l).Max)
	}
	l.Value.Min = r.bound("minimum", "exclusiveMinimum", 1)
	l.Value.Max = r.bound("maximum", "exclusiveMaximum", -1)
	if v := r.keyword("multipleOf", Number, ""); v != nil {
		if limits.Number(v.text).Sign() > 0 {
			l.MultipleOf = []json.Number{json.Number(v.text)}
		} else {
			r.invalid(v, "a positive number")
		}
	}
	l.Unique = r.keyword("uniqueItems", Boolean, "").isTrue()
	for _, key := range [...]string{"dependentRequired", "dependencies"} {
		for _, m := range r.keyword(key, Object, "").members() {
			need := limits.Need{Name: m.token}
			for _, e := range m.elements() {
				need.Others = append(need.Others, e.str())
			}
			if len(need.Others) > 0 {
				l.Needs = append(l.Needs, need)
			}
		}
	}
	for _, k := range otherLimits {
		if v := r.keyword(k.keyword, k.kinds, ""); v != nil && !v.isTrue() {
			l.Other = append(l.Other, limits.Keyword{Name: k.keyword, Value: v.raw})
		}
	}
	if r.found == before {
		return nil
	}
	return l.Compiled()
}

// readCount sets an end of a range to the count in a keyword.
func (r *reader) readCount(keyword string, end *int) {
	v := r.keyword(keyword, Number, "")
	if v == nil {
		return
	}
	if n, ok := limits.Count(v.text); ok {
		*end = n
	} else {
		r.invalid(v, "a count")
	}
}

// bound returns the stricter of two bounds; inward is as in limits.Tighter. In drafts 3 and 4 the
// exclusive bound is a boolean that makes the other one exclusive.
func (r *reader) bound(inclusive, exclusive string, inward int) (end *limits.Bound) {
	isExclusive := r.keyword(exclusive, Number|Boolean, "")
	if v := r.keyword(inclusive, Number, ""); v != nil {
		end = &limits.Bound{Number: json.Number(v.text), Exclusive: isExclusive.isTrue()}
	}
	if isExclusive.is(Number) {
		other := &limits.Bound{Number: json.Number(isExclusive.text), Exclusive: true}
		end = limits.Tighter(end, other, inward)
	}
	return end
}

// addNeeds adds to the fields which others they need.
func (t *Type) addNeeds() {
	if t.Limits == nil {
		return
	}
	for _, need := range t.Limits.Needs {
		if f := t.Field([]byte(need.Name)); f != nil {
			f.needs = append(f.needs, need.Others)
		}
	}
}

// Accepts reports whether a value, JSON text, fits the type: its types and literals, the
// values in it, and the limits. Formats, Limits.Other and patterns that Go cannot run are
// not checked. It takes time linear in the text for each pattern, and decodes the text, so
// it is for examples and tests rather than for every call.
func (t *Type) Accepts(text []byte) bool {
	v, repeated, err := decode(text, maxDepth)
	return err == nil && len(repeated) == 0 && make(acceptor).accepts(t, v)
}

// acceptor remembers which types accept which values: alternatives within alternatives
// would ask again and again.
type acceptor map[typedValue]bool

type typedValue struct {
	*Type
	*value
}

func (a acceptor) accepts(t *Type, v *value) bool {
	key := typedValue{t, v}
	ok, known := a[key]
	if !known {
		ok = t == nil || a.fits(t, v)
		a[key] = ok
	}
	return ok
}

// fits is accepts without its memory, for a type that is not nil.
func (a acceptor) fits(t *Type, v *value) bool {
	if len(t.Alts) > 0 { // each has everything that applies to the place
		return slices.ContainsFunc(t.Alts, func(alt *Type) bool { return a.accepts(alt, v) })
	}
	if t.Free&v.kind == 0 {
		m, key := memberOf(v)
		if t.Free&m.Kind == 0 && !t.members.has(key) {
			return false
		}
	}
	if t.Limits != nil && !v.within(t.Limits) {
		return false
	}
	for i, e := range v.elements() {
		if !a.accepts(t.Item(i), e) {
			return false
		}
	}
	for _, m := range v.members() {
		typ, _, known := t.Property([]byte(m.token))
		if !known || !a.accepts(typ, m) {
			return false
		}
	}
	isMissing := func(f Field) bool { return f.Required && v.get(f.Name) == nil }
	return v.kind != Object || !slices.ContainsFunc(t.Fields, isMissing)
}

// within reports whether v is within the limits.
func (v *value) within(l *limits.Limits) bool {
	n := len(v.below)
	lacks := func(name string) bool { return v.get(name) == nil }
	isBroken := func(n limits.Need) bool {
		return !lacks(n.Name) && slices.ContainsFunc(n.Others, lacks)
	}
	switch v.kind {
	case String:
		return l.AcceptText(v.text)
	case Number:
		return l.AcceptNumber(v.text)
	case Array:
		return l.Items.Has(n) && (!l.Unique || len(membersOf(v.below).list) == n)
	case Object:
		return l.Properties.Has(n) && !slices.ContainsFunc(l.Needs, isBroken)
	}
	return true
}
