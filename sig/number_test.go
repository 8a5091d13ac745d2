package sig

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestIntegral(t *testing.T) {
	for literal, want := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "0e-5": true, "1": true, "4.0": true, "1e3": true, "1.50": false,
		"1.5e1": true, "1.5e0": false, "10e-1": true, "10e-2": false, "100e-2": true, "0.1e1": true, "0.01E1": false,
		"1e-999999999999": false, "1e999999999999": true, "12345678901234567890123": true,
	} {
		if got := parseNumber(literal).integral(); got != want {
			t.Errorf("%s: %v", literal, got)
		}
	}
}

func TestNumberEqual(t *testing.T) {
	for _, group := range [][]string{
		{"0", "-0", "0.00", "0e7", "-0.0E-3"},
		{"1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2", "1.000e+0"},
		{"-1", "-1.0"},
		{"1000", "1e3", "1.0E+3", "0.001e6"},
		{"12.5", "125e-1", "1.25e1", "12.50"},
		{"0.05", "5e-2", "0.5E-1"},
		{"9007199254740993", "9007199254740993.0", "9.007199254740993e15"},
		{"9007199254740992"},
	} {
		for _, a := range group {
			for _, b := range group {
				if !parseNumber(a).equal(parseNumber(b)) || parseNumber(a).key() != parseNumber(b).key() {
					t.Errorf("%s and %s differ", a, b)
				}
			}
			if group[0] != "1" && parseNumber(a).equal(parseNumber("1")) {
				t.Errorf("%s equals 1", a)
			}
		}
	}
}

// Rational arithmetic of arbitrary precision agrees.
func TestNumberAgainstRat(t *testing.T) {
	literal := rapid.StringMatching(`-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := literal.Draw(t, "a"), literal.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got := parseNumber(a).integral(); got != x.IsInt() {
			t.Errorf("integral %s: %v", a, got)
		}
		if got := parseNumber(a).equal(parseNumber(b)); got != (x.Cmp(y) == 0) {
			t.Errorf("%s = %s: %v", a, b, got)
		}
		if got := parseNumber(a).key() == parseNumber(b).key(); got != (x.Cmp(y) == 0) {
			t.Errorf("keys of %s and %s: %v", a, b, got)
		}
	})
}
