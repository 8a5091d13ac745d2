package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// TestMean: for many cases the interval is the one that the textbook gives.
func TestMean(t *testing.T) {
	cases := make([]float64, 400)
	for i := range cases {
		cases[i] = float64(i % 5 / 4) // a fifth
	}
	e := Mean(cases)
	half := 1.96 * math.Sqrt(0.2*0.8/400)
	if !near(e.Mean, 0.2, 1e-12) || !near(e.Low, 0.2-half, 0.006) || !near(e.High, 0.2+half, 0.006) || e.N != 400 {
		t.Errorf("%+v, want about 0.2 ± %.3f", e, half)
	}
	if again := Mean(cases); again != e {
		t.Errorf("%+v, then %+v", e, again)
	}
	if e := Mean(nil); e != (Estimate{}) {
		t.Errorf("%+v", e)
	}
}

// TestCoverage: the interval holds the truth about as often as it says.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	held := 0
	const tries = 300
	for range tries {
		cases := make([]float64, 40)
		for i := range cases {
			if random.Float64() < 0.7 {
				cases[i] = 1
			}
		}
		if e := Share(cases); e.Low <= 0.7 && 0.7 <= e.High {
			held++
		}
	}
	if share := float64(held) / tries; share < 0.90 || share > 0.985 {
		t.Errorf("%.3f of the intervals hold the truth", share)
	}
}

// TestShareOfAll: without an exception there is still doubt.
func TestShareOfAll(t *testing.T) {
	if e := Share([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}); e.Mean != 1 || e.High != 1 || !near(e.Low, 0.6915, 1e-3) {
		t.Errorf("%+v", e) // Clopper-Pearson: 0.6915
	}
	if e := Share([]float64{0, 0, 0}); e.Mean != 0 || e.Low != 0 || !near(e.High, 0.7076, 1e-3) {
		t.Errorf("%+v", e)
	}
}

func TestPaired(t *testing.T) {
	one := []float64{1, 1, 1, 1, 1, 1, 1, 0}
	other := []float64{0, 0, 0, 0, 0, 1, 1, 0}
	d := Paired(one, other)
	if !near(d.Mean, 5.0/8, 1e-12) || !near(d.P, 2.0/32, 1e-12) || d.Low < 0.2 {
		t.Errorf("%+v, want a mean of 0.625 and P of 2/32", d)
	}
	if d := Paired(one, one); d.Mean != 0 || d.P != 1 || d.Low != 0 || d.High != 0 {
		t.Errorf("%+v", d)
	}
	if d := PairedShares(one, one); d.Mean != 0 || !near(d.High, 0.3694, 1e-3) || d.Low != -d.High {
		t.Errorf("%+v", d)
	}
	if d := PairedShares(one, other); d != Paired(one, other) {
		t.Errorf("%+v", d)
	}
	large := make([]float64, 30)
	for i := range large {
		large[i] = 1
	}
	if d := Paired(large, make([]float64, 30)); d.P > 0.001 {
		t.Errorf("P %g", d.P)
	}
}

func TestSignificant(t *testing.T) {
	if got := Significant([]float64{0.04, 0.001, 0.03, 0.02}); !slices.Equal(got, []bool{false, true, false, false}) {
		t.Error(got)
	}
	if got := Significant([]float64{0.012, 0.001, 0.0166}); !slices.Equal(got, []bool{true, true, true}) {
		t.Error(got)
	}
}

func TestAllPass(t *testing.T) {
	for _, c := range []struct {
		right, all, k int
		want          float64
	}{{4, 4, 4, 1}, {3, 4, 1, 0.75}, {3, 4, 2, 0.5}, {3, 4, 3, 0.25}, {3, 4, 4, 0}, {0, 4, 1, 0}} {
		if got := AllPass(c.right, c.all, c.k); !near(got, c.want, 1e-12) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

func TestF1(t *testing.T) {
	if p, r, f := F1(8, 2, 4); p != 0.8 || !near(r, 2.0/3, 1e-12) || !near(f, 8.0/11, 1e-12) {
		t.Error(p, r, f)
	}
	if p, r, f := F1(0, 0, 3); p != 1 || r != 0 || f != 0 {
		t.Error(p, r, f)
	}
}

func TestPercentile(t *testing.T) {
	if m := Median([]float64{3, 1, 2}); m != 2 {
		t.Error(m)
	}
	if m := Percentile([]float64{1, 2}, 0.95); !near(m, 1.95, 1e-12) {
		t.Error(m)
	}
	if m := Median(nil); m != 0 {
		t.Error(m)
	}
}
