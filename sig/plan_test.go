package sig

import (
	"errors"
	"strings"
	"testing"
)

func TestPlan(t *testing.T) {
	for _, c := range []struct{ name, schema, want, code, path string }{
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"b.c":{}}}}}`, "wire", "", ""},
		{"t", `{"type":"object"}`, "wire", "", ""},
		{"t", `{"type":"object","properties":{"a b":{}}}`, "json", ReasonKey, "a b"},
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"x=":{}}}}}`, "json", ReasonKey, "a.x="},
		{"t", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"x=":{}}}}}}`, "wire", "", ""},
		{"t", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}},"a.b":{}}}`, "json", ReasonDots, "a.b"},
		{"t", `{"type":"object","properties":{"a..b":{}}}`, "json", ReasonKey, "a..b"},
		{"t", `{"type":"object","properties":{"n":{"$ref":"#"},"@type":{},"x-y":{}}}`, "wire", "", ""},
		{"a b", `{"type":"object"}`, "wire", ReasonName, ""},
	} {
		tool := compileTools(t, Tool{Name: c.name, Schema: []byte(c.schema)}).Tools()[0]
		p, err := PlanOptions{}.Plan(tool)
		if err != nil {
			t.Fatal(err)
		}
		if p.Syntax.String() != c.want {
			t.Errorf("%s: %s, want %s", c.schema, p.Syntax, c.want)
		}
		if c.code == "" != (len(p.Reasons) == 0) || c.code != "" && (p.Reasons[0].Code != c.code || p.Reasons[0].Path != c.path || p.Reasons[0].Message == "") {
			t.Errorf("%s: reasons %+v", c.schema, p.Reasons)
		}

		_, err = PlanOptions{Fallback: Refuse}.Plan(tool)
		var refused *PlanError
		if errors.As(err, &refused) != (c.code != "") || refused != nil && (refused.Tool != c.name || refused.Reason.Path != c.path || refused.Error() == "") {
			t.Errorf("%s: error %v", c.schema, err)
		}
		if p, err := (PlanOptions{Fallback: Force}).Plan(tool); err != nil || p.Syntax != Wire {
			t.Errorf("%s: forced %v, %v", c.schema, p, err)
		}
		if p, err := (PlanOptions{Syntax: JSON}).Plan(tool); err != nil || p.Syntax != JSON || len(p.Reasons) == 0 {
			t.Errorf("%s: in JSON %v, %v", c.schema, p, err)
		}
	}
}

func TestPlansStopAtAnError(t *testing.T) {
	c := compileTools(t, Tool{Name: "a"}, Tool{Name: "b", Schema: []byte(`{"properties":{"x y":{}}}`)}, Tool{Name: "c"})
	plans, err := c.Plans(PlanOptions{Fallback: Refuse})
	if err == nil || len(plans) != 1 {
		t.Errorf("%d plans, %v", len(plans), err)
	}
}

func TestIsPathKey(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "a.b": true, "@type": true, "$ref": true, "x-y:z?": true, "é": true,
		"": false, ".": false, "a.": false, "a b": false, "a=": false, "a\x7f": false, "[a]": false, "a,b": false,
	} {
		if IsPathKey(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}

// A name below which no path goes is no reason for JSON.
func TestPlanLooksAsDeepAsPaths(t *testing.T) {
	for depth, reasons := range map[int]int{maxPathDepth: 1, maxPathDepth + 1: 0} {
		schema := strings.Repeat(`{"type":"object","properties":{"a":`, depth) + `{"type":"object","properties":{"b c":{}}}` + strings.Repeat("}}", depth)
		c, err := Compile([]Tool{{Name: "t", Schema: []byte(schema)}})
		if err != nil {
			t.Fatal(err)
		}
		if p, err := (PlanOptions{}).Plan(c.Tools()[0]); err != nil || len(p.Reasons) != reasons {
			t.Errorf("%d objects deep: %v, %v", depth, p.Reasons, err)
		}
	}
}
