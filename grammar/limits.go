package grammar

// Limits bound what one call may be. N passes, N+1 is malformed with a code
// of its own. Zero means the default.
//
// Rule: limits
type Limits struct {
	Bytes     int // of the whole span, both tags included; default 4 MiB
	Depth     int // of brackets and dots, the arguments object being none; default 64, at most 10000
	Arguments int // or members of a JSON body; default 1024
	Name      int // bytes of the name; default 256
}

// maxDepth keeps the parser, which recurses, within its stack.
const maxDepth = 10_000

func (l Limits) withDefaults() Limits {
	return Limits{
		Bytes:     limit(l.Bytes, 4<<20),
		Depth:     min(limit(l.Depth, 64), maxDepth),
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
