package lexer

// Rule: limit.default, limit.bytes, limit.depth, limit.arguments, limit.name.

// Limits bound one call. N passes; N+1 makes the call malformed with the limit's own code,
// at the same offset however the input is cut. Fields that aren't positive mean the
// default, and fields above 1<<30 mean 1<<30.
//
// Where values are text between tags, as in qwen3-coder, glm-4.5 and morph-xml, text that would be
// JSON but for its depth is a string, so Depth does not make such a call malformed.
type Limits struct {
	Bytes     int // bytes of the whole span, both tags included; default 4 MiB
	Depth     int // nesting: brackets and dots; default 64
	Arguments int // arguments, or members of a JSON body; default 1024
	Name      int // bytes of the tool's name; default 256
}

// defaultLimits are beyond what real calls need.
var defaultLimits = Limits{Bytes: 4 << 20, Depth: 64, Arguments: 1024, Name: 256}

// most is the highest limit, so that no sum of a limit and an offset overflows.
const most = 1 << 30

// OrDefault returns l with defaults filled in and no field above 1<<30.
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
