package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
)

// A scalar has several readings: null, a boolean, a number, a string, or, if the schema has no
// use for any of these, something that was probably meant. Each reading is ranked by how well it
// fits the schema, and the best one is taken.

// fit is how well a reading fits a type.
type fit uint8

const (
	fitsNot  fit = iota
	fitsType     // the JSON type is allowed, but not this value
	fitsAll      // type and value are allowed
)

// fits ranks a scalar of the given kind under t. Text is the decoded text of a string, or the
// literal.
func fits(t *sig.Type, kind sig.Kinds, text []byte) fit {
	if t == nil || t.Free&kind != 0 {
		return fitsAll
	}
	return fitsListed(t, kind, text)
}

// fitsListed is fits where an enum may list the scalar.
func fitsListed(t *sig.Type, kind sig.Kinds, text []byte) fit {
	number := t.Kinds&sig.Number == 0 || t.Free&sig.Number == 0 && t.Free&sig.Integer != 0
	if kind == sig.Number && number && lexeme.IsIntegral(text) {
		kind = sig.Integer
	}
	switch {
	case t.Free&kind != 0:
		return fitsAll
	case t.Kinds&kind == 0:
		return fitsNot
	case t.Member(kind, text) != nil:
		return fitsAll
	}
	return fitsType
}

// simpleKind returns what a bare word is under t: the kind of a literal, or String. It returns
// ok false if other readings must be ranked.
func simpleKind(t *sig.Type, text []byte) (kind sig.Kinds, ok bool) {
	kind = sig.LiteralKind(text)
	if kind == 0 {
		ok = t == nil || t.Kinds&sig.Boolean == 0 && fits(t, sig.String, text) == fitsAll
		return sig.String, ok
	}
	return kind, fits(t, kind, text) == fitsAll
}

// reading is what a scalar becomes.
type reading struct {
	kind    sig.Kinds // Array or Object for JSON text; 0 for the untyped reading
	fit     fit
	literal string // the boolean, for a word in another case
	coerced bool
	wrapped bool // the only element of an array
}

// improve replaces r by other if that fits better.
func (r *reading) improve(other reading) {
	if other.fit > r.fit {
		*r = other
	}
}

// read ranks the readings of a bare word or a quoted string under t. Depth is how deep JSON text in
// a string, or an array around it, may nest.
func (d *draft) read(t *sig.Type, text []byte, quoted bool, depth int) reading {
	asString := reading{kind: sig.String, fit: fits(t, sig.String, text)}
	var best reading
	if quoted {
		if best = asString; best.fit == fitsAll {
			return best
		}
	}
	if k := sig.LiteralKind(text); k != 0 {
		best.improve(reading{kind: k, fit: fits(t, k, text), coerced: quoted})
	}
	if quoted && depth > 0 {
		if k := jsonKind(text) & t.Kinds; k != 0 && d.isJSON(text, depth) {
			best.improve(reading{kind: k, fit: fitsAll, coerced: true})
		}
	}
	if s := otherCase(text); s != "" {
		fit := fits(t, sig.Boolean, []byte(s))
		best.improve(reading{kind: sig.Boolean, fit: fit, literal: s, coerced: true})
	}
	best.improve(asString)
	return best.orWrapped(t, text, depth)
}

// orWrapped returns r, or if nothing fits and an array is allowed, the scalar as its only
// element.
func (r reading) orWrapped(t *sig.Type, text []byte, depth int) reading {
	switch {
	case r.fit != fitsNot:
		return r
	case wraps(t, text, depth):
		return reading{wrapped: true, coerced: true, fit: fitsAll}
	}
	return reading{}
}

// ofLiteral returns the reading of a JSON literal of that kind as another type. A string that
// contains the same text is a conversion; a null is never anything else.
func (r reading) ofLiteral(kind sig.Kinds) reading {
	if kind == sig.Null && r.kind != sig.Null {
		return reading{}
	}
	r.coerced = r.coerced || kind != sig.String && r.kind == sig.String
	return r
}

// maxWraps is how many arrays may wrap a scalar. Otherwise each word of a hostile call could
// become as many brackets as may nest.
const maxWraps = 4

// wraps reports whether a scalar that does not fit t becomes an array of one element. An array
// of arrays wraps it again.
func wraps(t *sig.Type, text []byte, depth int) bool {
	kind := sig.LiteralKind(text)
	for n := range min(depth, maxWraps) + 1 {
		switch {
		case t == nil,
			n > 0 && kind != 0 && fits(t, kind, text) != fitsNot,
			n > 0 && t.Kinds&sig.Boolean != 0 && otherCase(text) != "":
			return true
		case t.Free&sig.Array == 0 || t.Kinds&sig.String != 0:
			return n > 0
		}
		t = t.Item(0)
	}
	return false
}

// otherCase returns true or false if b is that word in another case, otherwise "".
func otherCase(b []byte) string {
	switch {
	case len(b) == 4 && bytes.EqualFold(b, []byte("true")):
		return "true"
	case len(b) == 5 && bytes.EqualFold(b, []byte("false")):
		return "false"
	}
	return ""
}

// jsonKind returns Array or Object if text may be the JSON text of one, otherwise 0.
func jsonKind(text []byte) sig.Kinds {
	if i := lexeme.SkipSpace(text, 0); i < len(text) {
		switch text[i] {
		case '[':
			return sig.Array
		case '{':
			return sig.Object
		}
	}
	return 0
}
