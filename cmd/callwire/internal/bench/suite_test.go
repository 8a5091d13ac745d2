package bench

import (
	"testing"

	"github.com/callwire/callwire/parse"
)

// TestPublished: the calls are of these tools and fit them.
func TestPublished(t *testing.T) {
	s, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	if s.Catalog.Len() != 13 || len(s.Calls) != 19 {
		t.Errorf("%d tools and %d calls, want 13 and 19", s.Catalog.Len(), len(s.Calls))
	}
	called := map[string]bool{}
	for _, c := range s.Calls {
		called[c.Name] = true
		input, issues, err := parse.Coerce(s.Catalog, c.Name, c.Input)
		if err != nil || len(issues) > 0 || string(input) != string(c.Input) {
			t.Errorf("%s %s: %s, %+v, %v", c.Name, c.Input, input, issues, err)
		}
	}
	if len(called) != 13 {
		t.Errorf("%d tools are called", len(called))
	}
}
