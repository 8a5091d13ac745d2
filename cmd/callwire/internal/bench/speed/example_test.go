package speed_test

import (
	"fmt"
	"os"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/speed"
)

// A report is text for benchstat, among other things.
func ExampleReport_WriteBenchstat() {
	report := speed.Report{
		Machine: speed.Machine{OS: "linux", Arch: "arm64", CPUs: 4},
		Cells: []speed.Cell{{Workload: "prose", Bytes: 1000, Chunk: 64, Readings: []speed.Timing{
			{Reader: speed.Wire, Samples: []float64{500}},
		}}},
	}
	if err := report.WriteBenchstat(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// goos: linux
	// goarch: arm64
	// pkg: github.com/callwire/callwire/cmd/callwire/internal/bench/speed
	// BenchmarkRead/text=prose/chunk=64/reader=wire-4	0	500.0 ns/op	2000.00 MB/s	0 allocs/op
}
