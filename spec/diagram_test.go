package spec

import (
	"strings"
	"testing"

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

func TestPatternNode(t *testing.T) {
	for pattern, want := range map[string]string{
		`<call>`:     "t:<call>",
		`[ \t\r\n]+`: "c:whitespace+",
		`[A-Za-z_][A-Za-z0-9_\x{80}-\x{10FFFF}]*`: "(c:A–Z _ a–z c:0–9 A–Z _ a–z non-ASCII+?)",
		`[^\x00-\x20\x7F=.]+`:                     "c:not control space . =+",
		`[^"\\]`:                                  `c:not " \`,
		`"(?:[^"]|\\(?s:.))*"`:                    `(t:" (c:not " | (t:\ c:anything))+? t:")`,
		`a?\z`:                                    "(t:a? p:end of text)",
		`[\r\n]`:                                  "c:LF CR",
		`\x01`:                                    "t:U+0001",
	} {
		if got := outline(patternNode(pattern)); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}
