package lexeme

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNumbers: what RFC 8259 calls a number, and nothing else.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "7": true, "10": true, "-120": true, "0.5": true, "1.50": true,
		"1e3": true, "1E3": true, "1e+3": true, "1e-03": true, "-1.5E-7": true, "0e0": true,
		"9": true, "90.09e09": true,
		"": false, "-": false, "01": false, "00": false, "-01": false, ".5": false, "1.": false,
		"1.e3": false, "1e": false, "1e+": false, "1e-": false, "+1": false, "1x": false,
		"1 ": false, " 1": false, "0x1": false,
		"1e1.5": false, "1..5": false, "--1": false, "1e++1": false, "Infinity": false,
		"1,0": false, "1/": false, "1:": false, "/": false, ":": false,
	} {
		if got := IsNumber([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestIntegralByValue: a number is an integer if its value is one, however it is
// written, and however large its exponent.
func TestIntegralByValue(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "12": true, "-12": true, "4.0": true, "4.00": true, "1e3": true,
		"1E+3": true, "1.5e1": true, "1.50e1": true,
		"100e-2": true, "120e-1": true, "0.0": true, "0e-9": true, "-0.00e-9": true, "1e0": true,
		"10e-1": true, "-1.25e2": true, "0.01E2": true,
		"4.5": false, "1e-1": false, "1.5e0": false, "1.25e1": false, "100e-3": false,
		"-0.5": false, "12e-1": false, "0.1": false, "1.05e1": false, "0.01E1": false,
		// Beyond 64 bits, the exponent alone decides, and nothing runs over.
		"1e9223372036854775807": true, "10e9223372036854775807": true,
		"1000000e9223372036854775807": true, "1e99999999999999999999999": true,
		"1.5e9223372036854775807": true, "1e-9223372036854775808": false,
		"1.5e-9223372036854775808": false, "1.55555e-9223372036854775808": false,
		"10e-99999999999999999999999": false, "0e-99999999999999999999999": true,
		"0.000e99999999999999999999999":   true,
		"1000e-0000000000000000000000003": true, "1000e-0000000000000000000000004": false,
		"1" + strings.Repeat("0", 300) + "e-300": true, "1" + strings.Repeat("0",
			300) + "e-301": false,
	} {
		if got := IsIntegral([]byte(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// TestAppendNumber: numbers share a spelling exactly if they are equal by value.
func TestAppendNumber(t *testing.T) {
	far := "1" + strings.Repeat("0", 40) // an exponent that no word of the machine holds
	groups := [][]string{
		{"0", "-0", "0.00", "0e7", "-0.0E-3", "0e" + far, "0.0e-" + far},
		{"1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2", "1.000e+0", "1e-0",
			"1e00000000000000000000000000000", "0.01e0002"},
		{"-1", "-1.0", "-10e-1"},
		{"10", "1e1", "10.0"},
		{"1000", "1e3", "1.0E+3", "0.001e6"},
		{"12.5", "125e-1", "1.25e1", "12.50"},
		{"0.05", "5e-2", "0.5E-1"}, {"0.005"}, {"5"}, {"50"},
		{"101"}, {"11"}, {"1.01"}, {"1.1"}, {"1001"}, {"-1001"},
		{"9007199254740993", "9007199254740993.0", "9.007199254740993e15"}, {"9007199254740992"},
		{"1e1073741823"}, {"1e1073741824", "10e1073741823"}, {"1e1073741900"}, {"1e1073741901"},
		{"1e4611686018427387904"}, {"1e4611686018427387905"}, {"1e9223372036854775807",
			"10e9223372036854775806"}, {"1e9223372036854775808", "0.1e9223372036854775809",
			"10e9223372036854775807"},
		{"1e-9223372036854775808", "10e-9223372036854775809"}, {"1e-9223372036854775809",
			"0.1e-9223372036854775808"},
		{"1e999999999999999999", "0.1e1000000000000000000"}, {"1e1000000000000000000",
			"10e999999999999999999"},
		{"1e" + far, "10e" + strings.Repeat("9", 40), "0.01e" + far[:40] + "2", "1e0" + far},
		{"1e" + strings.Repeat("9", 40), "0.1e" + far},
		{"1e-" + far, "0.1e-" + strings.Repeat("9", 40), "100e-" + far[:40] + "2"},
		{"1e-" + strings.Repeat("9", 40), "10e-" + far}, {"-1e-" + far},
	}
	spelling := map[string]int{}
	for i, group := range groups {
		for _, text := range group {
			got := string(AppendNumber([]byte("x"), []byte(text)))
			if !strings.HasPrefix(got, "x") || !IsNumber([]byte(got[1:])) {
				t.Errorf("%s became %s", text, got)
			}
			if j, known := spelling[got]; known && j != i {
				t.Errorf("%s is equal to %s: %s", text, groups[j][0], got)
			}
			spelling[got] = i
		}
	}
	if len(spelling) != len(groups) {
		t.Errorf("%d spellings of %d numbers: %v", len(spelling), len(groups), spelling)
	}
}

// TestNumberAgainstRat: rational arithmetic of arbitrary precision agrees.
func TestNumberAgainstRat(t *testing.T) {
	literal := rapid.StringMatching(`-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := literal.Draw(t, "a"), literal.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got := IsIntegral([]byte(a)); got != x.IsInt() {
			t.Errorf("%s is integral: %v", a, got)
		}
		if got := string(AppendNumber(nil, []byte(a))) == string(AppendNumber(nil,
			[]byte(b))); got != (x.Cmp(y) == 0) {
			t.Errorf("%s = %s: %v", a, b, got)
		}
	})
}

// TestExponentAgainstInt: so do sums of exponents of any length.
func TestExponentAgainstInt(t *testing.T) {
	exponent := rapid.StringMatching(`[+-]?[019]{1,30}`)
	rapid.Check(t, func(t *rapid.T) {
		e := exponent.Draw(t, "e")
		zeros := rapid.IntRange(0, 1200).Draw(t, "zeros")
		want, _ := new(big.Int).SetString(e, 10)
		for text, shift := range map[string]int64{"7" + strings.Repeat("0", zeros): int64(zeros),
			"0." + strings.Repeat("0", zeros) + "7": int64(-zeros - 1)} {
			sum := new(big.Int).Add(want, big.NewInt(shift))
			if got := string(AppendNumber(nil, []byte(text+"e"+e))); got != "7e"+sum.String() {
				t.Errorf("%se%s: %s, want 7e%s", text, e, got, sum)
			}
			if got := IsIntegral([]byte(text + "E" + e)); got != (sum.Sign() >= 0) {
				t.Errorf("%sE%s is integral: %v", text, e, got)
			}
		}
	})
}

// A number is spelled without allocating, where there is room.
func TestAppendNumberAllocatesNothing(t *testing.T) {
	room, text := make([]byte, 0, 64), []byte("-120.50e-3")
	if n := testing.AllocsPerRun(100, func() { room = AppendNumber(room[:0], text) }); n != 0 ||
		string(room) != "-1205e-4" {
		t.Errorf("%v allocations for %s", n, room)
	}
}
