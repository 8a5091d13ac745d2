package tokens

// Prices are what tokens cost, each price for the same number of them, such as a
// million. Where a conversation breaks even depends on their ratios only.
type Prices struct {
	Input      float64 `json:"input"`      // read by the model
	Output     float64 `json:"output"`     // written by the model
	CacheWrite float64 `json:"cacheWrite"` // read, and kept in the cache of prompts
	CacheRead  float64 `json:"cacheRead"`  // read again from that cache
}

// DefaultPrices have the ratios that are common among providers in US dollars
// for a million tokens: output costs five times as much as input, writing to the
// cache a quarter more than input, reading from it a tenth.
var DefaultPrices = Prices{Input: 3, Output: 15, CacheWrite: 3.75, CacheRead: 0.30}

// Conversation is what a notation costs, in tokens: the explanation of the tools,
// and the average call.
type Conversation struct {
	Prompt float64
	Call   float64
}

// Cost returns the price of a conversation with n calls, as far as it depends on
// the notation.
//
// Each request has one call for an answer, and one more request has the answer
// to the user: n+1 requests. All of them read the prompt. The call of a request
// is written once, and read by every later request. With a cache, what is
// read for the first time is written to the cache, and read from it later.
func (p Prices) Cost(c Conversation, n int, cached bool) float64 {
	calls := float64(n)
	prompt, history := p.Input*(calls+1), p.Input*calls*(calls+1)/2
	if cached {
		prompt = p.CacheWrite + p.CacheRead*calls
		history = p.CacheWrite*calls + p.CacheRead*calls*(calls-1)/2
	}
	return c.Prompt*prompt + c.Call*(p.Output*calls+history)
}

// Span are the conversations in which one notation is not dearer than another:
// those of From to Until calls. From is 0 where there are none, Until where there
// is no end.
type Span struct {
	From  int `json:"from"`
	Until int `json:"until"`
}

// horizon is how many calls of a conversation are looked at.
const horizon = 10_000

// Cheaper returns in which conversations of up to 10,000 calls a is not dearer
// than b. They are one span: the cost of the prompt grows as the number of calls
// does, that of the calls faster.
func (p Prices) Cheaper(a, b Conversation, cached bool) Span {
	var s Span
	for n := 1; n <= horizon; n++ {
		switch pays := p.Cost(a, n, cached) <= p.Cost(b, n, cached); {
		case pays && s.From == 0:
			s.From = n
		case !pays && s.From != 0:
			s.Until = n - 1
			return s
		}
	}
	return s
}
