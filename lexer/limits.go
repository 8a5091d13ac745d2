package lexer

// Limits bound what one call may hold. N passes, N+1 makes the call malformed
// with the limit's own code, at the same offset under every chunking. A field
// that is zero or negative has its default.
//
// Rule: limit.default, limit.bytes, limit.depth, limit.arguments, limit.name.
type Limits struct {
	Bytes     int // bytes of the whole span, both tags included; default 4 MiB
	Depth     int // nesting: brackets and dots; default 64
	Arguments int // arguments, or members of a JSON body; default 1024
	Name      int // bytes of the tool's name; default 256
}

// DefaultLimits are limits that real use does not meet.
var DefaultLimits = Limits{Bytes: 4 << 20, Depth: 64, Arguments: 1024, Name: 256}

// OrDefault returns l with the default in place of each field that is not
// positive.
func (l Limits) OrDefault() Limits {
	or := func(n, def int) int {
		if n <= 0 {
			return def
		}
		return n
	}
	return Limits{
		Bytes:     or(l.Bytes, DefaultLimits.Bytes),
		Depth:     or(l.Depth, DefaultLimits.Depth),
		Arguments: or(l.Arguments, DefaultLimits.Arguments),
		Name:      or(l.Name, DefaultLimits.Name),
	}
}
