package stat

import (
	"math"
	"slices"
)

// Difference is how much two arms of a benchmark differ on the same cases.
type Difference struct {
	Estimate

	// P is how often a difference that large comes about where nothing makes one:
	// the share of random swaps of the two arms, case by case, that differ as much.
	P float64 `json:"p"`
}

// Paired compares what cases have come to in one arm with what the same cases
// have come to in another. Positive means that the first is higher.
func Paired(one, other []float64) Difference {
	differences := make([]float64, len(one))
	for i := range one {
		differences[i] = one[i] - other[i]
	}
	return Difference{Mean(differences), swapTest(differences)}
}

// PairedShares is Paired for shares from 0 to 1. Where all cases differ by the same,
// the bootstrap sees nothing that could be otherwise: then the interval leaves room
// for as many other cases as could have escaped so many.
func PairedShares(one, other []float64) Difference {
	d := Paired(one, other)
	if d.N > 0 && d.Low == d.High {
		room := 1 - math.Pow(0.025, 1/float64(d.N))
		d.Low, d.High = max(d.Mean-room, -1), min(d.Mean+room, 1)
	}
	return d
}

// swapTest returns the probability, under swaps, of a mean that far from 0. With
// few cases that differ all swaps are tried, else many random ones.
func swapTest(differences []float64) float64 {
	moved := slices.DeleteFunc(slices.Clone(differences), func(d float64) bool { return d == 0 })
	if len(moved) == 0 {
		return 1
	}
	observed := 0.0
	for _, d := range moved {
		observed += d
	}
	observed = math.Abs(observed) - 1e-9 // sums in another order differ in the last digits
	extreme, all := 0, 0
	try := func(swapped func(i int) bool) {
		sum := 0.0
		for i, d := range moved {
			if swapped(i) {
				d = -d
			}
			sum += d
		}
		all++
		if math.Abs(sum) >= observed {
			extreme++
		}
	}
	if len(moved) <= 12 {
		for mask := range 1 << len(moved) {
			try(func(i int) bool { return mask>>i&1 == 1 })
		}
		return float64(extreme) / float64(all)
	}
	random := source(len(moved))
	for range resamples {
		try(func(int) bool { return random.IntN(2) == 1 })
	}
	return float64(extreme+1) / float64(all+1)
}

// Significant says which of several tests made together are significant at the
// level of 5 %, by Holm's method: with many comparisons some seem so by chance.
func Significant(p []float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	significant := make([]bool, len(p))
	for rank, i := range order {
		if p[i] > 0.05/float64(len(p)-rank) {
			break
		}
		significant[i] = true
	}
	return significant
}
