package speed

import (
	"math"
	"slices"
)

// Spread is the median of samples, with the quartiles below and above it.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// spread returns that of samples, of which there must be one at least.
func spread(samples []float64) Spread {
	sorted := slices.Sorted(slices.Values(samples))
	return Spread{Median: quantile(sorted, 0.5), Low: quantile(sorted, 0.25), High: quantile(sorted, 0.75)}
}

// quantile returns the value below which the part q of the sorted samples is,
// between two of them in proportion.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// exponent returns the e for which y grows as x to the power of e: the slope of
// the straight line, by least squares, through the points in logarithms. It is 1
// where the work is linear.
func exponent(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		u, v := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+u, sy+v, sxx+u*u, sxy+u*v
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
