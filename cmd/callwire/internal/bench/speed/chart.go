package speed

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// The chart has a panel for each of four texts: throughput by the size of
// chunks, both in logarithms. Sizes are in pixels.
const (
	panelWidth  = 300
	panelHeight = 190
	gapX        = 86
	gapY        = 78
	marginLeft  = 76
	marginTop   = 96
	chartWidth  = marginLeft + 2*panelWidth + gapX + 40
	chartHeight = marginTop + 2*panelHeight + gapY + 78
)

// The y axis, in decades of bytes a second.
const (
	lowestDecade  = 7  // 10 MB/s
	highestDecade = 11 // 100 GB/s
)

// series are the lines of a panel, in the order of the legend.
var series = []struct {
	reader Reader
	name   string
}{
	{Wire, "callwire"}, {JSON, "encoding/json"}, {JSONv2, "encoding/json/v2"}, {IndexByte, "bytes.IndexByte"}, {Noop, "no-op per chunk"},
}

// style colours the chart for light and for dark pages.
const style = `
  text { font: 12px system-ui, sans-serif; fill: #52514e }
  .title { font-size: 15px; font-weight: 600; fill: #0b0b0b }
  .panel { font-size: 13px; font-weight: 600; fill: #0b0b0b }
  .page { fill: #fcfcfb }
  .grid { stroke: #e1e0d9; fill: none }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .wire { stroke: #2a78d6; stroke-width: 3 } .json { stroke: #eb6834 } .jsonv2 { stroke: #e87ba4 }
  .indexbyte { stroke: #1baf7a; stroke-dasharray: 6 4 } .noop { stroke: #898781; stroke-dasharray: 2 4 }
  circle.wire { fill: #2a78d6 } circle.json { fill: #eb6834 } circle.jsonv2 { fill: #e87ba4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #c3c2b7 }
    .title, .panel { fill: #ffffff }
    .page { fill: #1a1a19 }
    .grid { stroke: #2c2c2a }
    .wire { stroke: #3987e5 } .json { stroke: #d95926 } .jsonv2 { stroke: #d55181 } .indexbyte { stroke: #199e70 }
    circle.wire { fill: #3987e5 } circle.json { fill: #d95926 } circle.jsonv2 { fill: #d55181 }
  }
`

// WriteChart writes the chart, an SVG that stands alone and follows the reader's
// choice of light or dark.
func (r Report) WriteChart(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title summary">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, "<title id=\"title\">Throughput by size of chunks</title>\n<desc id=\"summary\">%s</desc>\n<style>%s</style>\n", escape(r.summary()), style)
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d" rx="8"/>`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<text class="title" x="20" y="30">How much text is read in a second, by the size of the chunks it arrives in</text>`+"\n")
	r.drawLegend(&b)
	for i, text := range r.panels() {
		x := marginLeft + (i%2)*(panelWidth+gapX)
		y := marginTop + (i/2)*(panelHeight+gapY)
		r.drawPanel(&b, i, x, y, text)
	}
	fmt.Fprintf(&b, `<text x="20" y="%d">%s</text>`+"\n", chartHeight-16, escape(r.Machine.String()))
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// panels names the workloads that are shown, as far as they have been measured.
func (r Report) panels() (names []string) {
	for _, name := range []string{"transcript", "string-prose-" + bytesOf(r.typical()), "prose", "html"} {
		if _, ok := r.cell(name, chunkSizes[0]); ok {
			names = append(names, name)
		}
	}
	return names
}

// panelTitles say what a workload is.
var panelTitles = map[string]string{
	"transcript": "transcript: 200 bytes of prose and a call",
	"prose":      "prose without calls",
	"html":       "HTML without calls: a < every 11 bytes",
}

func panelTitle(workload string) string {
	if title := panelTitles[workload]; title != "" {
		return title
	}
	return "one call, one argument: " + strings.ReplaceAll(strings.TrimPrefix(workload, "string-"), "-", ", ")
}

