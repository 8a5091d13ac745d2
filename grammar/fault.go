package grammar

// A fault is an error in a call: its code and offset.
type fault struct {
	code Code
	at   int
}

// first returns the fault with the smallest offset. At the same offset, the order
// of the arguments decides: limits, then ill-formed UTF-8, then syntax.
//
// Rule: recovery.first-fault
func first(faults ...*fault) *fault {
	var first *fault
	for _, f := range faults {
		if f != nil && (first == nil || f.at < first.at) {
			first = f
		}
	}
	return first
}
