package sig

import (
	"encoding/json"
	"slices"

	"github.com/callwire/callwire/internal/limits"
)

// readLimits returns the limits of a schema, nil if it has none.
func (r *reader) readLimits() *limits.Limits {
	before := r.found
	l := limits.None
	r.readText("format", &l.Formats)
	r.readText("pattern", &l.Patterns)
	r.readText("contentEncoding", &l.Encodings)
	r.readText("contentMediaType", &l.Encodings)
	r.readCount("minLength", &l.Length.Min)
	r.readCount("maxLength", &l.Length.Max)
	r.readCount("minItems", &l.Items.Min)
	r.readCount("maxItems", &l.Items.Max)
	r.readCount("minProperties", &l.Properties.Min)
	r.readCount("maxProperties", &l.Properties.Max)
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
	readNeeds(&l, r.keyword("dependentRequired", Object, ""))
	readNeeds(&l, r.keyword("dependencies", Object, ""))
	r.readOther("contains", aSchema, &l)
	r.readOther("minContains", Number, &l)
	r.readOther("maxContains", Number, &l)
	r.readOther("propertyNames", aSchema, &l)
	if r.found == before {
		return nil
	}
	return l.Compiled()
}

// readText adds the text of a keyword to the list.
func (r *reader) readText(keyword string, list *[]string) {
	if v := r.keyword(keyword, String, ""); v != nil {
		*list = append(*list, v.text)
	}
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

// readNeeds adds which properties require others, in source order.
func readNeeds(l *limits.Limits, v *value) {
	for _, m := range v.entries() {
		need := limits.Need{Name: m.key}
		for _, e := range m.value.elements {
			need.Others = append(need.Others, e.str())
		}
		if len(need.Others) > 0 {
			l.Needs = append(l.Needs, need)
		}
	}
}

// readOther adds a keyword that is not interpreted.
func (r *reader) readOther(keyword string, kinds Kinds, l *limits.Limits) {
	if v := r.keyword(keyword, kinds, ""); v != nil && !v.isTrue() {
		l.Other = append(l.Other, limits.Keyword{Name: keyword, Value: v.raw})
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
		m := memberOf(v)
		if t.Free&m.Kind == 0 && find(t.members, m.key) == nil {
			return false
		}
	}
	if !v.within(t.Limits) {
		return false
	}
	for i, e := range v.elements {
		if !a.accepts(t.Item(i), e) {
			return false
		}
	}
	for _, m := range v.members {
		typ, _, known := t.Property([]byte(m.key))
		if !known || !a.accepts(typ, m.value) {
			return false
		}
	}
	isMissing := func(f Field) bool { return f.Required && v.get(f.Name) == nil }
	return v.kind != Object || !slices.ContainsFunc(t.Fields, isMissing)
}

// within reports whether v is within the limits, which may be nil.
func (v *value) within(l *limits.Limits) bool {
	if l == nil {
		return true
	}
	lacks := func(name string) bool { return v.get(name) == nil }
	switch v.kind {
	case String:
		return l.AcceptText(v.text)
	case Number:
		return l.AcceptNumber(v.text)
	case Array:
		n := len(v.elements)
		return l.Items.Has(n) && (!l.Unique || len(membersOf(v.elements...).members()) == n)
	case Object:
		return l.Properties.Has(len(v.members)) &&
			!slices.ContainsFunc(l.Needs, func(n limits.Need) bool {
				return !lacks(n.Name) && slices.ContainsFunc(n.Others, lacks)
			})
	}
	return true
}
