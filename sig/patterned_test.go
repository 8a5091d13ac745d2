package sig

import "testing"

func TestPatterned(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","patternProperties":{"^x-":{}}}`:             true,
		`{"type":"object","additionalProperties":true}`:                false,
		`{"type":"object","properties":{"a":{}}}`:                      false,
		`{"allOf":[{"patternProperties":{"a":{}}},{"type":"object"}]}`: true,
	} {
		c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Tools()[0].Args.Patterned(); got != want {
			t.Errorf("%s: %t", schema, got)
		}
	}
	if (*Type)(nil).Patterned() {
		t.Error("nothing has a pattern")
	}
}
