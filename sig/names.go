package sig

// nameList is a list of distinct names that finds a name by comparing while there are few.
type nameList struct {
	list  []string
	index map[string]int // of each name in list; nil while there are few
}

// manyNames is the number of names from which an index is faster than comparing.
const manyNames = 9

// add appends a name, and reports whether it is new.
func (n *nameList) add(name string) bool {
	if find(n, name) >= 0 {
		return false
	}
	n.list = append(n.list, name)
	if len(n.list) == manyNames {
		n.index = make(map[string]int, 2*manyNames)
		for i, name := range n.list {
			n.index[name] = i
		}
	} else if n.index != nil {
		n.index[name] = len(n.list) - 1
	}
	return true
}

// find returns the index of a name, or -1. It does not allocate.
func find[T string | []byte](n *nameList, name T) int {
	if n.index != nil {
		if i, ok := n.index[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range n.list {
		if n.list[i] == string(name) {
			return i
		}
	}
	return -1
}
