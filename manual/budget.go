package manual

import (
	"cmp"
	"sort"

	"github.com/callwire/callwire/sig"
)

const (
	// shortestDescription is the length in characters below which a description is useless.
	shortestDescription = 12

	// mostComments is the most characters that a tool's comments may have once the budget cuts
	// comments.
	mostComments = 1000
)

// fit returns the parts of the fullest prompt that fits the budget, or of the shortest prompt if
// none fits. It gives up the tools' own examples first, then descriptions of parameters, default
// values, and descriptions of tools.
func (m *Manual) fit(base parts) parts {
	s := m.opts.Signatures
	fits := func(p parts) bool {
		return m.opts.Budget <= 0 || m.opts.count(m.render(p)) <= m.opts.Budget
	}
	best := m.compose(base, s, true)
	if fits(best) {
		return best
	}
	best = m.compose(base, s, false)

	// Each saving shortens signatures, in steps from most, which changes nothing, to 0, which
	// saves all it can, on top of the ones before.
	savings := [...]struct {
		off  bool
		most int
		set  func(n int)
	}{
		{s.Parameters == sig.Off, cmp.Or(max(s.Budget, 0), mostComments), func(n int) {
			s.Budget, s.Parameters = n, m.opts.Signatures.Parameters
			if n == 0 {
				s.Parameters = sig.Off
			}
		}},
		{s.HideDefaults, 1, func(n int) { s.HideDefaults = n == 0 }},
		{s.Description < 0, cmp.Or(s.Description, sig.DefaultDescription), func(n int) {
			s.Description = n
			if n < shortestDescription {
				s.Description = -1
			}
		}},
	}
	for _, saving := range savings {
		if saving.off || fits(best) {
			continue
		}
		at := func(n int) parts {
			saving.set(n)
			return m.compose(base, s, false)
		}
		best = at(0)
		if fits(best) {
			return at(sort.Search(saving.most-1, func(n int) bool { return !fits(at(n + 1)) }))
		}
	}
	return best
}
