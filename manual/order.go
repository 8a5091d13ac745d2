package manual

import "slices"

// resultsInOrder returns the messages with the results of each step in the order of its
// calls, in which the model reads them: it has no ids to tell which is whose. They
// change places with each other alone, so that everything else, results of calls
// that are not there among it, stays where it is. The messages given are not
// changed. It is linear in the parts, but for the sorting of results that are out
// of order.
func resultsInOrder(messages []Message) []Message {
	type place struct{ message, part int }
	var (
		order   = make(map[string]int) // of the calls of the step, by their ids
		places  []place                // of their results
		ranks   []int                  // the calls that these are of
		changed bool
	)
	end := func() { // of a step
		if !slices.IsSorted(ranks) {
			if !changed {
				messages, changed = slices.Clone(messages), true
			}
			results := make([]Part, len(places))
			by := make([]int, len(places))
			for i, at := range places {
				results[i], by[i] = messages[at.message].Parts[at.part], i
				if i == 0 || places[i-1].message != at.message {
					messages[at.message].Parts = slices.Clone(messages[at.message].Parts)
				}
			}
			slices.SortStableFunc(by, func(a, b int) int { return ranks[a] - ranks[b] })
			for i, at := range places {
				messages[at.message].Parts[at.part] = results[by[i]]
			}
		}
		clear(order)
		places, ranks = places[:0], ranks[:0]
	}
	for i := range messages {
		for j := range messages[i].Parts {
			switch p := &messages[i].Parts[j]; {
			case p.Kind == Call:
				if len(places) > 0 {
					end()
				}
				if _, known := order[p.ID]; !known && p.ID != "" {
					order[p.ID] = len(order)
				}
			case p.Kind == Result || p.Kind == Feedback:
				if rank, known := order[p.ID]; known {
					places, ranks = append(places, place{i, j}), append(ranks, rank)
				}
			}
		}
	}
	end()
	return messages
}
