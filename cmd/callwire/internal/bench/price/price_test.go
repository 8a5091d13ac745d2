package price

import (
	"math"
	"testing"
	"time"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

func TestCost(t *testing.T) {
	table, err := Read([]byte(`{"m":{"input":3,"output":15,"cacheRead":0.3},"n":{"input":1,"output":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	u := record.Usage{Input: 1_000_000, CacheRead: 400_000, CacheWrite: 100_000, Output: 10_000}
	if got := table["m"].Cost(u); math.Abs(got-(0.5*3+0.4*0.3+0.1*3+0.15)) > 1e-9 {
		t.Error(got)
	}
	if got := table["n"].Cost(u); math.Abs(got-1.02) > 1e-9 {
		t.Error(got)
	}
	for _, text := range []string{"", "[]", `{"m":{"price":1}}`, `{"m":{"input":-1}}`, `{"m":{"cacheRead":-1}}`} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// TestBudget: whatever requests take, up to what they may, the limit is not
// passed; and it is come close to.
func TestBudget(t *testing.T) {
	b := Budget{Tokens: 10_000}
	b.Spend("m", record.Usage{Input: 900, Output: 100})
	sent := 0
	for {
		settle, err := b.Reserve("m", 2000, 300)
		if err != nil {
			break
		}
		sent++
		settle(&record.Usage{Input: 500, Output: 300})
		if b.tokens > b.Tokens {
			t.Fatalf("%d tokens after %d requests", b.tokens, sent)
		}
	}
	if sent != 11 { // 1000 + 11*800 = 9800: another one may take 926
		t.Errorf("%d requests, %d tokens", sent, b.tokens)
	}
}

func TestBudgetOfMoney(t *testing.T) {
	b := Budget{Money: 0.01, Prices: Table{"m": {Input: 1, Output: 10}}}
	one, err := b.Reserve("m", 1000, 500) // 0.001 + 0.005
	if err != nil {
		t.Fatal(err)
	}
	let := make(chan error)
	go func() { // two requests that together may take more: the second waits
		_, err := b.Reserve("m", 1000, 500)
		let <- err
	}()
	select {
	case err := <-let:
		t.Errorf("let through: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	one(nil) // it failed, and took nothing
	if err := <-let; err != nil {
		t.Error(err)
	}
}
