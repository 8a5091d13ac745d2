package spec

import "testing"

// markdownOf returns an example as Markdown.
func markdownOf(t *testing.T, id string) string {
	t.Helper()
	d := theDocument()
	c := d.exampleCase(id)
	if c.ID == "" {
		t.Fatalf("there is no case %s", id)
	}
	return d.write("example", newExample(c))
}

func TestExamples(t *testing.T) {
	for id, want := range map[string]string{
		"recovery/nested-in-bare-word": `
✗ ` + "`recovery/nested-in-bare-word`" + `: A lost close tag directly after a bare word stays local.

` + "```text" + `
<call>t path=/tmp/x<call>u</call>
                   ^ nested-call at 19
→ 0–19  malformed  nested-call  at 19  not closed
→ 19–33  tool-call  u {}  afterMalformed
` + "```\n",
		"typing/wrap-misfit": `
! ` + "`typing/wrap-misfit`" + `: The outer issue comes before that of the element.

` + "```text" + `
tool t: {"type":"object","properties":{"v":{"type":"array","items":{"type":"integer"}}}}
<call>t v=many</call>
          ^ coerced, type-mismatch at 10
→ 0–21  tool-call  t {"v":["many"]}  coerced at 10: v  type-mismatch at 10: v[0]
` + "```\n",
		"writing/tag-close": `
✓ ` + "`writing/tag-close`" + `: A close tag in a string is broken at its slash.

` + "```text" + `
t {"v":"</call>"}
→ <call>t v="<\/call>"</call>
` + "```\n",
		"signatures/default-hidden": `
✓ ` + "`signatures/default-hidden`" + `: Defaults can be left out.

` + "```text" + `
tool t: {"type":"object","properties":{"c":{"type":"integer","default":10}}}
options: {"hideDefaults":true}
→ t c?:int
` + "```\n",
		"writing/refuse-array": `
✗ ` + "`writing/refuse-array`" + `: An array isn't an arguments object.

` + "```text" + `
t [1]
→ refused  not-an-object
` + "```\n",
	} {
		if got := markdownOf(t, id); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", id, got, want)
		}
	}
}
