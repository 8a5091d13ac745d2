package manual

import (
	"strings"
	"testing"
)

// Long members are not listed, even if they are like the value.
func TestLongMembers(t *testing.T) {
	for n, told := range map[int]bool{longestMember: true, longestMember + 1: false} {
		member := `"` + strings.Repeat("x", n-2) + `"`
		enum := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"enum":[1,`+member+`]}}}}]`).Tools()[0].Args.Fields[0].Type
		for value, want := range map[string]string{member[1 : n-2]: " Members: " + member + ", … and 1 more.", "other": " Members: 1, " + member + "."} {
			if !told {
				want = " Members: 1, … and 1 more."
			}
			if got := members(enum, valueAt("a="+value, 2)); got != want {
				t.Errorf("%d bytes, for %s: %s, want %s", n, value, got, want)
			}
		}
	}
}
