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
