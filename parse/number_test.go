package parse

import "testing"

// TestIntegralByValue: a number is an integer if its value is one, however it is
// written, and however large its exponent.
func TestIntegralByValue(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "12": true, "-12": true, "4.0": true, "4.00": true, "1e3": true, "1E+3": true, "1.5e1": true, "1.50e1": true,
		"100e-2": true, "120e-1": true, "0.0": true, "0e-9": true, "-0.00e-9": true, "1e0": true, "10e-1": true, "-1.25e2": true,
		"4.5": false, "1e-1": false, "1.5e0": false, "1.25e1": false, "100e-3": false, "-0.5": false, "12e-1": false, "0.1": false, "1.05e1": false,
		// Beyond 64 bits, the exponent alone decides, and nothing runs over.
		"1e9223372036854775807": true, "10e9223372036854775807": true, "1000000e9223372036854775807": true, "1e99999999999999999999999": true,
		"1.5e9223372036854775807": true, "1e-9223372036854775808": false, "1.5e-9223372036854775808": false, "1.55555e-9223372036854775808": false,
		"10e-99999999999999999999999": false, "0e-99999999999999999999999": true, "0.000e99999999999999999999999": true,
	} {
		if got := isIntegral([]byte(text)); got != want {
			t.Errorf("isIntegral(%s) = %t", text, got)
		}
	}
}

// TestNumbersAreEqualByValue: enums compare numbers by value, not by spelling.
func TestNumbersAreEqualByValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"1", "1", true}, {"1", "1.0", true}, {"1", "10e-1", true}, {"100", "1e2", true}, {"1.50", "15e-1", true}, {"-2", "-2.0", true}, {"0.001", "1e-3", true},
		{"12", "1.2e1", true}, {"1e99999999999999999999", "1.0e99999999999999999999", true},
		{"0", "-0", true}, {"0", "0.00", true}, {"0", "0e7", true}, {"0e-7", "-0.0e7", true},
		{"1", "2", false}, {"1", "-1", false}, {"1", "10", false}, {"0", "1", false}, {"1", "0", false}, {"0.1", "1", false}, {"12", "21", false}, {"-0", "1", false},
		{"101", "11", false}, {"1e5", "1e6", false},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.a, c.b
			if swapped {
				a, b = b, a
			}
			if got := equalNumbers([]byte(a), []byte(b)); got != c.want {
				t.Errorf("equalNumbers(%s, %s) = %t", a, b, got)
			}
		}
	}
}

// TestNumbersOfJSON: what RFC 8259 calls a number, and nothing else.
func TestNumbersOfJSON(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "7": true, "10": true, "-120": true, "0.5": true, "1.50": true, "1e3": true, "1E3": true, "1e+3": true, "1e-03": true, "-1.5E-7": true, "0e0": true, "9": true, "90.09e09": true,
		"": false, "-": false, "01": false, "00": false, "-01": false, ".5": false, "1.": false, "1.e3": false, "1e": false, "1e+": false, "1e-": false, "+1": false, "1x": false, "1 ": false, " 1": false, "0x1": false,
		"1e1.5": false, "1..5": false, "--1": false, "1e++1": false, "Infinity": false, "1,0": false, "1/": false, "1:": false, "/": false, ":": false,
	} {
		if got := isNumber([]byte(text)); got != want {
			t.Errorf("isNumber(%q) = %t", text, got)
		}
	}
}
