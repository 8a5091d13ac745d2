package fuzz

import (
	"strings"

	"github.com/callwire/callwire/sig"
)

// Fit returns JSON text that fits typ, or nearly, if no value fits it.
func Fit(s Source, typ *sig.Type, depth int) string {
	if typ == nil {
		return Value(s, min(depth, 2))
	}
	if n := len(typ.Enum); n > 0 && (typ.Free == 0 || chance(s, 2)) {
		return string(typ.Enum[s.IntN(n)].JSON)
	}
	var kinds []sig.Kinds
	for k := sig.Null; k <= sig.Object; k <<= 1 {
		if typ.Free&k != 0 && (depth > 0 || k < sig.Array) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return Value(s, 1)
	}
	switch oneOf(s, kinds...) {
	case sig.Null:
		return "null"
	case sig.Boolean:
		return oneOf(s, "true", "false")
	case sig.Integer:
		return oneOf(s, "0", "1", "-7", "4.0", "1e3", "12345678901234567890")
	case sig.Number:
		return grow(s, "number", 0)
	case sig.String:
		return Quote(s, Text(s))
	case sig.Array:
		items := make([]string, s.IntN(4))
		for i := range items {
			items[i] = Fit(s, typ.Item(i), depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return objectOf(s, typ, depth-1, false)
}

// objectOf returns an object that fits typ, as in [Fit]. A misfit almost fits: some values are
// replaced and some properties unknown.
func objectOf(s Source, typ *sig.Type, depth int, misfit bool) string {
	var o object
	set := func(key string, t *sig.Type) {
		value := ""
		switch {
		case misfit && chance(s, 3):
			value = Value(s, 2)
		case misfit && chance(s, 3):
			value = Quote(s, Fit(s, t, depth))
		default:
			value = Fit(s, t, depth)
		}
		o.set(s, key, value)
	}
	if typ != nil {
		rest := 6 // real schemas have hundreds of properties
		for i := range typ.Fields {
			f := &typ.Fields[i]
			isWanted := f.Required || chance(s, 2)
			hasRoom := rest > 0 || f.Required && depth > 0
			if isWanted && hasRoom {
				rest--
				set(f.Name, f.Type)
			}
		}
	}
	if typ == nil || misfit || !typ.Closed {
		for range s.IntN(3) {
			key := Key(s)
			t, _, _ := typ.Property([]byte(key))
			set(key, t)
		}
	}
	return o.String()
}
