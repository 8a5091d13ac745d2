package tokens

import "fmt"

// Prices are what tokens cost, each for the same number of them. When a conversation breaks even
// depends on their ratios only.
type Prices struct {
	Input      float64 `json:"input"`      // read by the model
	Output     float64 `json:"output"`     // written by the model
	CacheWrite float64 `json:"cacheWrite"` // read, and kept in the prompt cache
	CacheRead  float64 `json:"cacheRead"`  // read again from that cache
}

// commonPrices have ratios that are common among providers.
var commonPrices = Prices{Input: 3, Output: 15, CacheWrite: 3.75, CacheRead: 0.30}

// BreakEven reports in which conversations the wire format, its manual included, costs no more than
// another form with the JSON definitions of the tools.
type BreakEven struct {
	Against     Form `json:"against"`
	Definitions int  `json:"definitions"` // tokens; 0 if they are assumed to be free
	Plain       Span `json:"plain"`       // without prompt caching
	Cached      Span `json:"cached"`
}

// Span is a range of numbers of calls. From is 0 if it is empty, Until if it has no end.
type Span struct {
	From  int `json:"from"`
	Until int `json:"until"`
}

// conversation is what a form costs, in tokens.
type conversation struct{ prompt, call float64 }

// cost returns the price of a conversation with n calls, as far as it depends on the form.
//
// Each request is answered by one call, and one more request by text. All requests read the prompt.
// A call is written once, and read by every later request. With a cache, the first time is written
// to the cache, and later times are read from it.
func (p Prices) cost(c conversation, n int, cached bool) float64 {
	calls := float64(n)
	prompt, history := p.Input*(calls+1), p.Input*calls*(calls+1)/2
	if cached {
		prompt = p.CacheWrite + p.CacheRead*calls
		history = p.CacheWrite*calls + p.CacheRead*calls*(calls-1)/2
	}
	return c.prompt*prompt + c.call*(p.Output*calls+history)
}

// cheaper returns in which conversations of up to 10,000 calls a costs no more than b. They are one
// span: the cost of the prompt grows with the number of calls, that of the calls faster.
func (p Prices) cheaper(a, b conversation, cached bool) (s Span) {
	for n := 1; n <= 10_000; n++ {
		pays := p.cost(a, n, cached) <= p.cost(b, n, cached)
		if pays && s.From == 0 {
			s.From = n
		}
		if !pays && s.From != 0 {
			s.Until = n - 1
			return s
		}
	}
	return s
}

// breakEven compares with JSON calls, with the definitions of the tools and as if these were free.
func (c Count) breakEven() (all []BreakEven) {
	average := func(f Form) float64 { return float64(c.Total[f]) / float64(len(c.Calls)) }
	ours := conversation{float64(tokensOf(c.Announced, theManual)), average(Wire)}
	for _, definitions := range []int{tokensOf(c.Announced, jsonDefinitions), 0} {
		for _, f := range []Form{Native, Bare} {
			theirs := conversation{float64(definitions), average(f)}
			all = append(all, BreakEven{
				f, definitions, commonPrices.cheaper(ours, theirs, false), commonPrices.cheaper(ours, theirs, true),
			})
		}
	}
	return all
}

// String returns the span in words.
func (s Span) String() string {
	switch {
	case s.From == 0:
		return "never"
	case s.From == 1 && s.Until == 0:
		return "always"
	case s.Until == 0:
		return fmt.Sprintf("from %d calls on", s.From)
	case s.From == 1:
		return fmt.Sprintf("up to %d calls", s.Until)
	}
	return fmt.Sprintf("%d to %d calls", s.From, s.Until)
}
