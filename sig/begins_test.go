package sig

import (
	"fmt"
	"strings"
	"testing"
)

// fieldNamed returns the only field of an object.
func fieldNamed(t *testing.T, name string) *Field {
	args, _ := compileSchema(t, fmt.Sprintf(`{"type":"object","properties":{%q:{}}}`, name))
	return &args.Fields[0]
}

// TestBegins: Begins compares every byte of the name and =, and Leads every byte of
// the name and a dot, whatever the length of the name.
func TestBegins(t *testing.T) {
	const letters = "abcdefgh-ijklmno_pqrstuvwxyzABCDEFGHIJKLMNOP"
	for n := 1; n <= len(letters); n++ {
		name := letters[:n]
		f := fieldNamed(t, name)
		for _, c := range []struct {
			end string
			is  func([]byte) bool
		}{{"=", f.Begins}, {".", f.Leads}} {
			right := name + c.end + "value of eight bytes"
			if !c.is([]byte(right)) {
				t.Errorf("%q does not begin %q", name, right)
			}
			for i := range n + 1 {
				wrong := []byte(right)
				wrong[i] ^= 1
				if c.is(wrong) {
					t.Errorf("%q begins %q", name, wrong)
				}
				if c.is([]byte(right[:i])) || c.is([]byte(right[:i]+right[i+1:])) && right[:n+1] != right[:i]+right[i+1:n+2] {
					t.Errorf("%q begins %q, or the same without a byte", name, right[:i])
				}
			}
		}
	}
	for _, name := range []string{"", "é", "a b", "a.b", "a=", strings.Repeat("x", 20) + "$"} {
		f := fieldNamed(t, name)
		if f.Begins([]byte(name+"=        ")) || f.Leads([]byte(name+".        ")) {
			t.Errorf("%q has other bytes than letters, and Begins or Leads is true", name)
		}
	}
}
