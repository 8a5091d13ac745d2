package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

// notice is what to know about scripted models, or "".
func (r Report) notice() string {
	const about = "programs of known quality that show and test the benchmark. " +
		"They say nothing about real models."
	switch {
	case r.Scripted && r.Real:
		return "Models with scripted in their names are " + about
	case r.Scripted:
		return "These are figures of scripted models: " + about
	}
	return ""
}

// Brief is the page for a terminal.
func (r Report) Brief() *bench.Page {
	var p bench.Page
	r.tables(&p, false)
	return &p
}

// Page is the whole report, with the chart in a file of that name.
func (r Report) Page(chart string) *bench.Page {
	var p bench.Page
	p.Heading("Tool calls of models")
	p.Text("![Success with 95 %% intervals](%s)", chart)
	r.tables(&p, true)
	p.Heading("How to read this")
	p.Text("Success: the calls mean what is wanted (strings except for case and whitespace, " +
		"numbers by value, sets in any order), or there are none if no tool fits; for a task, " +
		"the world ends as it should. Exact: the same byte for byte and digit for digit; for a " +
		"task, without a call too many.")
	p.Text("%s", "Brackets are 95 % confidence intervals, by the bootstrap over cases; they leave "+
		"room for rare cases if all have the same outcome. Differences are on the same cases. An "+
		"asterisk marks those whose interval excludes 0: one in twenty of these is by chance.")
	p.Text("Tokens are those that the provider counts. Times are medians in milliseconds.")
	return &p
}

var titles = map[string]string{live.KindLive: "Single messages", live.KindAgent: "Tasks in a world"}

// of returns the groups of a kind.
func (r Report) of(kind string) []Group {
	return slices.DeleteFunc(slices.Clone(r.Groups), func(g Group) bool { return g.Kind != kind })
}

// tables adds the tables of messages and of tasks.
func (r Report) tables(p *bench.Page, full bool) {
	for _, kind := range []string{live.KindLive, live.KindAgent} {
		groups := r.of(kind)
		if len(groups) == 0 {
			continue
		}
		p.Heading(titles[kind])
		p.Table(tableOf(groups, successColumns))
		if full {
			p.Table(tableOf(groups, tokenColumns))
			p.Details("Calls, malformed and repaired calls", tableOf(groups, callColumns))
		}
	}
	if notice := r.notice(); notice != "" {
		p.Text("%s", notice)
	}
}

// name is the model, marked if it is scripted, and with the endpoint if the name is not unique.
func (g Group) name() string {
	name := g.Model
	if g.Scripted && !strings.Contains(name, "scripted") {
		name += " (scripted)"
	}
	if g.isShared {
		name += " at " + g.Endpoint
	}
	return name
}

// column is a column of a table.
type column struct {
	head string
	cell func(Arm) string
}

// tableOf returns a table with a row for each arm. Empty columns are omitted.
func tableOf(groups []Group, columns []column) bench.Table {
	t := bench.Table{Head: []string{"model, arm"}}
	var shown []column
	for _, c := range columns {
		hasContent := slices.ContainsFunc(groups, func(g Group) bool {
			return slices.ContainsFunc(g.Arms, func(a Arm) bool { return c.cell(a) != "" })
		})
		if hasContent {
			shown = append(shown, c)
			t.Head = append(t.Head, c.head)
		}
	}
	for _, g := range groups {
		for _, a := range g.Arms {
			row := []string{g.name() + ", " + a.Name}
			for _, c := range shown {
				row = append(row, c.cell(a))
			}
			t.Row(row...)
		}
	}
	return t
}

// Cells.

func percent(e Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*e.Mean, 100*e.Low, 100*e.High)
}

func plain(e Estimate) string { return fmt.Sprintf("%.0f [%.0f, %.0f]", e.Mean, e.Low, e.High) }

// against is a cell for a difference to native calls.
func against(scale float64, get func(*Versus) Estimate) func(Arm) string {
	return func(a Arm) string {
		if a.Versus == nil {
			return ""
		}
		e := get(a.Versus)
		text := fmt.Sprintf("%+.1f [%+.1f, %+.1f]", scale*e.Mean, scale*e.Low, scale*e.High)
		if e.isDifferent() {
			text += " *"
		}
		return text
	}
}

// some is a number that is shown unless it is 0.
func some(format string, get func(Arm) float64) func(Arm) string {
	return func(a Arm) string {
		if get(a) == 0 {
			return ""
		}
		return fmt.Sprintf(format, get(a))
	}
}

// counts is a cell for codes with how often they occurred, the most frequent first.
func counts(get func(Arm) map[string]int) func(Arm) string {
	return func(a Arm) string {
		n := get(a)
		names := slices.SortedFunc(maps.Keys(n), func(x, y string) int {
			return cmp.Or(cmp.Compare(n[y], n[x]), cmp.Compare(x, y))
		})
		for i, name := range names {
			names[i] = fmt.Sprintf("%s %d", name, n[name])
		}
		return strings.Join(names, ", ")
	}
}

var successColumns = []column{
	{"trials", func(a Arm) string { return fmt.Sprint(a.Trials) }},
	{"failed", some("%.0f", func(a Arm) float64 { return float64(a.Failures) })},
	{"success", func(a Arm) string { return percent(a.Success) }},
	{"exact", func(a Arm) string { return fmt.Sprintf("%.1f %%", 100*a.Exact.Mean) }},
	{"against native", against(100, func(v *Versus) Estimate { return v.Success })},
	{"judged right", func(a Arm) string {
		if a.Judged == 0 {
			return ""
		}
		return fmt.Sprintf("%d of %d misses", a.JudgedRight, a.Judged)
	}},
}

var tokenColumns = []column{
	{"input tokens", func(a Arm) string { return plain(a.Input) }},
	{"cached", some("%.0f", func(a Arm) float64 { return a.Cached })},
	{"against native", against(1, func(v *Versus) Estimate { return v.Input })},
	{"output tokens", func(a Arm) string { return plain(a.Output) }},
	{"reasoning", some("%.0f", func(a Arm) float64 { return a.Reasoning })},
	{"against native", against(1, func(v *Versus) Estimate { return v.Output })},
	{"estimated", func(a Arm) string {
		if a.Estimated {
			return "yes"
		}
		return ""
	}},
	{"time", some("%.0f", func(a Arm) float64 { return a.Total })},
}

var callColumns = []column{
	{"schema-valid", func(a Arm) string { return percent(a.Valid) }},
	{"messages", some("%.1f", func(a Arm) float64 { return a.Steps })},
	{"calls", some("%.1f", func(a Arm) float64 { return a.Calls })},
	{"refused", some("%.1f", func(a Arm) float64 { return a.Failed })},
	{"success by group", func(a Arm) string {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(a.Groups)) {
			all = append(all, name+" "+percent(a.Groups[name]))
		}
		return strings.Join(all, ", ")
	}},
	{"malformed, by code", counts(func(a Arm) map[string]int { return a.Malformed })},
	{"repaired, by name", counts(func(a Arm) map[string]int { return a.Repaired })},
	{"other issues", counts(func(a Arm) map[string]int { return a.Issues })},
}
