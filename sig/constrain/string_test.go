package constrain

import (
	"fmt"
	"testing"
)

// String works for every value, valid or not.
func TestStrings(t *testing.T) {
	for value, want := range map[fmt.Stringer]string{
		Widened: "widened", LeftOut: "left-out", Kind(9): "Kind(9)",
	} {
		if got := value.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
