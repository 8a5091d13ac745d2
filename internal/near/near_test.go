package near

import (
	"strings"
	"testing"
)

// Of a name as many letters may be wrong as are a third of it, and at most three; long ones
// are not compared, and what separates words does not count.
func TestNames(t *testing.T) {
	long := strings.Repeat("x", Longest)
	spread := "near" + strings.Repeat("_", 3*Longest) + "Name"
	for _, c := range []struct{ name, tools, want string }{
		{"getUser", "get-user getUsers x", "get-user"},
		{"get_users", "get-user getUsers x", "getUsers"},
		{"y", "x", ""}, {"X", "x", "x"}, {"", "a", ""}, {"_", "a", ""}, {"-", "_", ""},
		{"function.x", "x", ""},
		{"ab", "ac", ""}, {"abc", "abd", "abd"}, {"abc", "add", ""}, {"abcde", "abcff", ""},
		{"abcdef", "abcdgg", "abcdgg"}, {"abcdef", "abcggg", ""},
		{"abcdefghi", "abcdefxyz", "abcdefxyz"}, {"abcdefghi", "abcdewxyz", ""},
		{"abcdefghijkl", "abcdefghwxyz", ""},
		{"abcdefghi", "abcdefghijkl", "abcdefghijkl"}, {"abcdefghi", "abcdefghijklm", ""},
		{"abcdefghi", "abcdef", "abcdef"}, {"abcdefghijklm", "abcdefghi", ""},
		{"a_b-c.d/e:f", "abcdef", "abcdef"}, {"abc", "A_B-C", "A_B-C"}, {"abc", "A.B/C:", "A.B/C:"},
		{long, long[1:] + "y", long[1:] + "y"}, {long, long + "x", ""}, {long + "x", long, ""},
		{long + "x", long + "x", ""},
		{"nearName", spread, spread}, {spread, "nearName", "nearName"},
		{"abc", "abx aby", "abx"}, {"abc", "abx abc", "abc"},
	} {
		got := append(Names(c.name, strings.Fields(c.tools)), "")[0]
		if got != c.want {
			t.Errorf("%s among %s: %q, want %q", c.name, c.tools, got, c.want)
		}
	}
}
