package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// TestBegins: every byte of the name is compared, and the one after it, whatever the
// length of the name; only a plain name begins anything.
func TestBegins(t *testing.T) {
	fieldNamed := func(name string) *sig.Field {
		c, err := sig.Compile(fmt.Sprintf(`[{"name":"t","inputSchema":{"type":"object","properties":{%q:{}}}}]`, name))
		if err != nil {
			t.Fatal(err)
		}
		return &c.Lookup([]byte("t")).Args.Fields[0]
	}
	const letters = "abcdefgh-ijklmno_pqrstuvwxyzABCDEFGHIJKLMNOP"
	for n := 1; n <= len(letters); n++ {
		name := letters[:n]
		f := fieldNamed(name)
		right := name + "=v"
		if !begins([]byte(right), f, '=') {
			t.Errorf("%q does not begin %q", name, right)
		}
		for i := range n + 1 {
			wrong := []byte(right)
			wrong[i] ^= 1
			if begins(wrong, f, '=') || begins([]byte(right[:i]), f, '=') {
				t.Errorf("%q begins %q, or %q", name, wrong, right[:i])
			}
		}
	}
	for _, name := range []string{"", "é", "a b", "a.b", "a=", strings.Repeat("x", 20) + "$"} {
		if begins([]byte(name+"="), fieldNamed(name), '=') {
			t.Errorf("%q is not plain, and begins a path", name)
		}
	}
}
