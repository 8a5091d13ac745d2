package manual

import "slices"

// resultsInOrder returns the messages with the results of each step in the order of its calls,
// since the model sees no IDs that connect them. Results only trade places with each other;
// everything else, including results without a call, stays where it is. The given messages are not
// changed. It takes time linear in the parts, plus sorting of results that are out of order.
func resultsInOrder(messages []Message) []Message {
	type place struct{ message, part, rank int }
	byRank := func(a, b place) int { return a.rank - b.rank }
	order := make(map[string]int) // ranks of the calls of the step, by their IDs
	var places []place            // of their results
	isOwn := false
	end := func() { // of a step
		if !slices.IsSortedFunc(places, byRank) {
			if !isOwn {
				messages, isOwn = slices.Clone(messages), true
			}
			sorted := slices.Clone(places)
			slices.SortStableFunc(sorted, byRank)
			results := make([]Part, len(sorted))
			for i, from := range sorted {
				results[i] = messages[from.message].Parts[from.part]
			}
			for i, at := range places {
				m := &messages[at.message]
				if i == 0 || places[i-1].message != at.message {
					m.Parts = slices.Clone(m.Parts)
				}
				m.Parts[at.part] = results[i]
			}
		}
		clear(order)
		places = places[:0]
	}
	for i := range messages {
		for j := range messages[i].Parts {
			p := &messages[i].Parts[j]
			rank, isKnown := order[p.ID]
			switch {
			case p.isResult() && isKnown:
				places = append(places, place{i, j, rank})
			case p.Kind == Call:
				if len(places) > 0 {
					end()
				}
				if _, isKnown := order[p.ID]; !isKnown && p.ID != "" {
					order[p.ID] = len(order)
				}
			}
		}
	}
	end()
	return messages
}
