package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// A lexeme has readings: as null, a boolean, a number, a string, and where the
// schema has no better use for it, as something it was probably meant to be.
// Each is ranked by how well it fits the schema, and the best one wins.

// fit says how well a reading fits a type.
type fit uint8

const (
	fitsNot  fit = iota
	fitsType     // the JSON type is allowed, but not this value
	fitsAll      // type and value are allowed
)

// fits ranks a scalar of the given kind under t. Text is the decoded text of a
// string, or the literal.
//
// Rule: typing.enum.
func fits(t *sig.Type, kind sig.Kinds, text []byte) fit {
	if t == nil || t.Free&kind != 0 { // nearly always
		return fitsAll
	}
	return fitsSome(t, kind, text)
}

func fitsSome(t *sig.Type, kind sig.Kinds, text []byte) fit {
	if kind == sig.Number && t.Kinds&sig.Number == 0 || kind == sig.Number && t.Free&sig.Number == 0 && t.Free&sig.Integer != 0 {
		if lexeme.IsIntegral(text) {
			kind = sig.Integer
		}
	}
	if t.Free&kind != 0 {
		return fitsAll
	}
	if t.Kinds&kind == 0 {
		return fitsNot
	}
	if t.Member(kind, text) != nil {
		return fitsAll
	}
	return fitsType
}

// simpleKind returns what a bare word is under t where there is no question about it, as
// there is about few: the kind of a literal, or String.
func simpleKind(t *sig.Type, text []byte) (kind sig.Kinds, ok bool) {
	if kind = sig.LiteralKind(text); kind == 0 {
		return sig.String, t == nil || t.Kinds&sig.Boolean == 0 && fits(t, sig.String, text) == fitsAll
	}
	return kind, fits(t, kind, text) == fitsAll
}

// otherCase returns true or false if b is that word in another case.
func otherCase(b []byte) string {
	switch {
	case len(b) == 4 && bytes.EqualFold(b, []byte("true")):
		return "true"
	case len(b) == 5 && bytes.EqualFold(b, []byte("false")):
		return "false"
	}
	return ""
}

// reading is what a scalar becomes.
type reading struct {
	kind    sig.Kinds // String: the text itself; Array or Object: JSON text to be parsed; 0: the untyped reading
	fit     fit
	literal string // the boolean for a word in another case
	coerced bool
	wrapped bool // becomes the only element of an array
}

// readBare ranks the readings of a bare word under t, which says something.
// Depth is how deep an array around it may nest.
//
// Rule: typing.bare-string, typing.bare-literal, typing.boolean-case, typing.rank.
func readBare(t *sig.Type, text []byte, depth int) reading {
	var best reading
	if k := sig.LiteralKind(text); k != 0 {
		best = reading{kind: k, fit: fits(t, k, text)}
	} else if s := otherCase(text); s != "" {
		best.better(reading{kind: sig.Boolean, fit: fits(t, sig.Boolean, []byte(s)), literal: s, coerced: true})
	}
	best.better(reading{kind: sig.String, fit: fits(t, sig.String, text)})
	return best.orWrapped(t, text, depth)
}

// readQuoted ranks the readings of a quoted string under t, which says
// something. Text is its decoded text; depth is how deep JSON text in it, or
// an array around it, may nest.
//
// Rule: typing.quoted, typing.quoted-literal, typing.quoted-json.
func (b *builder) readQuoted(t *sig.Type, text []byte, depth int) reading {
	best := reading{kind: sig.String, fit: fits(t, sig.String, text)}
	if best.fit == fitsAll {
		return best
	}
	if k := sig.LiteralKind(text); k != 0 {
		best.better(reading{kind: k, fit: fits(t, k, text), coerced: true})
	}
	if k := jsonTextKind(text) & t.Kinds; k != 0 && depth > 0 && b.holdsJSON(text, depth) {
		best.better(reading{kind: k, fit: fitsAll, coerced: true})
	}
	if s := otherCase(text); s != "" {
		best.better(reading{kind: sig.Boolean, fit: fits(t, sig.Boolean, []byte(s)), literal: s, coerced: true})
	}
	return best.orWrapped(t, text, depth)
}

// better replaces r by other if that fits better.
func (r *reading) better(other reading) {
	if other.fit > r.fit {
		*r = other
	}
}

// orWrapped returns r, or the reading as an array of one element where nothing
// fits and an array is wanted.
//
// Rule: typing.wrap.
func (r reading) orWrapped(t *sig.Type, text []byte, depth int) reading {
	if r.fit == fitsNot {
		if wraps(t, text, depth) {
			return reading{wrapped: true, coerced: true, fit: fitsAll}
		}
		return reading{}
	}
	return r
}

// maxWraps is how many arrays around a scalar repair it: each word of a hostile call
// could otherwise become as many brackets as may nest.
const maxWraps = 4

// wraps reports whether a scalar under t, of which no reading fits, becomes an
// array of one element. An array of arrays wraps it again, while there is room.
func wraps(t *sig.Type, text []byte, depth int) bool {
	kind := sig.LiteralKind(text)
	for n := range min(depth, maxWraps) + 1 {
		switch {
		case t == nil, n > 0 && kind != 0 && fits(t, kind, text) != fitsNot,
			n > 0 && t.Kinds&sig.Boolean != 0 && otherCase(text) != "":
			return true
		case t.Free&sig.Array == 0 || t.Kinds&sig.String != 0: // listed arrays are no wrapping
			return n > 0
		}
		t = t.Item(0)
	}
	return false
}

// jsonTextKind returns Array or Object if text could be JSON text of one.
func jsonTextKind(text []byte) sig.Kinds {
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
