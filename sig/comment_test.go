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

func TestOmitted(t *testing.T) {
	const schema = `{"type":"object","minProperties":1,"properties":{
		"page":{"type":"integer","minimum":1,"maximum":100},
		"o":{"type":"object","properties":{"when":{"type":"string","format":"date"}}},
		"tags":{"type":"array","maxItems":3,"items":{"type":"string","pattern":"^[a-z]+$","default":"x"}}},
		"dependentRequired":{"page":["tags"]}}`
	tool := compileTools(t, Tool{Name: "t", Schema: []byte(schema)}).Tools()[0]
	plan, _ := PlanOptions{}.Plan(tool)
	for _, c := range []struct {
		options SignatureOptions
		want    string
	}{
		{SignatureOptions{Parameters: Off}, `[{page dependentRequired {"page":["tags"]}} {page minimum 1} {page maximum 100} {o.when format "date"} {tags maxItems 3} {tags[] pattern "^[a-z]+$"} {tags[] default "x"} { minProperties 1}]`},
		{SignatureOptions{}, `[{ minProperties 1}]`},
	} {
		if got := fmt.Sprint(c.options.Omitted(plan)); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s\n  of %s", c.options, got, c.want, c.options.Signature(plan))
		}
	}
}

// A keyword with a value of the wrong kind is not a limit, and is reported.
func TestInvalidLimits(t *testing.T) {
	got, problems := compileProperty(t, `{"type":"string","minLength":"1","pattern":5,"format":{},"uniqueItems":"yes","propertyNames":"x"}`)
	if got.Limits != nil || len(problems) != 5 {
		t.Errorf("%+v, %v", got.Limits, problems)
	}
}
