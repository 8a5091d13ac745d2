package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// Of many tools the best are shown, and how many more there are.
func TestSearchIsBounded(t *testing.T) {
	var tools []sig.Tool
	for i := range 5000 {
		tools = append(tools, sig.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Do something useful.", Lazy: true, Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	}
	tools = append(tools, sig.Tool{Name: "archive", Description: "Something else.", Lazy: true, Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	catalog := must(compile(t, tools), Options{}).Catalog()
	o := Options{Lazy: Lazy{HideNames: true}}
	text := must(catalog, o).String()
	if len(text) > 1000 || !strings.Contains(text, "More tools are not listed.") || !strings.HasSuffix(text, `<call>__load_tool_schema__ query="tool 0"</call>`) {
		t.Errorf("%d bytes: %.1200s", len(text), text)
	}
	if got := must(catalog, o).Load([]byte(`{"query":"something useful"}`)); strings.Count(got, "Do something useful.") != maxFound || !strings.HasSuffix(got, "\n4996 more tools match. Describe the tool more exactly to see them.") {
		t.Error(got)
	}
	if got := must(catalog, o).Load([]byte(`{"query":"something archived archive"}`)); !strings.HasPrefix(got, "archive a? - Something else.\n") {
		t.Error(got)
	}
	if got := must(catalog, o).Load([]byte(`{}`)); !strings.Contains(got, "Search by what a tool does") || len(got) > 200 {
		t.Error(got)
	}
	if err := check(catalog, o); err != nil {
		t.Error(err)
	}
}
