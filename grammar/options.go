package grammar

import "cmp"

// Options control reading. The zero value reads without a catalog.
type Options struct {
	Limits Limits

	// AcceptAtEnd accepts a call whose body is complete at the end of the text,
	// for callers that use the closing tag as a stop sequence: the text ends before it.
	//
	// Rule: option.accept-at-end
	AcceptAtEnd bool

	// StopAfterMalformed makes calls malformed that would be marked
	// AfterMalformed.
	//
	// Rule: option.stop-after-malformed
	StopAfterMalformed bool

	// Known reports whether there is a tool with that name; nil means any name.
	Known func(name string) bool
}

// Limits bound one call. N passes, N+1 is malformed, each limit with its own code.
// Zero means the default.
//
// Rule: limit.default
type Limits struct {
	// Bytes of the whole span with both tags; the default is 4 MiB. A tag is
	// recognized even if it extends beyond the limit.
	//
	// Rule: limit.bytes, limit.tag
	Bytes int

	// Depth of brackets and dots, not counting the arguments object; the default
	// is 64, the maximum 10,000.
	//
	// Rule: limit.depth
	Depth int

	// Arguments, or members of a JSON body; the default is 1024.
	//
	// Rule: limit.arguments
	Arguments int

	// Name is the length of the name in bytes; the default is 256.
	//
	// Rule: limit.name
	Name int
}

// MaxDepth is the greatest limit on depth. It keeps the recursive parser within its
// stack.
const MaxDepth = 10_000

// OrDefault returns l with defaults in place of zeros.
func (l Limits) OrDefault() Limits {
	return Limits{
		Bytes:     cmp.Or(max(l.Bytes, 0), 4<<20),
		Depth:     min(cmp.Or(max(l.Depth, 0), 64), MaxDepth),
		Arguments: cmp.Or(max(l.Arguments, 0), 1024),
		Name:      cmp.Or(max(l.Name, 0), 256),
	}
}
