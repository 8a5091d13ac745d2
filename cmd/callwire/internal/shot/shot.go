// Package shot turns what a program prints on a terminal into a picture, an SVG
// that stands alone and follows the reader's choice of light or dark.
package shot

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// The measures of a picture, in pixels.
const (
	cell   = 7.8 // the width of a character
	line   = 18
	margin = 18
	bar    = 34 // what stands above the text
)

// classes are the styles of cmd/callwire, by their SGR parameters.
var classes = map[string]string{"2": "dim", "1;32": "call", "36": "key", "1;31": "bad", "33": "doubt"}

const style = `
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre }
  .page { fill: #fcfcfb; stroke: #d8d7d0 }
  .bar { fill: #898781 }
  .dim { fill: #66655f } .call { fill: #17703f; font-weight: 600 } .key { fill: #1b5fae } .bad { fill: #b3261e; font-weight: 600 } .doubt { fill: #855400 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e5df }
    .page { fill: #1a1a19; stroke: #3a3a37 }
    .bar { fill: #7d7c76 }
    .dim { fill: #a3a29a } .call { fill: #5dd194 } .key { fill: #7db5f5 } .bad { fill: #ff8a80 } .doubt { fill: #f0b849 }
  }
`

// SVG returns the picture of a command and of what it prints, columns wide: plain
// text with the SGR sequences of cmd/callwire. Lines beyond most are left out.
func SVG(command string, output string, columns, most int) []byte {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	left := 0
	if len(lines) > most {
		left = len(lines) - most
		lines = lines[:most]
	}
	height := bar + len(lines)*line + margin
	if left > 0 {
		height += line
	}
	width := int(float64(columns)*cell) + 2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" role="img" aria-label="%s">`+"\n", width, height, width, escape("What "+command+" prints"))
	fmt.Fprintf(&b, "<style>%s</style>\n", style)
	fmt.Fprintf(&b, `<rect class="page" x=".5" y=".5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1)
	fmt.Fprintf(&b, `<text class="dim" x="%d" y="24">$ %s</text>`+"\n", margin, escape(command))
	class := ""
	for i, text := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve">`, margin, bar+(i+1)*line)
		class = writeLine(&b, text, class)
		b.WriteString("</text>\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, `<text class="dim" x="%d" y="%d">… and %d lines more</text>`+"\n", margin, height-margin, left)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// writeLine writes a line whose beginning is of a class, and returns that of its
// end.
func writeLine(b *strings.Builder, text, class string) string {
	for text != "" {
		piece, rest, found := strings.Cut(text, "\x1b[")
		if piece != "" && class != "" {
			fmt.Fprintf(b, `<tspan class="%s">%s</tspan>`, class, escape(piece))
		} else {
			b.WriteString(escape(piece))
		}
		if !found {
			break
		}
		parameters, after, _ := strings.Cut(rest, "m")
		class, text = classes[parameters], after
	}
	return class
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return strings.NewReplacer("&#34;", "&quot;", "&#39;", "'").Replace(b.String())
}
