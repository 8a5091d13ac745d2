package corpus

import "testing"

func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1}`, `{"a":1}`, true},
		{`{"a":1}`, " {\"a\" :\n1 }", true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1e3}`, `{"a":1E3}`, false},
		{`{"a":12345678901234567890}`, `{"a":12345678901234567891}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, false},
		{`"é\n\/"`, `"\u00e9\u000A/"`, true},
		{`"\"\\"`, `"\u0022\u005c"`, true},
		{`"🎉"`, `"\ud83c\uDF89"`, true},
		{`"\ud83c"`, `"\uD83C"`, true},
		{`"\ud83c"`, `"\ufffd"`, false},
		{`"\ud83cx"`, `"\\ud83cx"`, false},
		{`"a b"`, `"ab"`, false},
		{`"1"`, `1`, false},
		{`{"a":`, `{"a":`, true},
		{`{"a":`, `{"a": `, false},
		{`true`, `false`, false},
	} {
		if got := SameJSON(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
		if got := SameJSON(c.b, c.a); got != c.want {
			t.Errorf("%s and %s: %t", c.b, c.a, got)
		}
	}
}
