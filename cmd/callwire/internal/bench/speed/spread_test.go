package speed

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		samples []float64
		want    Spread
	}{
		{[]float64{7}, Spread{7, 7, 7}},
		{[]float64{3, 1}, Spread{2, 1.5, 2.5}},
		{[]float64{5, 1, 4, 2, 3}, Spread{3, 2, 4}},
		{[]float64{1, 1, 1, 100}, Spread{1, 1, 25.75}},
	} {
		if got := spread(c.samples); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.samples, got, c.want)
		}
	}
}

func TestExponent(t *testing.T) {
	x := []float64{64, 256, 1024, 4096}
	for _, want := range []float64{0, 1, 1.5, 2} {
		var y []float64
		for _, v := range x {
			y = append(y, 3*math.Pow(v, want))
		}
		if got := exponent(x, y); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
