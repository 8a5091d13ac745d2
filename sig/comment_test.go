package sig

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestBalanced(t *testing.T) {
	for text, want := range map[string]string{
		"f(x)": "f(x)", "a) b": "a] b", "(a": "[a", "((a)": "[(a)", "a)(b": "a][b",
	} {
		if got := balanced(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestCommentsAreLinear: twice the constraints of one place take twice the memory to
// write, and to find the omissions.
func TestCommentsAreLinear(t *testing.T) {
	for _, each := range []string{
		`{"minLength":N,"pattern":"^aN$","maxLength":N}`, `{"multipleOf":N}`, `{"minimum":N,"exclusiveMinimum":N}`,
		`{"propertyNames":{"pattern":"^aN$"}}`, `{"dependentRequired":{"x":["aN"]}}`, `{"description":"number N"}`,
	} {
		allocated := func(n int) int {
			var all []string
			for i := range n {
				all = append(all, strings.ReplaceAll(each, "N", fmt.Sprint(100000+i)))
			}
			schema := `{"type":"object","properties":{"v":{"allOf":[` + strings.Join(all, ",") + `]}}}`
			plan, _ := PlanOptions{}.Plan(compileTools(t, Tool{Name: "t", Schema: []byte(schema)}).Tools()[0])
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o := SignatureOptions{Parameters: Full}
			line := o.Signature(plan)
			o.Omitted(plan)
			runtime.ReadMemStats(&after)
			if strings.Contains(each, "multipleOf") && strings.Count(line, "multiple of") != n {
				t.Errorf("%.200s: not all of %d are written", line, n)
			}
			return int(after.TotalAlloc - before.TotalAlloc)
		}
		if once, eight := allocated(500), allocated(4000); eight > 12*once {
			t.Errorf("%s: %d bytes are allocated for 500, %d for 4000", each, once, eight)
		}
	}
}
