package manual

import "slices"

// resultsInOrder returns the messages with the results of each step in the order of its
// calls, since the model sees no ids that connect them. Results only trade places with
// each other; everything else, including results without a call, stays where it is. The
// given messages are not changed. It takes time linear in the parts, plus sorting of
// results that are out of order.
func resultsInOrder(messages []Message) []Message {
	type place struct{ message, part int }
	var (
		order   = make(map[string]int) // index of each call in the step, by its id
		places  []place                // of their results
		ranks   []int                  // indexes of the calls of these results
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
