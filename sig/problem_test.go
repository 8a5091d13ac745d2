package sig

import (
	"fmt"
	"strings"
	"testing"
)

// The problems reported for one tool are limited, and the last says that there are
// more; the next tool is not affected.
func TestTooManyProblems(t *testing.T) {
	var properties []string
	for i := range 2 * maxProblems {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"x"}`, i))
	}
	dirty := []byte(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`)
	c, err := Compile([]Tool{{Name: "a", Schema: dirty}, {Name: "b", Schema: dirty}})
	if err != nil {
		t.Fatal(err)
	}
	problems := c.Problems()
	if len(problems) != 2*(maxProblems+1) {
		t.Fatalf("%d problems", len(problems))
	}
	for i, p := range problems {
		want := Problem{Tool: "a", Path: fmt.Sprintf("/properties/p%d/type", i%(maxProblems+1)), Code: UnknownType}
		if i > maxProblems {
			want.Tool = "b"
		}
		if i%(maxProblems+1) == maxProblems {
			want.Path, want.Code = "", TooManyProblems
		}
		if p.Message = ""; p != want {
			t.Errorf("%d: %+v, want %+v", i, p, want)
		}
	}
}
