package manual

import (
	"slices"

	"github.com/callwire/callwire/lexer"
)

// called is a call, as its result needs to know it. A step is the calls that a model made before it
// read their results.
type called struct {
	*Part
	index    int            // among the calls of the conversation
	first    int            // index of the first call of the step
	names    map[string]int // how many calls of the step have each name
	label    string         // the name, "" if it is too long to repeat
	answered bool

	// What Rewrite knows: the ID that the model sees, if the format has IDs, and the answer to a
	// call of the loader.
	id     string
	loaded string

	message, place int // where AppendMessages wrote the call
}

// link returns the messages with calls that know their steps, and results that know their calls. If
// sorts is set, the results of a step are in the order of its calls: they trade places with each
// other, up to the model's next message. IDs should distinguish calls, but some APIs have none, and some start over with each step:
// of several calls of a step with the ID of a result, or without an ID but with its name, the first
// without a result is meant. The given messages are not changed. It takes time linear in the parts.
func link(messages []Message, sorts bool) []Message {
	linked := slices.Clone(messages)
	calls := make(map[string][]*called) // that results may belong to, by their keys
	count, last := 0, &called{}
	var results []*Part // since the last call
	for i := range linked {
		m := &linked[i]
		if m.Role != Assistant {
			last = &called{} // the next call begins a step
		} else {
			sortResults(results) // what the model has answered doesn't change
			results = nil
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
				sortResults(results)
				results = nil
				last = last.next(count, p)
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
				}
				if sorts && p.call != nil {
					results = append(results, p)
				}
			}
		}
	}
	sortResults(results)
	return linked
}

// next returns the call after c, which is empty if no call is before it in the step.
func (c *called) next(index int, p *Part) *called {
	next := &called{Part: p, index: index, first: c.first, names: c.names}
	if c.names == nil {
		next.first, next.names = index, make(map[string]int)
	}
	if len(p.Name) <= (lexer.Limits{}).OrDefault().Name {
		next.label = p.Name
	}
	next.names[next.label]++
	return next
}

// sortResults sorts results by their calls.
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
