package manual

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A line is cut between characters, however little of it is too long.
func TestCutLine(t *testing.T) {
	for _, char := range []string{"a", "é", "世", "😀", "ab ", "\xff"} {
		for n := longestLine - 8; n < longestLine+2*len(char)+8; n++ {
			line := strings.Repeat(char, n/len(char)+1)[:n/len(char)*len(char)]
			got := cutLine(line)
			head, _, cut := strings.Cut(got, "…")
			if cut != (len(line) > longestLine) || !strings.HasPrefix(line, head) || len(head) > longestLine || utf8.ValidString(line) && !utf8.ValidString(got) {
				t.Fatalf("%d bytes of %q become %q", len(line), char, got)
			}
		}
	}
}

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
