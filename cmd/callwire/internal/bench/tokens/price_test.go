package tokens

import (
	"fmt"
	"testing"
)

// TestCost compares with costs computed by hand.
func TestCost(t *testing.T) {
	p := Prices{Input: 1, Output: 5, CacheWrite: 2, CacheRead: 0.5}
	c := Conversation{Prompt: 100, Call: 10}
	for _, x := range []struct {
		calls  int
		cached bool
		want   float64
	}{
		{0, false, 100},            // one request
		{1, false, 200 + 50 + 10},  // two requests, the call is written, and read once
		{2, false, 300 + 100 + 30}, // the first call is read twice, the second once
		{3, false, 400 + 150 + 60},
		{0, true, 200},                           // the prompt goes to the cache
		{1, true, 200 + 50 + 50 + 20},            // it is read from there; the call goes to it
		{2, true, 200 + 100 + 100 + 40 + 5},      // the first call is read from it once
		{3, true, 200 + 150 + 150 + 60 + 10 + 5}, // and twice, the second once
	} {
		if got := p.Cost(c, x.calls, x.cached); got != x.want {
			t.Errorf("%d calls, cached %v: %v, want %v", x.calls, x.cached, got, x.want)
		}
	}
}

// TestCheaper compares with spans computed by hand: with a call that is 10 tokens
// shorter, n calls save 10(5n + n(n+1)/2) without a cache; a prompt that is d
// tokens longer costs d(n+1).
func TestCheaper(t *testing.T) {
	p := Prices{Input: 1, Output: 5, CacheWrite: 2, CacheRead: 0.5}
	for _, x := range []struct {
		a, b   Conversation
		cached bool
		want   Span
	}{
		{Conversation{100, 10}, Conversation{100, 10}, false, Span{1, 0}},  // the same
		{Conversation{130, 10}, Conversation{100, 20}, false, Span{1, 0}},  // 60 saved, 60 more
		{Conversation{131, 10}, Conversation{100, 20}, false, Span{2, 0}},  // 60 and 62, then 130 and 93
		{Conversation{200, 10}, Conversation{100, 20}, false, Span{11, 0}}, // 1050 and 1100, then 1210 and 1200
		{Conversation{100, 20}, Conversation{130, 10}, false, Span{1, 1}},  // the first case turned round
		{Conversation{101, 20}, Conversation{100, 20}, false, Span{}},
		{Conversation{100, 20}, Conversation{100, 10}, false, Span{}},
		// With the cache 10(5n + 2n + n(n-1)/4) are saved, d(2 + n/2) cost.
		{Conversation{128, 10}, Conversation{100, 20}, true, Span{1, 0}}, // 70 and 70
		{Conversation{129, 10}, Conversation{100, 20}, true, Span{2, 0}}, // 70 and 72.5, then 145 and 87
	} {
		if got := p.Cheaper(x.a, x.b, x.cached); got != x.want {
			t.Errorf("%v and %v, cached %v: %v, want %v", x.a, x.b, x.cached, got, x.want)
		}
	}
}

func ExamplePrices_Cheaper() {
	json := Conversation{Prompt: 1000, Call: 40}
	wire := Conversation{Prompt: 1500, Call: 25}
	fmt.Println("without a cache", DefaultPrices.Cheaper(wire, json, false))
	fmt.Println("with a cache", DefaultPrices.Cheaper(wire, json, true))
	// Output:
	// without a cache from 57 calls on
	// with a cache from 13 calls on
}
