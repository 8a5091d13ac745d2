package sig

import (
	"fmt"
	"testing"
)

// TestValuesHaveNames: String works for every value, valid or not.
func TestValuesHaveNames(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Compact, "compact"}, {Classic, "classic"}, {Style(2), "Style(2)"},
		{Full, "full"}, {Off, "off"}, {Detail(99), "Detail(99)"},
		{Wire, "wire"}, {JSON, "json"}, {Syntax(2), "Syntax(2)"},
		{Complex, "complex"}, {Refuse, "error"}, {Force, "force"}, {Fallback(255), "Fallback(255)"},
		{Kinds(255), "any"}, {Kinds(128), "never"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T: %s, want %s", c.value, got, c.want)
		}
	}
}
