package proof

import (
	"slices"
	"testing"
)

// TestFinds gives a proof readers that depend on the cuts.
func TestFinds(t *testing.T) {
	const lines = "one\ntwo\nthree\n"
	for _, c := range []struct {
		at          []int
		wrong, want string
	}{
		{[]int{1, 2, 3}, "one\n2\nthree\n", "byte by byte, event 2 differs\nwhole: two\nsplit: 2"},
		{[]int{3}, "one\ntwo\n", "cut at 3, event 3 differs\nwhole: three\nsplit: nothing"},
		{[]int{0, 0}, lines + "four\n", "cut at 0 and 0, event 4 differs\nwhole: nothing\nsplit: four"},
	} {
		p := Proof{text: []byte("text"), read: func(cuts []int) []byte {
			if slices.Equal(cuts, c.at) {
				return []byte(c.wrong)
			}
			return []byte(lines)
		}}
		if verdict, same := p.Run(); same || verdict != c.want {
			t.Errorf("%v: %v, %q", c.at, same, verdict)
		}
	}
}
