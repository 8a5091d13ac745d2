package manual

import (
	"cmp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/sig"
)

// testdata/examples.txt has schemas of arguments, each a line, and under each the call that shows
// how to call such a tool, or NONE.
func TestExamples(t *testing.T) {
	var all strings.Builder
	for line := range strings.Lines(string(golden.Get(t, "examples.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		m := must(compile(t, []sig.Tool{{Name: "t", Schema: []byte(line)}}), Options{})
		call := cmp.Or(m.exampleOf("t"), "NONE")
		all.WriteString(line + "\t" + call + "\n")
	}
	golden.Assert(t, all.String(), "examples.txt")
}
