package manual

import (
	"slices"

	"github.com/callwire/callwire/lexer"
)

// called is a call, as its result needs to know it. A step is the calls that a model made before it
// read their results.
type called struct {
	index    int            // among the calls of the conversation
	first    int            // index of the first call of the step
	names    map[string]int // how many calls of the step have each name
	name     string         // "" if it is too long to repeat
	answered bool

	// What Rewrite knows: the ID that the model sees, if the format has IDs, and what answers the
	// call, if it is one of the loader.
	id   string
	load func() string

	// What AppendMessages knows: the call, and where it is.
	part           Part
	message, place int
}

// link returns the messages with calls that know their steps, and results that know their calls. It
// also returns the results of each step. IDs should distinguish calls, but some APIs have none, and
// some start over with each step: of several calls of a step with the ID of a result, or without an
// ID but with its name, the first without a result is meant. The given messages are not changed.
// It takes time linear in the parts.
func link(messages []Message) (linked []Message, steps [][]*Part) {
	linked = slices.Clone(messages)
	calls := make(map[string][]*called) // that results may belong to, by their keys
	count, last := 0, &called{}
	var results []*Part // since the last call
	for i := range linked {
		m := &linked[i]
		if m.Role != Assistant {
			last = &called{} // the next call begins a step
		}
		if !m.hasTools() {
			continue
		}
		m.Parts = slices.Clone(m.Parts)
		for j := range m.Parts {
			p := &m.Parts[j]
			keys := []string{p.ID}
			if p.ID == "" {
				keys = []string{"\x00" + p.Name, "\x00"}
			}
			switch {
			case p.Kind == Call:
				steps, results = append(steps, results), nil
				last = last.next(count, p.Name)
				count++
				p.call = last
				for _, key := range keys {
					same := calls[key]
					if len(same) > 0 && same[0].first != last.first {
						same = nil
					}
					calls[key] = append(same, last)
				}
			case p.isResult():
				last = &called{}
				same := calls[keys[0]]
				for len(same) > 1 && same[0].answered {
					same = same[1:]
				}
				calls[keys[0]] = same
				if len(same) > 0 {
					p.call, same[0].answered = same[0], true
					results = append(results, p)
				}
			}
		}
	}
	return linked, append(steps, results)
}

// next returns the call after c, which is empty if no call is before it in the step.
func (c *called) next(index int, name string) *called {
	next := &called{index: index, first: c.first, names: c.names}
	if c.names == nil {
		next.first, next.names = index, make(map[string]int)
	}
	if len(name) <= (lexer.Limits{}).OrDefault().Name {
		next.name = name
	}
	next.names[next.name]++
	return next
}

// sortResults sorts results by their calls, since the model sees no IDs that connect them. Results
// only trade places with each other.
func sortResults(places []*Part) {
	results := make([]Part, len(places))
	for i, p := range places {
		results[i] = *p
	}
	slices.SortStableFunc(results, func(a, b Part) int { return a.call.index - b.call.index })
	for i, p := range places {
		*p = results[i]
	}
}
