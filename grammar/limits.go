package grammar

// Limits bound what one call may be. N passes, N+1 is malformed with a code
// of its own. Zero means the default.
//
// Rule: limit.default
type Limits struct {
	// Bytes of the whole span, both tags included: 4 MiB. A tag is judged by
	// all its bytes, even beyond the limit.
	//
	// Rule: limit.bytes, limit.tag
	Bytes int

	// Depth of brackets and dots, the arguments object being none: 64, and
	// never more than 10 000.
	//
	// Rule: limit.depth
	Depth int

	// Arguments, or members of a JSON body: 1024.
	//
	// Rule: limit.arguments
	Arguments int

	// Name is the length of the name in bytes: 256.
	//
	// Rule: limit.name
	Name int
}

// MaxDepth is the greatest limit on depth: it keeps the parser, which recurses, within its stack.
const MaxDepth = 10_000

// OrDefault returns l with the defaults for what is zero.
func (l Limits) OrDefault() Limits {
	return Limits{
		Bytes:     limit(l.Bytes, 4<<20),
		Depth:     min(limit(l.Depth, 64), MaxDepth),
		Arguments: limit(l.Arguments, 1024),
		Name:      limit(l.Name, 256),
	}
}

func limit(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}
