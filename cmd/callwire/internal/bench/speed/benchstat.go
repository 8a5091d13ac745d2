package speed

import (
	"fmt"
	"io"
	"strings"
)

// WriteBenchstat writes the samples in the format of Go's benchmarks, one line
// for each round, for benchstat to read:
//
//	benchstat -col /reader speed.txt
//	benchstat -filter /reader:wire old.txt new.txt
func (r Report) WriteBenchstat(w io.Writer) error {
	var b strings.Builder
	m := r.Machine
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: github.com/callwire/callwire/cmd/callwire/internal/bench/speed\n", m.OS, m.Arch)
	if m.CPU != "" {
		fmt.Fprintf(&b, "cpu: %s\n", m.CPU)
	}
	for _, c := range r.Cells {
		for _, t := range c.Readings {
			for _, ns := range t.Samples {
				fmt.Fprintf(&b, "BenchmarkRead/text=%s/chunk=%d/reader=%s-%d\t%d\t%.1f ns/op\t%.2f MB/s\t%.0f allocs/op\n",
					strings.ReplaceAll(c.Workload, "-", "_"), c.Chunk, t.Reader, m.CPUs, t.runs, ns, 1000*float64(c.Bytes)/ns, t.Allocations)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
