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
	settled        *sync.Cond // a request that was out has been settled
	out            int        // requests that are out
	tokens, held   int        // spent, and reserved by requests that are out
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

// Reserve implements endpoint.Meter. Where there is no room because of requests
// that are out, it waits for them: they may take less than was reserved.
func (b *Budget) Reserve(model string, bytes, maxTokens int) (func(*record.Usage), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.settled == nil {
		b.settled = sync.NewCond(&b.mu)
	}
	p := b.Prices[model]
	tokens, money := b.most(p, bytes, maxTokens)
	for b.out > 0 && b.fits(tokens, money) != nil {
		b.settled.Wait()
		tokens, money = b.most(p, bytes, maxTokens)
	}
	if err := b.fits(tokens, money); err != nil {
		return nil, err
	}
	b.out++
	b.held += tokens
	b.pledged += money
	return func(u *record.Usage) {
		b.mu.Lock()
		defer b.mu.Unlock()
		defer b.settled.Broadcast()
		b.out--
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

// most returns what a request can take.
func (b *Budget) most(p Prices, bytes, maxTokens int) (tokens int, money float64) {
	perByte := 1.0
	if b.perByte > 0 {
		perByte = min(1.25*b.perByte, 1)
	}
	input := int(float64(bytes)*perByte) + 1
	return input + maxTokens, (float64(input)*p.dearest() + float64(maxTokens)*p.Output) / 1e6
}

// fits says why so much more would not be within the limit.
func (b *Budget) fits(tokens int, money float64) error {
	if b.Tokens > 0 && b.tokens+b.held+tokens > b.Tokens {
		return fmt.Errorf("%d of %d tokens, and another request may take %d", b.tokens+b.held, b.Tokens, tokens)
	}
	if b.Money > 0 && b.money+b.pledged+money > b.Money {
		return fmt.Errorf("%.4f of %.4f, and another request may take %.4f", b.money+b.pledged, b.Money, money)
	}
	return nil
}
