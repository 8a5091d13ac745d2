package sig

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Decimals compare and divide as rational numbers do.
func TestDecimals(t *testing.T) {
	numbers := rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?(e-?[0-9])?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		d, e := parseDecimal([]byte(a)), parseDecimal([]byte(b))
		if got := d.compare(e); got != x.Cmp(y) {
			t.Errorf("%s and %s compare as %d", a, b, got)
		}
		if y.Sign() != 0 && d.isMultipleOf(e) != new(big.Rat).Quo(x, y).IsInt() {
			t.Errorf("%s is a multiple of %s: %t", a, b, d.isMultipleOf(e))
		}
	})
	for number, want := range map[string]int{
		"0": 0, "1.0": 1, "12e2": 1200, "9223372036854775807": Unbounded, "1e19": Unbounded, "1e999999999999": Unbounded,
	} {
		if got := parseDecimal([]byte(number)).count(); got != want {
			t.Errorf("%s counts %d", number, got)
		}
	}
	small, large := parseDecimal([]byte("1e-99999999999")), parseDecimal([]byte("1e99999999999"))
	if small.compare(large) >= 0 || large.compare(parseDecimal([]byte("-1e99999999999"))) <= 0 {
		t.Error("great exponents are in the wrong order")
	}
}

// Limits.Runs is false where Accepts cannot check everything.
func TestRuns(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"string","pattern":"^a","format":"date","minLength":1}`: true,
		`{"type":"string","pattern":"(?=a)"}`:                            false,
		`{"type":"array","contains":{"type":"integer"}}`:                 false,
		`{"type":"integer"}`:                                             true,
	} {
		typ, _ := compileProperty(t, schema)
		if got := typ.Limits.Runs(); got != want {
			t.Errorf("%s: %t", schema, got)
		}
	}
}
