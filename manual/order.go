package manual

import "slices"

// resultsInOrder returns the messages with the results of each step in the order of its calls,
// since the model sees no IDs that connect them. Results only trade places with each other;
// everything else, including results without a call, stays where it is. The given messages are not
// changed. It takes time linear in the parts, plus sorting of results that are out of order.
func resultsInOrder(messages []Message) []Message {
	messages = slices.Clone(messages)
	order := make(map[string]int) // ranks of the calls of the step, by their IDs
	var places []*Part            // of their results
	end := func() {               // of a step
		sorted := make([]Part, len(places))
		for i, p := range places {
			sorted[i] = *p
		}
		slices.SortStableFunc(sorted, func(a, b Part) int { return order[a.ID] - order[b.ID] })
		for i, p := range places {
			*p = sorted[i]
		}
		clear(order)
		places = places[:0]
	}
	for i := range messages {
		m := &messages[i]
		if m.hasTools() {
			m.Parts = slices.Clone(m.Parts)
		}
		for j := range m.Parts {
			p := &m.Parts[j]
			_, isKnown := order[p.ID]
			switch {
			case p.isResult() && isKnown:
				places = append(places, p)
			case p.Kind == Call:
				if len(places) > 0 {
					end()
					isKnown = false
				}
				if !isKnown && p.ID != "" {
					order[p.ID] = len(order)
				}
			}
		}
	}
	end()
	return messages
}
