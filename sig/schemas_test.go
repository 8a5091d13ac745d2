package sig

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/golden"
)

// testdata/schemas.txt has schemas, each a line, and under each what is made of it: its
// line in full and in the classic style, what the usual line leaves out, and what is odd
// about it. A schema is that of the property x; after ! that of all arguments, after & a
// tool's description and its schema.
func TestSchemas(t *testing.T) {
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "schemas.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		tool := Tool{Name: "t", Schema: []byte(line)}
		switch line[0] {
		case '!':
			tool.Schema = []byte(line[1:])
		case '&':
			description, schema, _ := strings.Cut(line[1:], " & ")
			tool.Description, tool.Schema = strings.ReplaceAll(description, `\n`, "\n"), []byte(schema)
		default:
			tool.Schema = []byte(`{"type":"object","additionalProperties":false,"required":["x"],"properties":{"x":` + strings.TrimSuffix(line, "\n") + `},"$defs":{
				"name":{"type":"string"},"list":{"type":"array","items":{"$ref":"#/$defs/list"}},
				"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}}`)
		}
		c, err := Compile([]Tool{tool})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := PlanOptions{}.Plan(c.Tools()[0])
		if err != nil {
			t.Fatal(err)
		}
		said := func(what, format string, args ...any) {
			fmt.Fprintf(&all, "\t%-8s %s\n", what, fmt.Sprintf(format, args...))
		}
		full := SignatureOptions{Description: WholeDescription}.Signature(plan)
		if read, err := grammar.ReadSignature(full); err != nil || read.String() != full {
			t.Errorf("%s reads as %v, %v", full, read, err)
		}
		said("full", "%s", full)
		said("classic", "%s", SignatureOptions{Style: Classic, HideDefaults: true, Description: 20}.Signature(plan))
		for _, o := range (SignatureOptions{Budget: 30}).Omitted(plan) {
			said("omits", "%s %s %s", o.Path, o.Keyword, o.Value)
		}
		for _, p := range c.Problems() {
			said("problem", "%s %s: %s", p.Code, p.Path, p.Message)
		}
		if len(plan.Reasons) > 0 {
			said("plan", "%v %v", plan.Syntax, plan.Reasons)
		}
	}
	if lines < 250 {
		t.Errorf("%d schemas", lines)
	}
	golden.Assert(t, all.String(), "schemas.txt")
}
