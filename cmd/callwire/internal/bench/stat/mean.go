package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how often cases are drawn anew.
const resamples = 4000

// Estimate is a mean with its 95 % interval.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"` // cases
}

// Mean estimates the mean of what every case has come to: by the bootstrap, with
// the percentiles of means of cases drawn anew.
func Mean(cases []float64) Estimate {
	if len(cases) == 0 {
		return Estimate{}
	}
	drawn := bootstrap(cases)
	return Estimate{mean(cases), percentile(drawn, 0.025), percentile(drawn, 0.975), len(cases)}
}

// Share is Mean for shares from 0 to 1. Where all cases are 0, or all 1, the
// bootstrap sees nothing that could be otherwise: then the interval is the exact
// one of so many cases without an exception.
func Share(cases []float64) Estimate {
	e := Mean(cases)
	if e.N == 0 {
		return e
	}
	bound := math.Pow(0.025, 1/float64(e.N))
	switch {
	case slices.Min(cases) == 1:
		e.Low = bound
	case slices.Max(cases) == 0:
		e.High = 1 - bound
	}
	return e
}

// bootstrap returns the means of cases drawn anew, in ascending order.
func bootstrap(cases []float64) []float64 {
	random := source(len(cases))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range cases {
			sum += cases[random.IntN(len(cases))]
		}
		means[i] = sum / float64(len(cases))
	}
	slices.Sort(means)
	return means
}

// source returns random numbers that are the same each time.
func source(n int) *rand.Rand { return rand.New(rand.NewPCG(0x63616c6c, uint64(n))) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// percentile returns the value below which the share p of the sorted values is.
func percentile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median returns the median, 0 of nothing.
func Median(values []float64) float64 { return Percentile(values, 0.5) }

// Percentile returns the value below which the share p of the values is, 0 of
// nothing.
func Percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return percentile(slices.Sorted(slices.Values(values)), p)
}
