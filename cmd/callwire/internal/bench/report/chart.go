package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// A chart is an SVG for light and dark pages. Most have a row for each arm, with
// the arms of a model under its name. Sizes are in pixels.
const (
	chartWidth = 820
	labelWidth = 250
	plotWidth  = 400
	rowHeight  = 22
	headHeight = 62
	footHeight = 46
)

// Style colors charts, by themselves and in a page.
const Style = `
  svg text { font: 12px system-ui, sans-serif; fill: #52514e }
  svg .title { font-size: 15px; font-weight: 600; fill: #0b0b0b }
  svg .model { font-weight: 600; fill: #0b0b0b }
  svg .note { font-style: italic }
  svg .page { fill: #fcfcfb }
  svg .grid { stroke: #e1e0d9; fill: none }
  svg .interval { stroke-width: 2; fill: none }
  svg .native { stroke: #c2501f; fill: #c2501f } svg .wire { stroke: #2a78d6; fill: #2a78d6 }
  svg .fresh { fill: #2a78d6 } svg .cached { fill: #9ec3ef } svg .output { fill: #c2501f }
  svg .heat { fill: #c2501f } svg .repair { fill: #2a78d6 }
  @media (prefers-color-scheme: dark) {
    svg text { fill: #c3c2b7 }
    svg .title, svg .model { fill: #ffffff }
    svg .page { fill: #1a1a19 }
    svg .grid { stroke: #3a3a37 }
    svg .native { stroke: #f08a5d; fill: #f08a5d } svg .wire { stroke: #5aa0ee; fill: #5aa0ee }
    svg .fresh { fill: #5aa0ee } svg .cached { fill: #2f4f73 } svg .output { fill: #f08a5d }
    svg .heat { fill: #f08a5d } svg .repair { fill: #5aa0ee }
  }
`

// drawing is a chart that is being drawn.
type drawing struct {
	strings.Builder
	height int
}

// WriteChart writes the chart of success of a kind of benchmark, as a file that
// stands alone.
func (r Report) WriteChart(w io.Writer, kind string) error {
	svg := r.successChart(r.of(kind))
	svg = strings.Replace(svg, "</title>", "</title>\n<style>"+Style+"</style>", 1)
	_, err := io.WriteString(w, svg)
	return err
}

// begin draws what is around a chart: title, legend, page. Entries of the legend
// are class and words.
func begin(title, summary string, height int, legend [][2]string, notice string) *drawing {
	d := &drawing{height: height}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n", chartWidth, height, escape(title))
	fmt.Fprintf(d, "<title>%s</title>\n<desc>%s</desc>\n", escape(title), escape(summary))
	fmt.Fprintf(d, `<rect class="page" width="%d" height="%d" rx="8"/>`+"\n", chartWidth, height)
	fmt.Fprintf(d, `<text class="title" x="20" y="28">%s</text>`+"\n", escape(title))
	x := 20
	for _, entry := range legend {
		fmt.Fprintf(d, `<circle class="%s" cx="%d" cy="45" r="4.5"/><text x="%d" y="49">%s</text>`+"\n", entry[0], x+5, x+15, escape(entry[1]))
		x += 34 + 7*len(entry[1])
	}
	if notice != "" {
		fmt.Fprintf(d, `<text class="note" x="20" y="%d">%s</text>`+"\n", height-12, escape(notice))
	}
	return d
}

func (d *drawing) end() string {
	d.WriteString("</svg>\n")
	return d.String()
}

// row is a place in a chart: that of an arm, or with a nil arm that of the name of
// a model.
type row struct {
	y     int // of its middle
	group Group
	arm   *Arm
}

// rowsOf returns a row for each model and each of its arms, and the height of the
// whole chart.
func rowsOf(groups []Group) (rows []row, height int) {
	y := headHeight + rowHeight/2
	for _, g := range groups {
		rows = append(rows, row{y, g, nil})
		y += rowHeight
		for i := range g.Arms {
			rows = append(rows, row{y, g, &g.Arms[i]})
			y += rowHeight
		}
		y += rowHeight / 3
	}
	return rows, y + footHeight
}

func (d *drawing) label(r row) {
	if r.arm == nil {
		fmt.Fprintf(d, `<text class="model" x="20" y="%d">%s</text>`+"\n", r.y+4, escape(short(r.group.name(), 90)))
		return
	}
	fmt.Fprintf(d, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labelWidth-14, r.y+4, escape(short(r.arm.Name, 32)))
}

