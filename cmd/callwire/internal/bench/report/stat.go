package report

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// resamples is how often cases are drawn.
const resamples = 4000

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
	if len(cases) == 0 {
		return Estimate{}
	}
	random := source(len(cases))
	means := make([]float64, resamples)
	for i := range means {
		for range cases {
			means[i] += cases[random.IntN(len(cases))] / float64(len(cases))
		}
	}
	return Estimate{mean(cases), bench.Percentile(means, 0.025), bench.Percentile(means, 0.975), len(cases)}
}

// shareOf is estimate for shares from 0 to 1. If all cases are 0, or all 1, the bootstrap sees
// nothing that could be otherwise: the interval is then the exact one without an exception.
func shareOf(cases []float64) Estimate {
	e := estimate(cases)
	if e.N == 0 {
		return e
	}
	bound := math.Pow(0.025, 1/float64(e.N))
	if slices.Min(cases) == 1 {
		e.Low = bound
	} else if slices.Max(cases) == 0 {
		e.High = 1 - bound
	}
	return e
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

// Difference is how much two arms differ on the same cases.
type Difference struct {
	Estimate
	// P is the share of random swaps of the arms, case by case, that differ as much.
	P float64 `json:"p"`
}

// differenceOf compares the values of cases in one arm with those in another. A positive difference
// means that the first is higher.
func differenceOf(one, other []float64) Difference {
	differences := make([]float64, len(one))
	for i := range one {
		differences[i] = one[i] - other[i]
	}
	return Difference{estimate(differences), swapTest(differences)}
}

// shareDifferenceOf is differenceOf for shares from 0 to 1. If all cases differ by the same, the
// interval leaves room for as many other cases as could have been missed.
func shareDifferenceOf(one, other []float64) Difference {
	d := differenceOf(one, other)
	if d.N > 0 && d.Low == d.High {
		room := 1 - math.Pow(0.025, 1/float64(d.N))
		d.Low, d.High = max(d.Mean-room, -1), min(d.Mean+room, 1)
	}
	return d
}

// swapTest returns the probability, under swaps, of a mean that far from 0. It tries all swaps if
// few cases differ, and otherwise random ones.
func swapTest(differences []float64) float64 {
	moved := slices.DeleteFunc(slices.Clone(differences), func(d float64) bool { return d == 0 })
	if len(moved) == 0 {
		return 1
	}
	observed := math.Abs(mean(moved)) - 1e-9 // sums in another order differ in the last digits
	extreme, all := 0.0, 0.0
	try := func(swapped func(i int) bool) {
		sum := 0.0
		for i, d := range moved {
			if swapped(i) {
				d = -d
			}
			sum += d
		}
		all++
		if math.Abs(sum)/float64(len(moved)) >= observed {
			extreme++
		}
	}
	if len(moved) <= 12 {
		for mask := range 1 << len(moved) {
			try(func(i int) bool { return mask>>i&1 == 1 })
		}
		return extreme / all
	}
	random := source(len(moved))
	for range resamples {
		try(func(int) bool { return random.IntN(2) == 1 })
	}
	return (extreme + 1) / (all + 1)
}

// significant reports which of several tests are significant at the level of 5 %, by Holm's method:
// among many comparisons some seem so by chance.
func significant(p []float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if p[a] < p[b] {
			return -1
		}
		if p[a] > p[b] {
			return 1
		}
		return 0
	})
	found := make([]bool, len(p))
	for rank, i := range order {
		if p[i] > 0.05/float64(len(p)-rank) {
			break
		}
		found[i] = true
	}
	return found
}

// allPass returns pass^k of a case: how likely k of its trials, drawn without putting back, are all
// right.
func allPass(right, all, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(max(right-i, 0)) / float64(all-i)
	}
	return p
}
