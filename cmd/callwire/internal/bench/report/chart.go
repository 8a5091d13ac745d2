package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

// Sizes of the chart, in pixels.
const (
	chartWidth = 820
	labelWidth = 250
	plotWidth  = 400
	rowHeight  = 22
	headHeight = 62
	footHeight = 46
)

// style is for light and dark pages.
const style = `
  svg text { font: 12px system-ui, sans-serif; fill: #52514e }
  svg .title { font-size: 15px; font-weight: 600; fill: #0b0b0b }
  svg .model { font-weight: 600; fill: #0b0b0b }
  svg .note { font-style: italic }
  svg .page { fill: #fcfcfb }
  svg .grid { stroke: #e1e0d9; fill: none }
  svg .interval { stroke-width: 2; fill: none }
  svg .native { stroke: #c2501f; fill: #c2501f } svg .text { stroke: #2a78d6; fill: #2a78d6 }
  @media (prefers-color-scheme: dark) {
    svg text { fill: #c3c2b7 }
    svg .title, svg .model { fill: #ffffff }
    svg .page { fill: #1a1a19 }
    svg .grid { stroke: #3a3a37 }
    svg .native { stroke: #f08a5d; fill: #f08a5d } svg .text { stroke: #5aa0ee; fill: #5aa0ee }
  }
`

// Chart draws success with its intervals as SVG: of single messages, or of tasks if there are none.
func (r Report) Chart() []byte {
	groups := r.of(live.KindLive)
	if len(groups) == 0 {
		groups = r.Groups
	}
	height := headHeight + footHeight
	var words []string
	for _, g := range groups {
		height += (1+len(g.Arms))*rowHeight + rowHeight/3
		for _, a := range g.Arms {
			words = append(words, fmt.Sprintf("%s, %s: %s", g.name(), a.Name, percent(a.Success)))
		}
	}
	var b strings.Builder
	const title = "Success, with 95 % intervals"
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="` + title + `"`)
	fmt.Fprintf(&b, ` viewBox="0 0 %d %d">`+"\n", chartWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", title, style)
	fmt.Fprintf(&b, "<desc>%s.</desc>\n", escape(strings.Join(words, "; ")))
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d" rx="8"/>`+"\n", chartWidth, height)
	b.WriteString(label(20, 28, `class="title"`, title))
	b.WriteString(`<circle class="native" cx="25" cy="45" r="4.5"/>`)
	b.WriteString(label(35, 49, "", "native calls"))
	b.WriteString(`<circle class="text" cx="143" cy="45" r="4.5"/>`)
	b.WriteString(label(153, 49, "", "calls in text"))
	b.WriteString(label(chartWidth-20, 49, `text-anchor="end"`, "* differs from native calls"))
	b.WriteString(label(20, height-12, `class="note"`, r.notice()))
	for i := range 5 {
		x, bottom := labelWidth+i*plotWidth/4, height-footHeight
		fmt.Fprintf(&b, `<path class="grid" d="M%d %dV%d"/>`, x, headHeight, bottom)
		b.WriteString(label(x, bottom+16, `text-anchor="middle"`, fmt.Sprintf("%d %%", 25*i)))
	}
	y := headHeight + rowHeight/2
	for _, g := range groups {
		b.WriteString(label(20, y+4, `class="model"`, g.name()))
		for _, a := range g.Arms {
			y += rowHeight
			a.draw(&b, y)
		}
		y += rowHeight + rowHeight/3
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// draw draws the row of an arm.
func (a Arm) draw(b *strings.Builder, y int) {
	b.WriteString(label(labelWidth-14, y+4, `text-anchor="end"`, a.Name))
	if a.Trials == 0 {
		return
	}
	class := "text"
	if a.Mode == "native" {
		class = "native"
	}
	at := func(share float64) float64 { return labelWidth + share*plotWidth }
	low, high := at(a.Success.Low), at(a.Success.High)
	fmt.Fprintf(b, `<path class="interval %s" d="M%.1f %dH%.1f`, class, low, y, high)
	fmt.Fprintf(b, `M%.1f %dv8M%.1f %dv8"/>`, low, y-4, high, y-4)
	fmt.Fprintf(b, `<circle class="%s" cx="%.1f" cy="%d" r="4.5"/>`+"\n",
		class, at(a.Success.Mean), y)
	text := percent(a.Success)
	if a.Versus != nil && a.Versus.Success.isDifferent() {
		text += " *"
	}
	b.WriteString(label(labelWidth+plotWidth+16, y+4, "", text))
}

// label is a text with attributes.
func label(x, y int, attributes, text string) string {
	return fmt.Sprintf(`<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, attributes, escape(text))
}

// escape returns text for XML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder never fails
	return b.String()
}
