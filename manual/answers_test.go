package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// testdata/answers.txt has damaged calls, each a line and in it \n for the end of one, and under
// each the feedback. A line that begins with "strict: ", "repair: " or the name of a format is read
// so; one that begins with "tools " replaces the tools.
func TestAnswers(t *testing.T) {
	catalog := compile(t, office[:len(office)-2]+`,
		{"name":"pick","inputSchema":{"type":"object","properties":{"color":{"enum":["red","green","blue","dark red","dark green","dark blue","light red","light green","light blue","cyan","magenta","yellow","black","white","gray","brown","orange","pink","violet","olive","a color whose name is so long that it is not worth the tokens that it takes"]},
			"n":{"enum":[1,2,3]},"deep":{"type":"object","properties":{"one":{"type":"object","properties":{"two":{"type":"boolean"},"three":{"type":"array","items":{"type":"object","properties":{"four":{"type":"integer"}},"required":["four"]}}}}}}}}},`+weather[1:])
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "answers.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		if tools, ok := strings.CutPrefix(line, "tools "); ok {
			catalog = compile(t, tools)
			continue
		}
		text := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
		var o Options
		text, isStrict := strings.CutPrefix(text, "strict: ")
		text, isRepaired := strings.CutPrefix(text, "repair: ")
		if name, rest, ok := strings.Cut(text, ": "); ok && protocol.Lookup(name) != nil {
			o.Format, text = protocol.Lookup(name), rest
		}
		for _, s := range segments(catalog, text, parse.Options{Format: o.Format, Strict: isStrict, Repair: isRepaired}) {
			for said := range strings.Lines(must(catalog, o).Feedback(s)) {
				all.WriteString("\t" + strings.TrimSuffix(said, "\n") + "\n")
			}
		}
	}
	if lines < 150 {
		t.Errorf("%d answers", lines)
	}
	golden.Assert(t, all.String(), "answers.txt")
}
