package runner

import (
	"fmt"
	"html"
	"io"

	"github.com/callwire/callwire/corpus"
)

// WriteBadge writes the outcome as a small picture, an SVG.
func (r *Report) WriteBadge(out io.Writer) error {
	left, right := "callwire "+corpus.Version, r.badge()
	color := "#b23b3b"
	if r.OK() {
		color = "#2f7d4f"
	}
	const perCharacter, margin = 7, 10
	a, b := perCharacter*len(left)+2*margin, perCharacter*len(right)+2*margin
	_, err := fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">
<rect width="%d" height="20" fill="#444"/><rect x="%d" width="%d" height="20" fill="%s"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle"><text x="%d" y="14">%s</text><text x="%d" y="14">%s</text></g>
</svg>
`, a+b, html.EscapeString(left), html.EscapeString(right), a, a, b, color, a/2, html.EscapeString(left), a+b/2, html.EscapeString(right))
	return err
}

// badge is the outcome as a badge has it: the level that passes, and whether
// streaming was proven.
func (r *Report) badge() string {
	if !r.OK() {
		n := r.Count()
		return fmt.Sprintf("%d of %d pass", n[Pass]+n[KnownFailure], len(r.Results))
	}
	level := ""
	for _, t := range r.Levels() {
		if t.Count[Pass] > 0 {
			level = t.Name // core comes first
		}
	}
	if r.Streaming() == Proven {
		return level + ", streams"
	}
	return level
}
