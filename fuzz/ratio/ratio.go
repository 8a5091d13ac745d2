// Package ratio measures how long one piece of work takes against another, so
// that numbers mean the same on every machine.
package ratio

import (
	"math"
	"testing"
	"time"
)

// Report runs ours and theirs in turn, as often as b asks for, and reports the
// shortest time of ours by the shortest time of theirs as the metric ratio,
// times scale. Other programs on the machine only make a run longer, so the
// shortest ones tell the most. It returns the ratio.
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
