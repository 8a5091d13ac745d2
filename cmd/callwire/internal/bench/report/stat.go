package report

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// Estimate is a mean with its 95 % confidence interval.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"` // cases
}

// estimate returns the mean of the values of cases, with the percentile interval of the bootstrap
// over cases.
func estimate(cases []float64) Estimate {
	e := Estimate{N: len(cases)}
	if e.N == 0 {
		return e
	}
	random := rand.New(rand.NewPCG(0x63616c6c, uint64(e.N))) // the same each time
	means := make([]float64, 4000)
	for i := range means {
		for range cases {
			means[i] += cases[random.IntN(e.N)]
		}
		means[i] /= float64(e.N)
	}
	for _, v := range cases {
		e.Mean += v
	}
	e.Mean /= float64(e.N) // the mean of equal values is exactly that value
	e.Low, e.High = bench.Percentile(means, 0.025), bench.Percentile(means, 0.975)
	return e
}

// within is estimate for values from least to most, such as shares. If all cases are equal, the
// bootstrap finds no variation. The interval then leaves room for as many other cases as could
// have been missed.
func within(cases []float64, least, most float64) Estimate {
	e := estimate(cases)
	if e.N > 0 && slices.Min(cases) == slices.Max(cases) {
		room := 1 - math.Pow(0.025, 1/float64(e.N))
		e.Low, e.High = max(e.Mean-room, least), min(e.Mean+room, most)
	}
	return e
}

// isDifferent reports whether the interval of a difference excludes 0.
func (e Estimate) isDifferent() bool { return e.N > 0 && (e.Low > 0 || e.High < 0) }
