package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
)

// kinds are the kinds of trials, with their titles.
var kinds = []struct{ kind, title string }{
	{live.KindLive, "Single messages"},
	{live.KindAgent, "Tasks in a world"},
}

// notice is what to know about scripted models, or "".
func (r Report) notice() string {
	const about = "programs of known quality that show and test the benchmark. They say nothing about real models."
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
	p.Picture("Success with 95 % intervals", chart)
	r.tables(&p, true)
	p.Heading("How to read this")
	for _, line := range legend {
		p.Text("%s", line)
	}
	return &p
}

var legend = []string{
	"Success: the calls mean what is wanted (strings except for case and whitespace, numbers by value, sets in any order), or there are none if no tool fits; for a task, the world ends as it should. Exact: the same byte for byte and digit for digit; for a task, without a call too many.",
	"Brackets are 95 % confidence intervals, by the bootstrap over cases; if all cases have the same outcome, the exact interval. Differences are on the same cases. A difference is significant if random swaps of the arms, case by case, rarely make one as large, at a level of 5 % for all arms of a model together (Holm); all others may be by chance.",
	"Tokens are those that the provider counts. Times are medians in milliseconds.",
}

// tables adds the tables of each kind.
func (r Report) tables(p *bench.Page, full bool) {
	for _, k := range kinds {
		groups := slices.DeleteFunc(slices.Clone(r.Groups), func(g Group) bool { return g.Kind != k.kind })
		if len(groups) == 0 {
			continue
		}
		p.Heading(k.title)
		p.Table(tableOf(groups, successColumns))
		for _, line := range findings(groups) {
			p.Text("%s", line)
		}
		if full {
			p.Table(tableOf(groups, tokenColumns))
			p.Details("Calls", tableOf(groups, callColumns))
			p.Details("Malformed and repaired calls", tableOf(groups, driftColumns))
			p.Details("Success by group of cases, and pass^k", tableOf(groups, groupColumns))
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

// tableOf returns a table with a row for each arm.
func tableOf(groups []Group, columns []column) bench.Table {
	t := bench.Table{Head: []string{"model, arm"}}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
	}
	for _, g := range groups {
		for _, a := range g.Arms {
			row := []string{g.name() + ", " + a.Name}
			for _, c := range columns {
				row = append(row, c.cell(a))
			}
			t.Row(row...)
		}
	}
	return t
}

func share(get func(Arm) float64) func(Arm) string {
	return func(a Arm) string { return fmt.Sprintf("%.1f %%", 100*get(a)) }
}

func decimal(format string, get func(Arm) float64) func(Arm) string {
	return func(a Arm) string { return fmt.Sprintf(format, get(a)) }
}

func interval(e Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*e.Mean, 100*e.Low, 100*e.High)
}

func tokens(e Estimate) string { return fmt.Sprintf("%.0f [%.0f, %.0f]", e.Mean, e.Low, e.High) }

func signed(d Difference, scale float64) string {
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", scale*d.Mean, scale*d.Low, scale*d.High)
}

// against is a cell about the difference to native calls.
func against(show func(*Versus) string) func(Arm) string {
	return func(a Arm) string {
		if a.Versus == nil {
			return ""
		}
		return show(a.Versus)
	}
}

var successColumns = []column{
	{"trials", func(a Arm) string {
		if a.Failures > 0 {
			return fmt.Sprintf("%d (+%d failed)", a.Trials, a.Failures)
		}
		return fmt.Sprint(a.Trials)
	}},
	{"success", func(a Arm) string { return interval(a.Success) }},
	{"exact", share(func(a Arm) float64 { return a.Exact.Mean })},
	{"against native", against(func(v *Versus) string {
		mark := ""
		if v.Significant {
			mark = " *"
		}
		return signed(v.Success, 100) + mark
	})},
}

var tokenColumns = []column{
	{"input tokens", func(a Arm) string { return tokens(a.Input) }},
	{"cached", decimal("%.0f", func(a Arm) float64 { return a.Cached })},
	{"against native", against(func(v *Versus) string { return signed(v.Input, 1) })},
	{"output tokens", func(a Arm) string { return tokens(a.Output) }},
	{"reasoning", decimal("%.0f", func(a Arm) float64 { return a.Reasoning })},
	{"against native", against(func(v *Versus) string { return signed(v.Output, 1) })},
	{"estimated", func(a Arm) string {
		if a.Estimated {
			return "yes"
		}
		return ""
	}},
	{"first byte", decimal("%.0f", func(a Arm) float64 { return a.FirstByte })},
	{"first call", decimal("%.0f", func(a Arm) float64 { return a.FirstCall })},
	{"total", decimal("%.0f", func(a Arm) float64 { return a.Total })},
}

var callColumns = []column{
	{"schema-valid", share(func(a Arm) float64 { return a.Valid.Mean })},
	{"precision", share(func(a Arm) float64 { return a.Precision })},
	{"recall", share(func(a Arm) float64 { return a.Recall })},
	{"messages", decimal("%.1f", func(a Arm) float64 { return a.Steps })},
	{"calls", decimal("%.1f", func(a Arm) float64 { return a.Calls })},
	{"refused", decimal("%.1f", func(a Arm) float64 { return a.Failed })},
	{"most at once", func(a Arm) string { return fmt.Sprint(a.Widest) }},
	{"judged right", func(a Arm) string {
		if a.Judged == 0 {
			return ""
		}
		return fmt.Sprintf("%d of %d misses", a.JudgedRight, a.Judged)
	}},
}

var driftColumns = []column{
	{"malformed, by code", func(a Arm) string { return counts(a.Malformed) }},
	{"repaired, by name", func(a Arm) string { return counts(a.Repaired) }},
	{"other issues", func(a Arm) string { return counts(a.Issues) }},
}

var groupColumns = []column{
	{"groups", func(a Arm) string {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(a.Groups)) {
			all = append(all, name+" "+interval(a.Groups[name]))
		}
		return strings.Join(all, ", ")
	}},
	{"pass^1, pass^2, …", func(a Arm) string {
		var all []string
		for _, p := range a.Pass {
			all = append(all, fmt.Sprintf("%.1f %%", 100*p))
		}
		return strings.Join(all, ", ")
	}},
}

