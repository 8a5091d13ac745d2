package live

import (
	"fmt"
	"sync"
)

// budget bounds the tokens of a run. A request is sent only if it cannot exceed the limit.
type budget struct {
	tokens int // 0 means no limit

	mu      sync.Mutex
	settled *sync.Cond // a request that was out has been settled
	spent   int
	held    int // reserved by requests that are out
}

func newBudget(tokens int) *budget {
	b := &budget{tokens: tokens}
	b.settled = sync.NewCond(&b.mu)
	return b
}

// spend counts what an earlier part of the run has taken.
func (b *budget) spend(u Usage) { b.settle(0, u) }

// reserve holds the tokens that a request may take at most. If requests that are out leave no room,
// it waits for them: they may take less than they hold. The caller calls settle afterward.
func (b *budget) reserve(most int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.tokens > 0 && b.spent+b.held+most > b.tokens {
		if b.held == 0 {
			return &Error{Code: OverBudget, Detail: fmt.Sprintf(
				"%d of %d tokens, and another request may take %d", b.spent, b.tokens, most)}
		}
		b.settled.Wait()
	}
	b.held += most
	return nil
}

// settle counts what a request took that held some tokens.
func (b *budget) settle(held int, u Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held -= held
	b.spent += u.Input + u.Output
	b.settled.Broadcast()
}
