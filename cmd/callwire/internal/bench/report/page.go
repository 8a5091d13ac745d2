package report

import (
	_ "embed" // of the templates
	"fmt"
	"maps"
	"slices"
	"text/template"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

var (
	//go:embed report.tmpl
	pageText string
	//go:embed chart.tmpl
	chartText string
)

// notice is what to know about scripted models.
const notice = "Models with scripted in their names are programs of known quality that show and " +
	"test the benchmark. They say nothing about real models."

// Of returns the groups of one kind of trial.
func (r Report) Of(kind string) []Group {
	isOther := func(g Group) bool { return g.Kind != kind }
	return slices.DeleteFunc(slices.Clone(r.Groups), isOther)
}

// Page is the whole report as Markdown, with the chart in a file of that name; or, if it has no
// name, what a terminal shows, as text.
func (r Report) Page(chart string) string {
	return bench.Page(pageText, map[string]any{
		"Report": r, "Chart": chart, "Notice": notice,
		"Kinds": []string{live.KindLive, live.KindAgent},
	}, funcs, chart != "")
}

// IsDifferent reports whether the success differs from that of native calls.
func (a Arm) IsDifferent() bool { return a.Versus != nil && a.Versus.Success.isDifferent() }

var funcs = template.FuncMap{
	"hundred": func(share float64) float64 { return 100 * share },
	"percent": func(e Estimate) string { return e.format("%.1f %% [%.1f, %.1f]", 100) },
	"plain":   func(e Estimate) string { return e.format("%.0f [%.0f, %.0f]", 1) },
	"against": func(scale float64, e Estimate) string {
		text := e.format("%+.1f [%+.1f, %+.1f]", scale)
		if e.isDifferent() {
			text += " *"
		}
		return text
	},
}

// format formats the mean and the interval; "" if there are no cases.
func (e Estimate) format(format string, scale float64) string {
	if e.N == 0 {
		return ""
	}
	return fmt.Sprintf(format, scale*e.Mean, scale*e.Low, scale*e.High)
}

// Chart draws success with its intervals as SVG: of single messages, or of tasks if there are none.
func (r Report) Chart() string {
	const rowHeight, headHeight = 22, 62 // in pixels
	groups := r.Of(live.KindLive)
	if len(groups) == 0 {
		groups = r.Groups
	}
	bottom := headHeight
	for _, g := range groups {
		bottom += rowHeight*(len(g.Arms)+1) + rowHeight/3
	}
	y := headHeight - rowHeight/2 + 4
	positions := template.FuncMap{
		"down": func() int { y += rowHeight; return y },
		"skip": func() string { y += rowHeight / 3; return "" },
		"at":   func(share float64) string { return fmt.Sprintf("%.1f", 250+share*400) },
		"add":  func(n int) int { return bottom + n },
	}
	maps.Copy(positions, funcs)
	return bench.Execute(chartText, map[string]any{
		"Report": r, "Groups": groups, "Notice": notice,
	}, positions)
}
