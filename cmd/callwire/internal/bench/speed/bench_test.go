package speed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz/ratio"
)

// BenchmarkRead reads the workloads, with strings of 1 MB. The names and units
// are those of callwire bench speed --benchstat. The metric ratio is the time of
// the wire format against that of the reader, both measured in turn.
func BenchmarkRead(b *testing.B) {
	all, err := workloads(false, func(name string) bool {
		return !strings.HasPrefix(name, "string-") || strings.HasSuffix(name, "-1M")
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, w := range all {
		for _, size := range w.chunks {
			names, read := w.readers(size)
			for _, name := range names {
				run := fmt.Sprintf("text=%s/chunk=%d/reader=%s", strings.ReplaceAll(w.name, "-", "_"), size, name)
				b.Run(run, func(b *testing.B) {
					b.SetBytes(int64(w.bytes()))
					b.ReportAllocs()
					for b.Loop() {
						read[name]()
					}
				})
				if name != Wire {
					b.Run(run+"/ratio", func(b *testing.B) {
						ratio.Report(b, func() { read[Wire]() }, func() { read[name]() }, 1)
					})
				}
			}
		}
	}
}
