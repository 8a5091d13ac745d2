// Package ratio measures the time of one piece of work relative to another, so that the
// numbers are comparable between machines.
package ratio

import (
	"math"
	"testing"
	"time"
)

// Report runs ours and theirs alternately, as often as b asks for, and reports the shortest
// time of ours divided by the shortest time of theirs, times scale, as the metric ratio.
// Other programs can only make a run longer, so the shortest times are the most accurate.
// It returns the ratio.
func Report(b *testing.B, ours, theirs func(), scale float64) float64 {
	b.Helper()
	ours() // buffers grow
	theirs()
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for b.Loop() {
		for i, f := range [...]func(){ours, theirs} {
			start := time.Now()
			f()
			least[i] = min(least[i], float64(time.Since(start)))
		}
	}
	r := least[0] / least[1] * scale
	b.ReportMetric(r, "ratio")
	b.ReportMetric(0, "ns/op")
	return r
}
