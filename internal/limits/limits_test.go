package limits

import "testing"

// Numbers are exact, and bounded however large their exponents are.
func TestNumbers(t *testing.T) {
	for number, want := range map[string]int{
		"0": 0, "-0": 0, "1.0": 1, "12e2": 1200,
		"9223372036854775807": Unbounded, "1e19": Unbounded,
		"1e999999999999": Unbounded, "-1": -1, "0.5": -1, "1e-999999999999": -1,
	} {
		if got, ok := Count(number); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s counts %d, %t", number, got, ok)
		}
	}
	sorted := []string{"-1e99999999999", "-2.50", "0e5", "1e-99999999999", "0.019", "2e-2",
		"1e99999999999"}
	for i := range len(sorted) - 1 {
		if Number(sorted[i]).Cmp(Number(sorted[i+1])) >= 0 {
			t.Errorf("%s is not less than %s", sorted[i], sorted[i+1])
		}
	}
}