// short cuts a text that is too long for its place.
func short(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// axis draws a grid with values of 0 to most.
func (d *drawing) axis(most float64, steps int, format func(float64) string) {
	bottom := d.height - footHeight
	for i := range steps + 1 {
		x := labelWidth + float64(i)*plotWidth/float64(steps)
		fmt.Fprintf(d, `<path class="grid" d="M%.1f %dV%d"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			x, headHeight, bottom, x, bottom+16, escape(format(most*float64(i)/float64(steps))))
	}
}

// class colors an arm by its mode.
func (a Arm) class() string {
	if a.Mode == "native" {
		return "native"
	}
	return "wire"
}

var modes = [][2]string{{"native", "native calls"}, {"wire", "calls in text"}}

// chartNotice says whose figures they are, in few words.
func chartNotice(groups []Group) string {
	if slices.ContainsFunc(groups, func(g Group) bool { return g.Scripted }) {
		return "Scripted models: programs that play a known quality. They say nothing about real models."
	}
	return ""
}

// successChart draws how many trials succeed, with intervals.
func (r Report) successChart(groups []Group) string {
	rows, height := rowsOf(groups)
	var words []string
	for _, row := range rows {
		if row.arm != nil {
			words = append(words, fmt.Sprintf("%s, %s: %s", row.group.name(), row.arm.Name, interval(row.arm.Success)))
		}
	}
	d := begin("Success, with 95 % intervals", strings.Join(words, "; ")+".", height, modes, chartNotice(groups))
	fmt.Fprintf(d, `<text x="%d" y="49" text-anchor="end">* significantly different from native calls</text>`+"\n", chartWidth-20)
	d.axis(1, 4, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })
	at := func(share float64) float64 { return labelWidth + share*plotWidth }
	for _, row := range rows {
		d.label(row)
		if row.arm == nil || row.arm.Trials == 0 {
			continue
		}
		s, class := row.arm.Success, row.arm.class()
		fmt.Fprintf(d, `<path class="interval %s" d="M%.1f %dH%.1fM%.1f %dv8M%.1f %dv8"/>`, class, at(s.Low), row.y, at(s.High), at(s.Low), row.y-4, at(s.High), row.y-4)
		fmt.Fprintf(d, `<circle class="%s" cx="%.1f" cy="%d" r="4.5"><title>%s</title></circle>`+"\n", class, at(s.Mean), row.y, interval(s))
		text := interval(s)
		if v := row.arm.Versus; v != nil && v.Significant {
			text += " *"
		}
		fmt.Fprintf(d, `<text x="%d" y="%d">%s</text>`+"\n", labelWidth+plotWidth+16, row.y+4, text)
	}
	return d.end()
}

// tokenChart draws the tokens of a trial: read, read from the cache, written.
func (r Report) tokenChart(groups []Group) string {
	rows, height := rowsOf(groups)
	most := 0.0
	for _, row := range rows {
		if row.arm != nil {
			most = max(most, row.arm.Input.Mean+row.arm.Output.Mean)
		}
	}
	most = nice(most)
	d := begin("Tokens of a trial", "Mean tokens that a trial reads and writes, for each arm.", height,
		[][2]string{{"fresh", "read"}, {"cached", "read from the cache"}, {"output", "written"}}, chartNotice(groups))
	d.axis(most, 4, func(v float64) string { return fmt.Sprintf("%.0f", v) })
	for _, row := range rows {
		d.label(row)
		if row.arm == nil || row.arm.Trials == 0 {
			continue
		}
		x := float64(labelWidth)
		for _, part := range []struct {
			class  string
			tokens float64
		}{{"fresh", row.arm.Input.Mean - row.arm.Cached}, {"cached", row.arm.Cached}, {"output", row.arm.Output.Mean}} {
			width := part.tokens / most * plotWidth
			fmt.Fprintf(d, `<rect class="%s" x="%.1f" y="%d" width="%.1f" height="12"><title>%.0f</title></rect>`, part.class, x, row.y-6, max(width, 0), part.tokens)
			x += width
		}
		fmt.Fprintf(d, "\n"+`<text x="%d" y="%d">%.0f + %.1f</text>`+"\n", labelWidth+plotWidth+16, row.y+4, row.arm.Input.Mean, row.arm.Output.Mean)
	}
	return d.end()
}

// costChart draws success against cost, or against tokens where no prices are
// known.
func (r Report) costChart(groups []Group) string {
	const plotHeight, left = 240, 80
	const width = chartWidth - left - 60
	priced := true
	for _, g := range groups {
		for _, a := range g.Arms {
			priced = priced && (a.Cost != nil || a.Trials == 0)
		}
	}
	cost := func(a Arm) float64 {
		if priced {
			return 1000 * a.Cost.Mean
		}
		return a.Input.Mean + a.Output.Mean
	}
	what := "tokens of a trial"
	if priced {
		what = "cost of 1000 trials"
	}
	most := 0.0
	for _, g := range groups {
		for _, a := range g.Arms {
			if a.Trials > 0 {
				most = max(most, cost(a))
			}
		}
	}
	most = nice(most)
	height := headHeight + plotHeight + 70
	d := begin("Success against "+what, "Each point is an arm: the cheaper the further left, the better the higher.", height, modes, chartNotice(groups))
	for i := range 5 {
		x, y := left+float64(i)*width/4, headHeight+plotHeight-float64(i)*plotHeight/4
		fmt.Fprintf(d, `<path class="grid" d="M%d %.1fh%d"/><text x="%d" y="%.1f" text-anchor="end">%d %%</text>`+"\n", left, y, width, left-8, y+4, 25*i)
		fmt.Fprintf(d, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, headHeight+plotHeight+18, number(most*float64(i)/4))
	}
	fmt.Fprintf(d, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+width/2, headHeight+plotHeight+36, what)
	for _, g := range groups {
		for _, a := range g.Arms {
			if a.Trials == 0 {
				continue
			}
			x, y := left+cost(a)/most*width, headHeight+plotHeight*(1-a.Success.Mean)
			fmt.Fprintf(d, `<circle class="%s" cx="%.1f" cy="%.1f" r="5" fill-opacity="0.7"><title>%s, %s: %s, %s</title></circle>`+"\n",
				a.class(), x, y, escape(g.name()), escape(a.Name), interval(a.Success), number(cost(a)))
		}
	}
	return d.end()
}

// driftChart draws how many of a hundred trials had a malformed call, or a repair,
// of each code.
func (r Report) driftChart(groups []Group) string {
	const most = 8
	total := make(map[string]int)
	repair := make(map[string]bool)
	for _, g := range groups {
		for _, a := range g.Arms {
			for code, n := range a.Malformed {
				total[code] += n
			}
			for code, n := range a.Repaired {
				total[code] += n
				repair[code] = true
			}
		}
	}
	if len(total) == 0 {
		return ""
	}
	codes := slices.Sorted(maps.Keys(total))
	slices.SortStableFunc(codes, func(a, b string) int { return total[b] - total[a] })
	codes = codes[:min(len(codes), most)]
	rows, height := rowsOf(groups)
	const slant = 78
	height += slant
	d := begin("Drift: malformed and repaired calls in a hundred trials", "A table of codes and arms.", height,
		[][2]string{{"heat", "malformed, by code"}, {"repair", "repaired, by name"}}, chartNotice(groups))
	column := (chartWidth - labelWidth - 30) / most
	for i, code := range codes {
		x := labelWidth + i*column + column/2
		fmt.Fprintf(d, `<text transform="translate(%d %d) rotate(-35)">%s</text>`+"\n", x-6, headHeight+slant-8, escape(code))
	}
	for _, row := range rows {
		row.y += slant
		d.label(row)
		if row.arm == nil || row.arm.Trials == 0 {
			continue
		}
		for i, code := range codes {
			class, n := "heat", row.arm.Malformed[code]
			if repair[code] && n == 0 {
				class, n = "repair", row.arm.Repaired[code]
			}
			if n == 0 {
				continue
			}
			rate := 100 * float64(n) / float64(row.arm.Trials)
			x := labelWidth + i*column
			fmt.Fprintf(d, `<rect class="%s" x="%d" y="%d" width="%d" height="18" rx="3" fill-opacity="%.2f"/>`, class, x, row.y-9, column-6, 0.15+0.35*min(rate/100, 1))
			fmt.Fprintf(d, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", x+(column-6)/2, row.y+4, number(rate))
		}
	}
	return d.end()
}

// nice returns the next number that four steps divide well.
func nice(v float64) float64 {
	if v <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10} {
		if v <= m*unit {
			return m * unit
		}
	}
	return 10 * unit
}

// number writes three digits.
func number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// escape returns text as it stands in XML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}
