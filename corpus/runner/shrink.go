package runner

// shrink returns a list that stops failing if any element is removed. It tries to remove big
// pieces first, which takes fewer questions.
func shrink[T any](list []T, fails func(list []T) bool) []T {
	for size := max(len(list)/2, 1); size >= 1 && len(list) > 0; {
		smaller := false
		for at := 0; at < len(list); {
			without := make([]T, 0, len(list))
			without = append(without, list[:at]...)
			without = append(without, list[min(at+size, len(list)):]...)
			if fails(without) {
				list, smaller = without, true
			} else {
				at += size
			}
		}
		if size == 1 && !smaller {
			break
		}
		size = max(size/2, 1)
	}
	return list
}
