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

// What stands in the place of a member is told apart from what follows it, and compared
// as far as a name goes.
func TestValueAt(t *testing.T) {
	long := strings.Repeat("x", 2*longestNear)
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"a=metrc b=1", 2, "metrc"}, {`a="metric x" b`, 2, "metric x"}, {"a='me\"t' b", 2, `me"t`}, {`a="it's"`, 2, "it's"}, {"a=x", 2, "x"}, {"[x,y]", 1, "x"}, {"[x]", 1, "x"}, {"{k:x}", 3, "x"},
		{"a=x</call>", 2, "x"}, {"a=x\ny", 2, "x"}, {"a=x>", 2, "x"}, {"a=it's", 2, "it"}, {`a="x`, 2, "x"}, {"abc", 0, "abc"}, {"abc", 3, ""}, {"abc", 4, ""}, {"abc", -1, ""}, {"", 0, ""}, {" x", 0, ""},
		{"ab" + long + "x", 2, long}, {"ab" + long, 3, long[1:]},
	} {
		if got := valueAt(c.text, c.at); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.at, got, c.want)
		}
	}
}

// Members that are long are not told, whether they are like the value or not.
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
