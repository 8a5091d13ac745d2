package manual

import (
	"strings"
	"testing"
)

// The example is of a tool that does no harm, where there is one.
func TestExampleDoesNoHarm(t *testing.T) {
	tool := func(name string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{"title":{"type":"string"},"n":{"type":"integer"}},"required":["title","n"]}}`
	}
	for _, c := range []struct {
		tools []string
		want  string
	}{
		{[]string{"deleteFile", "move_file", "listFiles"}, "listFiles"},
		{[]string{"send_email", "create_draft"}, "create_draft"},
		{[]string{"pay"}, "pay"},
		{[]string{"purge", "get_refund", "open"}, "open"},
	} {
		var tools []string
		for _, name := range c.tools {
			tools = append(tools, tool(name))
		}
		examples := must(compile(t, "["+strings.Join(tools, ",")+"]"), Options{}).parts.examples
		if len(examples) != 1 || !strings.HasPrefix(examples[0], "<call>"+c.want+" ") {
			t.Errorf("%s: %s", c.tools, examples)
		}
	}
	many := strings.Repeat(tool("delete_%")+",", 50)
	for strings.Contains(many, "%") {
		many = strings.Replace(many, "%", string(rune('a'+strings.Count(many, "%")%26))+string(rune('a'+strings.Count(many, "%")/26)), 1)
	}
	if got := must(compile(t, "["+many+tool("find")+"]"), Options{}).parts.examples[0]; !strings.HasPrefix(got, "<call>find ") {
		t.Error(got)
	}
}

// Where all tools are lazy, the example asks for one that is there.
func TestExampleOfLazyTools(t *testing.T) {
	p := must(compile(t, toolsOf(t, strings.ReplaceAll(office, `"inputSchema"`, `"lazy":true,"inputSchema"`))), Options{}).parts
	if len(p.signatures) != 2 || len(p.examples) != 1 || !strings.Contains(p.examples[0], "names=[\"setProfile\"]") {
		t.Errorf("%q", p)
	}
}
