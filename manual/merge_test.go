package manual

import "testing"

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		system, manual string
		place          Placement
		want           string
	}{
		{"You are kind.", "M", First, "M\n\nYou are kind."},
		{"You are kind.", "M", Last, "You are kind.\n\nM"},
		{"You are kind.\n", "M", Last, "You are kind.\n\nM"},
		{"You are kind.\n\n\n", "M", Last, "You are kind.\n\n\nM"},
		{"", "M", First, "M"},
		{"S", "", Last, "S"},
		{"", "", Last, ""},
		{"S", "M\n", First, "M\n\nS"},
		{"S", "M\n\n", First, "M\n\nS"},
		{"before M after", "M", First, "before M after"},
	} {
		got := Merge(c.system, c.manual, c.place)
		if got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.system, c.manual, got, c.want)
		}
		if again := Merge(got, c.manual, c.place); again != got {
			t.Errorf("merged twice: %q", again)
		}
	}
}
