package spec

import (
	"fmt"
	"strings"
	"testing"
)

// outline writes a node in one line.
func outline(n node) string {
	join := func(list []node, by string) string {
		var parts []string
		for _, n := range list {
			parts = append(parts, outline(n))
		}
		return "(" + strings.Join(parts, by) + ")"
	}
	switch n := n.(type) {
	case word:
		return n.class + ":" + n.text
	case sequence:
		return join(n, " ")
	case choice:
		return join(n, " | ")
	case optional:
		return outline(n.node) + "?"
	case loop:
		if n.between == nil {
			return outline(n.node) + "+"
		}
		return outline(n.node) + "+/" + outline(n.between)
	}
	return fmt.Sprintf("%T", n)
}

func TestPatternNode(t *testing.T) {
	for pattern, want := range map[string]string{
		`<call>`:     "t:<call>",
		`[ \t\r\n]+`: "c:whitespace+",
		`[A-Za-z_][A-Za-z0-9_\x{80}-\x{10FFFF}]*`: "(c:A–Z a–z _ c:A–Z a–z 0–9 non-ASCII _+?)",
		`[^\x00-\x20\x7F=.]+`:                     "c:not control space . =+",
		`[^"\\]`:                                  `c:not " \`,
		`"(?:[^"]|\\(?s:.))*"`:                    `(t:" (c:not " | (t:\ c:anything))+? t:")`,
		`a?\z`:                                    "(t:a? p:end of text)",
		`[\r\n]`:                                  "c:LF CR",
		`\x01`:                                    "t:U+0001",
	} {
		n, err := patternNode(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(n); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	if _, err := patternNode("("); err == nil {
		t.Error("( is drawn")
	}
}
