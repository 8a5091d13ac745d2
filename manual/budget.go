package manual

import (
	"fmt"

	"github.com/callwire/callwire/sig"
)

// This file makes a manual fit a budget of tokens (S16): it gives up descriptions of
// parameters first, then default values, then descriptions of tools.

// saving shortens signatures, in steps from most, which changes nothing, to 0, which
// saves all it can.
type saving struct {
	most int
	set  func(s *sig.SignatureOptions, n int)
}

// savings are tried in this order, each on top of the ones before.
func (o Options) savings() (list []saving) {
	s := o.Signatures
	if s.Parameters != sig.Off {
		budget := s.Budget
		if budget <= 0 {
			budget = mostComments
		}
		list = append(list, saving{budget, func(s *sig.SignatureOptions, n int) {
			if s.Budget = n; n == 0 {
				s.Parameters = sig.Off
			}
		}})
	}
	if !s.HideDefaults {
		list = append(list, saving{1, func(s *sig.SignatureOptions, n int) { s.HideDefaults = n == 0 }})
	}
	description := s.Description
	if description == 0 {
		description = sig.DefaultDescription
	}
	if description > 0 {
		list = append(list, saving{description, func(s *sig.SignatureOptions, n int) {
			if s.Description = n; n == 0 {
				s.Description = -1
			}
		}})
	}
	return list
}

// mostComments is the most characters that a tool's comments may have once the budget
// cuts comments.
const mostComments = 1000

// within returns the options for the fullest manual that fits the budget, or for the
// shortest manual if none fits.
func (o Options) within(catalog *sig.Catalog) Options {
	fits := func(o Options) bool { return o.count(o.render(catalog)) <= o.Budget }
	if fits(o) {
		return o
	}
	for _, s := range o.savings() {
		at := func(n int) Options {
			with := o
			s.set(&with.Signatures, n)
			return with
		}
		if !fits(at(0)) {
			o = at(0)
			continue
		}
		low, high := 0, s.most // low fits, high does not
		for high-low > 1 {
			if middle := low + (high-low)/2; fits(at(middle)) {
				low = middle
			} else {
				high = middle
			}
		}
		return at(low)
	}
	return o
}

// BudgetError says that the manual exceeds its budget even without everything optional.
type BudgetError struct {
	Budget int // of Options
	Tokens int // of the shortest manual
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("manual: a budget of %d tokens cannot be kept: the tools and parameters alone take %d", e.Budget, e.Tokens)
}

// overBudget returns the error for a manual that exceeds its budget.
func (o Options) overBudget(catalog *sig.Catalog) error {
	if o.Budget <= 0 {
		return nil
	}
	if n := o.count(Render(catalog, o)); n > o.Budget {
		return &BudgetError{o.Budget, n}
	}
	return nil
}
