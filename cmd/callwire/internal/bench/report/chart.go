package report

import (
	"bytes"
	_ "embed" // of the chart
	"fmt"
	"strings"
	"text/template"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

//go:embed chart.svg
var chartText string

// Sizes in the chart, in pixels.
const (
	rowHeight  = 22
	headHeight = 62
	footHeight = 46
	plotStart  = 250
	plotWidth  = 400
)

// chart is what the template shows.
type chart struct {
	Height, Bottom, Scale, Note int
	Description, Notice         string
	Rows                        []chartRow
}

// chartRow is the name of a model, or an arm of it.
type chartRow struct {
	Y                int
	Model, Arm       string
	Class            string
	Low, Mean, High  string
	Success, IsOther string // IsOther marks a difference to native calls
}

// Chart draws success with its intervals as SVG: of single messages, or of tasks if there are none.
func (r Report) Chart() []byte {
	groups := r.of(live.KindLive)
	if len(groups) == 0 {
		groups = r.Groups
	}
	c := chart{Notice: r.notice()}
	var words []string
	y := headHeight + rowHeight/2 + 4
	for _, g := range groups {
		c.Rows = append(c.Rows, chartRow{Y: y, Model: g.name()})
		for _, a := range g.Arms {
			y += rowHeight
			c.Rows = append(c.Rows, a.row(y))
			words = append(words, fmt.Sprintf("%s, %s: %s", g.name(), a.Name, percent(a.Success)))
		}
		y += rowHeight + rowHeight/3
	}
	c.Description = strings.Join(words, "; ")
	c.Bottom = y - rowHeight/2 - 4
	c.Scale, c.Height = c.Bottom+16, c.Bottom+footHeight
	c.Note = c.Height - 12
	var b bytes.Buffer
	err := template.Must(template.New("chart").Parse(chartText)).Execute(&b, c)
	if err != nil {
		panic(err) // the template fits the type
	}
	return b.Bytes()
}

// row returns the row of an arm.
func (a Arm) row(y int) chartRow {
	row := chartRow{Y: y, Arm: a.Name, Class: "text"}
	if a.Mode == "native" {
		row.Class = "native"
	}
	if a.Trials == 0 {
		return row
	}
	at := func(share float64) string { return fmt.Sprintf("%.1f", plotStart+share*plotWidth) }
	row.Low, row.Mean, row.High = at(a.Success.Low), at(a.Success.Mean), at(a.Success.High)
	row.Success = percent(a.Success)
	if a.Versus != nil && a.Versus.Success.isDifferent() {
		row.IsOther = " *"
	}
	return row
}
