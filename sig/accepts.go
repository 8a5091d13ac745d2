package sig

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Accepts reports whether a value, JSON text, fits the type: its types and literals, the
// values in it, and the limits. Formats, Limits.Other and patterns that Go cannot run are
// not checked. It takes time linear in the text for each pattern, and decodes the text, so
// it is for examples and tests rather than for every call.
func (t *Type) Accepts(text []byte) bool {
	doc, err := decode(text)
	return err == nil && len(doc.repeated) == 0 && make(acceptor).accepts(t, doc.root)
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
	if !t.allows(v) || !t.Limits.accept(v) {
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

// allows reports whether v is of a free kind, or in the enum.
func (t *Type) allows(v *value) bool {
	if t.Free&v.kind != 0 {
		return true
	}
	m := memberOf(v)
	return t.Free&m.Kind != 0 || t.members.has(&m)
}

// accept reports whether v is within the limits, which may be nil.
func (l *Limits) accept(v *value) bool {
	if l == nil {
		return true
	}
	lacks := func(name string) bool { return v.get(name) == nil }
	switch v.kind {
	case String:
		return l.Length.has(utf8.RuneCountInString(v.text)) &&
			!slices.ContainsFunc(l.programs(), func(p *regexp.Regexp) bool {
				return p != nil && !p.MatchString(v.text)
			})
	case Number:
		n := numberOf(v.text)
		return l.Value.has(n) && !slices.ContainsFunc(l.MultipleOf, func(by json.Number) bool {
			return !new(big.Rat).Quo(n, numberOf(by)).IsInt()
		})
	case Array:
		n := len(v.elements)
		return l.Items.has(n) && (!l.Unique || len(literalsOf(v.elements...).members()) == n)
	case Object:
		return l.Properties.has(len(v.members)) && !slices.ContainsFunc(l.Needs, func(n Need) bool {
			return !lacks(n.Name) && slices.ContainsFunc(n.Others, lacks)
		})
	}
	return true
}

// Checkable reports whether Accepts checks all limits: there are no other keywords, and Go can
// run the patterns.
func (l *Limits) Checkable() bool {
	return l == nil || len(l.Other) == 0 && !slices.Contains(l.programs(), nil)
}
