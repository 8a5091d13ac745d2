package price

import (
	"fmt"
	"sync"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

// Budget bounds what a run may take, in tokens or in money. It may be used by
// several goroutines at once, and is what endpoint.Meter asks for.
//
// A request is let through only if it cannot pass the limit: with all tokens that
// it may write, and so many that it reads as its bytes can be. At first each byte
// counts as a token; then the most tokens that a byte of an earlier request was
// count, and a quarter more.
type Budget struct {
	Tokens int     // 0: no limit
	Money  float64 // 0: no limit
	Prices Table

	mu             sync.Mutex
	tokens, held   int // spent, and reserved by requests that are out
	money, pledged float64
	perByte        float64
}

// Spend counts what an earlier part of the run has taken.
func (b *Budget) Spend(model string, u record.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens += u.Input + u.Output
	b.money += b.Prices[model].Cost(u)
}

// Reserve implements endpoint.Meter.
func (b *Budget) Reserve(model string, bytes, maxTokens int) (func(*record.Usage), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	perByte := 1.0
	if b.perByte > 0 {
		perByte = min(1.25*b.perByte, 1)
	}
	input := int(float64(bytes)*perByte) + 1
	tokens := input + maxTokens
	p := b.Prices[model]
	money := (float64(input)*p.dearest() + float64(maxTokens)*p.Output) / 1e6
	if b.Tokens > 0 && b.tokens+b.held+tokens > b.Tokens {
		return nil, fmt.Errorf("%d of %d tokens, and another request may take %d", b.tokens+b.held, b.Tokens, tokens)
	}
	if b.Money > 0 && b.money+b.pledged+money > b.Money {
		return nil, fmt.Errorf("%.4f of %.4f, and another request may take %.4f", b.money+b.pledged, b.Money, money)
	}
	b.held += tokens
	b.pledged += money
	return func(u *record.Usage) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.held -= tokens
		b.pledged -= money
		if u == nil {
			return
		}
		b.tokens += u.Input + u.Output
		b.money += p.Cost(*u)
		if bytes > 0 {
			b.perByte = max(b.perByte, float64(u.Input)/float64(bytes))
		}
	}, nil
}