// counts lists codes with how often they occurred, the most frequent first.
func counts(codes map[string]int) string {
	names := bench.SortedKeys(codes)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, codes[name])
	}
	return strings.Join(names, ", ")
}

// findings are sentences about the differences, and about what cannot be known.
func findings(groups []Group) (lines []string) {
	var unclear, failed, judged []string
	for _, g := range groups {
		for _, a := range g.Arms {
			of := g.name() + ", " + a.Name
			if a.Failures > 0 {
				failed = append(failed, fmt.Sprintf("%s (%d)", of, a.Failures))
			}
			if a.Judged > 0 {
				judged = append(judged, fmt.Sprintf("%d of %d of %s", a.JudgedRight, a.Judged, of))
			}
			if v := a.Versus; v != nil && v.Significant {
				lines = append(lines, fmt.Sprintf("%s differs from native calls on %d cases by %+.1f points, p = %.3f.",
					of, v.Cases, 100*v.Success.Mean, v.Success.P))
			} else if v != nil {
				unclear = append(unclear, of)
			}
		}
	}
	for _, x := range []struct {
		prefix string
		of     []string
	}{
		{"Not significantly different from native calls, which does not prove that they are alike: ", unclear},
		{"Misses that a judge found right, which still count as misses: ", judged},
		{"Trials without an outcome, because the endpoint could not answer, don't count: ", failed},
	} {
		if x.of != nil {
			lines = append(lines, x.prefix+strings.Join(x.of, "; ")+".")
		}
	}
	return lines
}
