package sig

import (
	"strings"
	"testing"
)

// The zero values of what others make are answered, with nothing.
func TestZeroValues(t *testing.T) {
	plan, err := PlanOptions{}.Plan(nil)
	if err != nil || plan.Callable() || (Plan{}).Callable() {
		t.Errorf("a tool without a name: %+v, %v", plan, err)
	}
	for _, o := range []SignatureOptions{{}, {Style: Classic}, {Parameters: Full, Budget: 1}, {Style: 9, Parameters: 9, Description: -9, Budget: -9}} {
		for _, p := range []Plan{{}, plan, {Syntax: JSON}, {Syntax: 9}} {
			if got := o.Signature(p); strings.ContainsAny(got, "\n") {
				t.Errorf("%q", got)
			}
			if len(o.Omitted(p)) > 0 {
				t.Errorf("%+v omits something", p)
			}
		}
		o.Type(nil)
	}
}

// badJSON panics where its JSON is asked for.
type badJSON struct{ Name string }

func (badJSON) MarshalJSON() ([]byte, error) { panic("a mistake") }

// Tools whose own method panics are an error.
func TestToolsThatPanic(t *testing.T) {
	if _, err := Compile([]badJSON{{"t"}}); err == nil || !strings.Contains(err.Error(), "badJSON") {
		t.Errorf("%v", err)
	}
	if _, err := Compile((*badJSON)(nil)); err == nil {
		t.Error("no tools")
	}
}
