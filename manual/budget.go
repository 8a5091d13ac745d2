package manual

import (
	"sort"

	"github.com/callwire/callwire/sig"
)

// A prompt fits a budget of tokens by giving up the tools' own examples first, then descriptions of
// parameters, default values, and descriptions of tools.

// saving shortens signatures, in steps from most, which changes nothing, to 0, which saves all it
// can.
type saving struct {
	most int
	set  func(s *sig.SignatureOptions, n int)
}

// savings are tried in this order, each on top of the ones before.
func savings(s sig.SignatureOptions) (list []saving) {
	if s.Parameters != sig.Off {
		budget := s.Budget
		if budget <= 0 {
			budget = mostComments
		}
		list = append(list, saving{budget, func(s *sig.SignatureOptions, n int) {
			s.Budget = n
			if n == 0 {
				s.Parameters = sig.Off
			}
		}})
	}
	if !s.HideDefaults {
		list = append(list, saving{1, func(s *sig.SignatureOptions, n int) {
			s.HideDefaults = n == 0
		}})
	}
	description := s.Description
	if description == 0 {
		description = sig.DefaultDescription
	}
	if description > 0 {
		list = append(list, saving{description, func(s *sig.SignatureOptions, n int) {
			s.Description = n
			if n < shortestDescription {
				s.Description = -1
			}
		}})
	}
	return list
}

// shortestDescription is the length in characters below which a description is useless.
const shortestDescription = 12

// mostComments is the most characters that a tool's comments may have once the budget cuts
// comments.
const mostComments = 1000

// fit returns the parts of the fullest prompt that fits the budget, or of the shortest prompt if
// none fits.
func (m *Manual) fit(base Parts) Parts {
	s := m.opts.Signatures
	fits := func(p Parts) bool {
		return m.opts.Budget <= 0 || m.opts.count(m.render(p)) <= m.opts.Budget
	}
	parts := m.compose(base, s, true)
	if fits(parts) {
		return parts
	}
	parts = m.compose(base, s, false)
	for _, saving := range savings(s) {
		if fits(parts) {
			break
		}
		full := s
		at := func(n int) Parts {
			s = full
			saving.set(&s, n)
			return m.compose(base, s, false)
		}
		parts = at(0)
		if fits(parts) {
			n := sort.Search(saving.most-1, func(n int) bool { return !fits(at(n + 1)) })
			return at(n)
		}
	}
	return parts
}
