package runner

// shrink returns a cut list from which no cut can be taken without losing the
// failure. It begins with big pieces, so that it asks seldom.
func shrink(cuts []int, fails func(cuts []int) bool) []int {
	for size := max(len(cuts)/2, 1); size >= 1 && len(cuts) > 0; {
		smaller := false
		for at := 0; at < len(cuts); {
			without := make([]int, 0, len(cuts))
			without = append(without, cuts[:at]...)
			without = append(without, cuts[min(at+size, len(cuts)):]...)
			if fails(without) {
				cuts, smaller = without, true
			} else {
				at += size
			}
		}
		if size == 1 && !smaller {
			break
		}
		size = max(size/2, 1)
	}
	return cuts
}
