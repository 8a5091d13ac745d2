package spec

import (
	"strings"

	"github.com/callwire/callwire/spec/railroad"
)

// outline writes a node in one line.
func outline(n *railroad.Node) string {
	join := func(by string) string {
		var parts []string
		for _, n := range n.Parts {
			parts = append(parts, outline(n))
		}
		return "(" + strings.Join(parts, by) + ")"
	}
	switch n.Kind {
	case railroad.Word:
		return n.Class + ":" + n.Text
	case railroad.Sequence:
		return join(" ")
	case railroad.Choice:
		return join(" | ")
	case railroad.Optional:
		return outline(n.Parts[0]) + "?"
	case railroad.Loop:
		if n.Between == nil {
			return outline(n.Parts[0]) + "+"
		}
		return outline(n.Parts[0]) + "+/" + outline(n.Between)
	}
	return string(n.Kind)
}
