package manual

import (
	"fmt"
	"testing"
)

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
