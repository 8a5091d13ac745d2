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
		must(catalog, Options{})
	}
}

// BenchmarkRewrite rewrites a message with many calls. Each result is a separate
// message, and so is the reasoning before the next calls. The time per call does not
// depend on the number of calls.
func BenchmarkRewrite(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("calls=%d", n), func(b *testing.B) {
			var calls, results []Message
			for i := range n {
				id := fmt.Sprint(i)
				calls = append(calls, Message{Role: Assistant, Parts: []Part{{Kind: Call, ID: id, Name: "find", Input: []byte(`{"what":"a <call> in text"}`)}}})
				results = append(results, Message{Role: ToolRole, Parts: []Part{{Kind: Result, ID: id, Text: "a <call> in text"}}})
			}
			messages := append(calls, results...)
			b.ReportAllocs()
			for b.Loop() {
				if out, err := rewrite(Options{KeepUserText: true}, nil, messages); err != nil || len(out) != 2 {
					b.Fatal(len(out), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
		})
	}
}