// drawLegend draws the names of the lines that occur.
func (r Report) drawLegend(b *strings.Builder) {
	x := 20
	for _, s := range series {
		if s.reader == JSONv2 && !r.Machine.JSONv2 {
			continue
		}
		fmt.Fprintf(b, `<path class="line %s" d="M%d 52h24"/><text x="%d" y="56">%s</text>`+"\n", s.reader, x, x+30, s.name)
		x += 30 + 8*len(s.name) + 12
	}
}

// drawPanel draws the panel of a workload with its upper left corner at x, y.
func (r Report) drawPanel(b *strings.Builder, number, x, y int, workload string) {
	fmt.Fprintf(b, `<g transform="translate(%d %d)"><text class="panel" x="0" y="-8">%s</text>`+"\n", x, y, escape(panelTitle(workload)))
	fmt.Fprintf(b, `<clipPath id="p%d"><rect x="-6" y="-2" width="%d" height="%d"/></clipPath>`+"\n", number, panelWidth+12, panelHeight+4)
	for decade := lowestDecade; decade <= highestDecade; decade++ {
		at := yOf(math.Pow10(decade))
		fmt.Fprintf(b, `<path class="grid" d="M0 %.1fH%d"/><text x="-8" y="%.1f" text-anchor="end">%s</text>`+"\n", at, panelWidth, at+4, perSecond(decade))
	}
	for i, size := range chunkSizes {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", xOf(i), panelHeight+18, size)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">bytes in a chunk</text>`+"\n", panelWidth/2, panelHeight+36)
	fmt.Fprintf(b, `<g clip-path="url(#p%d)">`+"\n", number)
	for i := len(series) - 1; i >= 0; i-- { // ours on top
		r.drawLine(b, workload, series[i].reader)
	}
	b.WriteString("</g></g>\n")
}

// drawLine draws the line of a reader, with a point and its figure for each size
// of chunks.
func (r Report) drawLine(b *strings.Builder, workload string, reader Reader) {
	var path, points strings.Builder
	for i, size := range chunkSizes {
		c, ok := r.cell(workload, size)
		t, timed := c.timing(reader)
		if !ok || !timed {
			return
		}
		speed := float64(c.Bytes) / t.Least * 1e9
		fmt.Fprintf(&path, "%s%.1f %.1f", []string{"M", "L"}[min(i, 1)], xOf(i), yOf(speed))
		if reader != IndexByte && reader != Noop {
			fmt.Fprintf(&points, `<circle class="%s" cx="%.1f" cy="%.1f" r="3.5"><title>%s, chunks of %d: %s</title></circle>`+"\n", reader, xOf(i), yOf(speed), reader, size, c.throughput(t))
		}
	}
	fmt.Fprintf(b, `<path class="line %s" d="%s"/>`+"\n%s", reader, path.String(), points.String())
}

// summary is the chart in words, for those who do not see it.
func (r Report) summary() string {
	var s []string
	for _, workload := range r.panels() {
		for _, size := range []int{chunkSizes[0], chunkSizes[len(chunkSizes)-1]} {
			if c, ok := r.cell(workload, size); ok {
				if t, ok := c.timing(Wire); ok {
					s = append(s, fmt.Sprintf("%s: %s in chunks of %d", workload, c.throughput(t), size))
				}
			}
		}
	}
	return strings.Join(s, "; ") + "."
}

// xOf returns where the size of chunks with that index is in a panel.
func xOf(i int) float64 {
	first, last := math.Log(float64(chunkSizes[0])), math.Log(float64(chunkSizes[len(chunkSizes)-1]))
	return (math.Log(float64(chunkSizes[i])) - first) / (last - first) * panelWidth
}

// yOf returns where so many bytes a second are in a panel.
func yOf(perSecond float64) float64 {
	return panelHeight * (highestDecade - math.Log10(perSecond)) / (highestDecade - lowestDecade)
}

// perSecond names a power of ten of bytes a second.
func perSecond(decade int) string {
	unit := map[int]string{0: "MB/s", 1: "GB/s"}[(decade-6)/3]
	return fmt.Sprintf("%d %s", int(math.Pow10((decade-6)%3)), unit)
}

// escape returns text as it stands in XML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}
