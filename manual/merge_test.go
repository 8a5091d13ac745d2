package manual

import "testing"

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		system, manual string
		first          bool
		want           string
	}{
		{"You are kind.", "M", true, "M\n\nYou are kind."},
		{"You are kind.", "M", false, "You are kind.\n\nM"},
		{"You are kind.\n", "M", false, "You are kind.\n\nM"},
		{"", "M", true, "M"},
		{"S", "", false, "S"},
		{"", "", false, ""},
		{"before M after", "M", true, "before M after"},
	} {
		got := merge(c.system, c.manual, c.first)
		if got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.system, c.manual, got, c.want)
		}
		if again := merge(got, c.manual, c.first); again != got {
			t.Errorf("merged twice: %q", again)
		}
	}
}
