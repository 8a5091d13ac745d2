package constrain

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// A grammar derives exactly the numbers in the range, as plain decimals.
func TestRanges(t *testing.T) {
	r := random(7)
	value := func() float64 {
		v := float64(r.IntN(2000)-1000) / math.Pow10(r.IntN(4))
		switch r.IntN(4) {
		case 0:
			v *= math.Pow10(r.IntN(16) - 8)
		case 1:
			v = math.Trunc(v)
		}
		return v
	}
	in, out := 0, 0
	for range 100 {
		low, high := value(), value()
		lower, upper := []string{"minimum", "exclusiveMinimum", "x"}[r.IntN(3)], []string{"maximum", "exclusiveMaximum", "y"}[r.IntN(3)]
		if low >= high {
			upper = "y"
		}
		bounds := fmt.Sprintf(`%q:%s,%q:%s`, lower, number(low), upper, number(high))
		g := newGrammar(t, one(t, `{"type":"object","properties":{"n":{"type":"number",`+bounds+`}},"required":["n"]}`), Options{})
		for range 40 {
			v := value()
			switch r.IntN(6) {
			case 0:
				v = low
			case 1:
				v = high
			case 2:
				v = low + r.Float64()*(high-low)
			}
			want := (lower != "minimum" || v >= low) && (lower != "exclusiveMinimum" || v > low)
			want = want && (upper != "maximum" || v <= high) && (upper != "exclusiveMaximum" || v < high)
			if v == 0 && math.Signbit(v) {
				continue
			}
			if want {
				in++
			} else {
				out++
			}
			text := strconv.FormatFloat(v, 'f', -1, 64)
			if _, fraction, _ := strings.Cut(text, "."); len(fraction) > maxFraction {
				continue
			}
			if got := matchCall(g, "<call>t n="+text+"</call>"); got != want {
				t.Errorf("%s: %s: %t", bounds, text, got)
			}
		}
		if t.Failed() {
			return
		}
	}
	if in < 500 || out < 500 {
		t.Errorf("%d numbers are in a range, %d are not", in, out)
	}
}

// number returns v as encoding/json writes it.
func number(v float64) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// Every sample is in the range, by exact arithmetic.
func TestSamplesAreInRange(t *testing.T) {
	for _, bounds := range [][2]string{{"0.1", "0.30000000000000004"}, {"-1e-7", "2.5e10"}, {"99.5", "1e3"}, {"-3", "-0.001"}, {"1e-9", "1e-8"}} {
		g := newGrammar(t, one(t, `{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":`+bounds[0]+`,"maximum":`+bounds[1]+`}},"required":["n"]}`), Options{Required: true, Last: true})
		low, high := rat(bounds[0]), rat(bounds[1])
		r := random(8)
		for range 500 {
			for _, s := range checkReads(t, one(t, `{}`), wire, g.Sample(r, 60)) {
				var args struct{ N json.Number }
				if err := json.Unmarshal(s.Call.Input, &args); err != nil {
					t.Fatal(err)
				}
				if v := rat(args.N.String()); v.Cmp(low) <= 0 || v.Cmp(high) > 0 {
					t.Errorf("%s in %s", args.N, bounds)
				}
			}
		}
	}
}

func rat(text string) *big.Rat {
	r, _ := new(big.Rat).SetString(text)
	return r
}

// The exclusive bounds of draft 4, booleans next to an inclusive bound, are enforced.
func TestDraft4Bounds(t *testing.T) {
	g := newGrammar(t, one(t, `{"properties":{"n":{"type":"integer","minimum":5,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}}}`), Options{})
	for n, want := range map[int]bool{4: false, 5: false, 6: true, 9: true, 10: false} {
		if got := matchCall(g, fmt.Sprintf("<call>t n=%d</call>", n)); got != want {
			t.Errorf("%d: %t", n, got)
		}
	}
}
