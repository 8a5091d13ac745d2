package sig

import "testing"

func TestKindsString(t *testing.T) {
	for k, want := range map[Kinds]string{
		0:                "never",
		Any:              "any",
		Null:             "null",
		Boolean:          "boolean",
		Integer:          "integer",
		Number:           "number",
		Number | Integer: "number",
		String | Null:    "null|string",
		Array | Object:   "array|object",
		Any &^ Null:      "boolean|number|string|array|object",
		1 << 7:           "never",
	} {
		if got := k.String(); got != want {
			t.Errorf("%d: %q, want %q", k, got, want)
		}
	}
}

func TestKindNamed(t *testing.T) {
	for name, want := range map[string]struct {
		kinds Kinds
		exact bool
	}{
		"string":  {String, true},
		"number":  {numeric, true},
		"integer": {Integer, true},
		"Integer": {Integer, false},
		"NUMBER":  {numeric, false},
		"Str":     {String, false},
		"any":     {Any, false},
		"":        {0, false},
		"Widget":  {0, false},
	} {
		if k, exact := kindNamed(name); k != want.kinds || exact != want.exact {
			t.Errorf("%q: %v %v", name, k, exact)
		}
	}
	for name, k := range otherNames {
		if k&Number != 0 && k&Integer == 0 {
			t.Errorf("%q: a number without integers", name)
		}
	}
}
