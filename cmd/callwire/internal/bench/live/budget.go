package live

import (
	"fmt"
	"sync"
)

// budget bounds the tokens of a run. A request is sent only if it cannot exceed the limit: with all
// tokens that it may write, and as many as its bytes can be. At first each byte counts as a token;
// later as the most tokens that a byte of an earlier request was, and a quarter more.
type budget struct {
	tokens int // 0 means no limit

	mu      sync.Mutex
	settled *sync.Cond // a request that was out has been settled
	out     int        // requests that are out
	spent   int
	held    int // reserved by requests that are out
	perByte float64
}

func newBudget(tokens int) *budget {
	b := &budget{tokens: tokens}
	b.settled = sync.NewCond(&b.mu)
	return b
}

// spend counts what an earlier part of the run has taken.
func (b *budget) spend(u Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += u.Input + u.Output
}

// reserve asks for room for a request. If requests that are out leave none, it waits for them: they
// may take less than they reserved. The caller calls settle once.
func (b *budget) reserve(bytes, maxTokens int) (settle func(Usage), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	most := b.most(bytes) + maxTokens
	exceeds := func() bool { return b.tokens > 0 && b.spent+b.held+most > b.tokens }
	for b.out > 0 && exceeds() {
		b.settled.Wait()
		most = b.most(bytes) + maxTokens
	}
	if exceeds() {
		return nil, &Error{Code: OverBudget, Detail: fmt.Sprintf(
			"%d of %d tokens, and another request may take %d", b.spent, b.tokens, most)}
	}
	b.out++
	b.held += most
	return func(u Usage) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.out--
		b.held -= most
		b.spent += u.Input + u.Output
		b.perByte = max(b.perByte, float64(u.Input)/float64(max(bytes, 1)))
		b.settled.Broadcast()
	}, nil
}

// most returns how many tokens so many bytes can be.
func (b *budget) most(bytes int) int {
	if b.perByte == 0 {
		return bytes + 1
	}
	return int(float64(bytes)*min(1.25*b.perByte, 1)) + 1
}
