package sig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// manyTools returns n tools of the size and shape of real catalogs.
func manyTools(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{"[", ","}[min(i, 1)])
		fmt.Fprintf(&b, `{"name":"tool_%d","description":"List what belongs to a project, newest first, in pages of the given size.","inputSchema":{"type":"object","properties":{
			"owner":{"type":"string","description":"Who owns the project"},
			"project":{"type":"string","description":"The name of the project"},
			"state":{"type":"string","enum":["open","closed","all"],"default":"open"},
			"labels":{"type":"array","items":{"type":"string"}},
			"page":{"type":"integer","minimum":1},
			"since":{"type":["string","null"],"format":"date-time"},
			"filter":{"type":"object","properties":{"text":{"type":"string"},"field":{"enum":["title","body"]}},"required":["text"]}
		},"required":["owner","project"]}}`, i)
	}
	return b.String() + "]"
}

// BenchmarkCatalog compiles 500 tools and renders their signatures: what a program
// does once, before its first request.
func BenchmarkCatalog(b *testing.B) {
	tools := manyTools(500)
	b.SetBytes(int64(len(tools)))
	b.ReportAllocs()
	for b.Loop() {
		catalog, err := sig.Compile(tools)
		if err != nil {
			b.Fatal(err)
		}
		plans, err := catalog.Plans(sig.PlanOptions{})
		if err != nil {
			b.Fatal(err)
		}
		sig.SignatureOptions{}.Signatures(plans)
	}
}
