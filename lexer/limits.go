package lexer

// Rule: limit.default, limit.bytes, limit.depth, limit.arguments, limit.name.

// Limits bound what one call may hold. N passes, N+1 makes the call malformed
// with the limit's own code, at the same offset under every chunking. A field
// that is zero or negative has its default, and one above 1<<30 counts as that.
type Limits struct {
	Bytes     int // bytes of the whole span, both tags included; default 4 MiB
	Depth     int // nesting: brackets and dots; default 64
	Arguments int // arguments, or members of a JSON body; default 1024
	Name      int // bytes of the tool's name; default 256
}

// defaultLimits are limits that real use does not meet.
var defaultLimits = Limits{Bytes: 4 << 20, Depth: 64, Arguments: 1024, Name: 256}

// DefaultLimits are what zero stands for. Nothing reads the variable: changing
// it changes no limit.
var DefaultLimits = defaultLimits

// most is the highest limit, so that no sum of a limit and an offset overflows.
const most = 1 << 30

// OrDefault returns l as it is read: with the default in place of each field that
// is not positive, and no field above 1<<30.
func (l Limits) OrDefault() Limits {
	or := func(n, def int) int {
		if n <= 0 {
			return def
		}
		return min(n, most)
	}
	return Limits{
		Bytes:     or(l.Bytes, defaultLimits.Bytes),
		Depth:     or(l.Depth, defaultLimits.Depth),
		Arguments: or(l.Arguments, defaultLimits.Arguments),
		Name:      or(l.Name, defaultLimits.Name),
	}
}
