package sig

import "slices"

// Accepts reports whether a value, JSON text, fits the type: its types and literals, the
// values in it, the limits, and one of the alternatives. Formats, Limits.Other and patterns
// that Go cannot run are not checked. It takes time linear in the text for each pattern, and
// decodes the text, so it is for examples and tests rather than for every call.
func (t *Type) Accepts(text []byte) bool {
	v, err := decode(text, maxDepth)
	return err == nil && make(acceptor).accepts(t, v)
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
		ok = !v.repeated && (t == nil || a.fits(t, v))
		a[key] = ok
	}
	return ok
}

// fits is accepts without its memory, for a type that is not nil.
func (a acceptor) fits(t *Type, v *value) bool {
	isFit := func(alt *Type) bool { return a.accepts(alt, v) }
	if len(t.Alts) > 0 && !slices.ContainsFunc(t.Alts, isFit) {
		return false
	}
	if t.Free&v.kind == 0 && !(domain{free: t.Free, members: t.members}).has(memberOf(v)) {
		return false
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
		isOut := func(p pattern) bool {
			return p.matches != nil && p.matches.MatchString(m.token) && !a.accepts(p.typ, m)
		}
		if !known || !a.accepts(typ, m) || t.Alts == nil && slices.ContainsFunc(t.patterns, isOut) {
			return false
		}
	}
	isMissing := func(f Field) bool { return f.Required && v.get(f.Name) == nil }
	return v.kind != Object || !slices.ContainsFunc(t.Fields, isMissing)
}

// within reports whether v is within the limits.
func (v *value) within(l *Limits) bool {
	n := len(v.below)
	lacks := func(name string) bool { return v.get(name) == nil }
	switch v.kind {
	case String:
		return l.AcceptText(v.text)
	case Number:
		return l.AcceptNumber(v.text)
	case Array:
		return l.Items.Has(n) && (!l.Unique || len(membersOf(v.below).list) == n)
	case Object:
		for name, others := range l.Needs {
			if !lacks(name) && slices.ContainsFunc(others, lacks) {
				return false
			}
		}
		return l.Properties.Has(n)
	}
	return true
}
