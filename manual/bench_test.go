package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// BenchmarkRender compiles 500 tools and renders their manual: what a program
// does before its first request.
func BenchmarkRender(b *testing.B) {
	var text strings.Builder
	for i := range 500 {
		text.WriteString([]string{"[", ","}[min(i, 1)])
		fmt.Fprintf(&text, `{"name":"tool_%d","description":"List what belongs to a project, newest first.","inputSchema":{"type":"object","properties":{
			"owner":{"type":"string"},"project":{"type":"string"},"state":{"enum":["open","closed","all"]},
			"labels":{"type":"array","items":{"type":"string"}},"page":{"type":"integer","minimum":1},"since":{"type":["string","null"]}},
			"required":["owner","project"]}}`, i)
	}
	text.WriteByte(']')
	b.ReportAllocs()
	for b.Loop() {
		catalog, err := sig.Compile(text.String())
		if err != nil {
			b.Fatal(err)
		}
		Render(catalog, Options{})
	}
}
