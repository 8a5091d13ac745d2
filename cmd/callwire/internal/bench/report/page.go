package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/stat"
)

// kinds are the kinds of benchmarks, with their titles.
var kinds = []struct{ kind, title string }{
	{record.Live, "Single messages"},
	{record.Agent, "Tasks in a world"},
}

// Notice says whose figures these are, where that could be mistaken.
func (r Report) Notice() string {
	switch {
	case r.Scripted && r.Real:
		return "Models with the word scripted in their names are none: they are programs that play a known quality, to show and to test the benchmark. Their figures say nothing about real ones."
	case r.Scripted:
		return "These are figures of scripted models: programs that play a known quality, to show and to test the benchmark. No model was asked, and nothing here says how well a real one does."
	}
	return ""
}

// Brief puts the report into few words, for a terminal.
func (r Report) Brief() *page.Page {
	var p page.Page
	for _, k := range kinds {
		if groups := r.of(k.kind); len(groups) > 0 {
			p.Heading(k.title)
			p.Table(successTable(groups))
			for _, line := range findings(groups) {
				p.Text("%s", line)
			}
		}
	}
	if notice := r.Notice(); notice != "" {
		p.Text("%s", notice)
	}
	return &p
}

// Page puts all of the report into words.
func (r Report) Page() *page.Page {
	var p page.Page
	p.Heading("Calls of tools, measured on models")
	if notice := r.Notice(); notice != "" {
		p.Text("%s", notice)
	}
	for _, k := range kinds {
		groups := r.of(k.kind)
		if len(groups) == 0 {
			continue
		}
		p.Heading(k.title)
		p.Table(successTable(groups))
		for _, line := range findings(groups) {
			p.Text("%s", line)
		}
		for _, t := range []func([]Group) (string, page.Table){callTable, groupTable, driftTable, costTable, passTable} {
			title, table := t(groups)
			if len(table.Rows) > 0 {
				p.Details(title, table)
			}
		}
	}
	p.Heading("How to read this")
	for _, line := range legend {
		p.Text("%s", line)
	}
	return &p
}

// legend says how the figures came about.
var legend = []string{
	"Success: the calls are those that were wanted, by value (strings but for case and white space, numbers by value, sets in any order; cases of BFCL as its checker compares), or none where no tool fits; of a task, the world is in the wanted state. Exact: byte for byte and digit for digit; of a task, without a call too many.",
	"Brackets are 95 % intervals, by the bootstrap over cases; where all cases have the same outcome, the exact interval of so many cases. Differences are on the same cases. One is called significant where swapping the arms case by case at random rarely makes one as large, at a level of 5 % for all arms of a model together (Holm); all others may be by chance.",
	"Tokens are those that the provider counts. Times are medians, in milliseconds, of whoever ran this from where they ran it.",
}

func (r Report) of(kind string) (groups []Group) {
	for _, g := range r.Groups {
		if g.Kind == kind {
			groups = append(groups, g)
		}
	}
	return groups
}

// name is the model's, with a mark where it is none, and with the endpoint where
// the name alone would not do.
func (g Group) name() string {
	name := g.Model
	if g.Scripted && !strings.Contains(g.Model, "scripted") {
		name += " (scripted)"
	}
	if g.shared {
		name += " at " + g.Endpoint
	}
	return name
}

// percent writes a share.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// interval writes an estimate of a share.
func interval(e stat.Estimate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*e.Mean, 100*e.Low, 100*e.High)
}

// each adds a row for each arm of each group, with the columns after model and
// arm.
func each(groups []Group, t *page.Table, columns func(Arm) []string) {
	for _, g := range groups {
		for _, a := range g.Arms {
			if cells := columns(a); cells != nil {
				t.Row(append([]string{g.name() + ", " + a.Name}, cells...)...)
			}
		}
	}
}

func successTable(groups []Group) page.Table {
	t := page.Table{Head: []string{"model, arm", "trials", "success", "exact", "against native", ""}}
	each(groups, &t, func(a Arm) []string {
		trials := fmt.Sprint(a.Trials)
		if a.Failures > 0 {
			trials += fmt.Sprintf(" (+%d failed)", a.Failures)
		}
		if a.Trials == 0 {
			return []string{trials}
		}
		row := []string{trials, interval(a.Success), percent(a.Exact.Mean)}
		if v := a.Versus; v != nil {
			row = append(row, fmt.Sprintf("%+.1f [%+.1f, %+.1f]", 100*v.Success.Mean, 100*v.Success.Low, 100*v.Success.High), verdict(v))
		}
		return row
	})
	return t
}

func verdict(v *Versus) string {
	if v.Significant {
		return "significant"
	}
	return "not significant"
}

// findings says in sentences what is different from native calls, and what cannot
// be told.
func findings(groups []Group) []string {
	var lines, unclear, failed, judged []string
	for _, g := range groups {
		for _, a := range g.Arms {
			of := g.name() + ", " + a.Name
			if a.Failures > 0 {
				failed = append(failed, fmt.Sprintf("%s (%d)", of, a.Failures))
			}
			if a.Judged > 0 {
				judged = append(judged, fmt.Sprintf("%d of %d of %s", a.JudgedRight, a.Judged, of))
			}
			v := a.Versus
			switch {
			case v == nil:
			case v.Significant:
				word := "more"
				if v.Success.Mean < 0 {
					word = "less"
				}
				lines = append(lines, fmt.Sprintf("%s succeeds %s often than native calls on %d cases: %+.1f points, p %s.", of, word, v.Cases, 100*v.Success.Mean, pValue(v.Success.P)))
			default:
				unclear = append(unclear, of)
			}
		}
	}
	if unclear != nil {
		lines = append(lines, "Not significantly different from native calls, which is no proof that they are alike: "+strings.Join(unclear, "; ")+".")
	}
	if judged != nil {
		lines = append(lines, "Misses that a judge took for right, which count as misses all the same: "+strings.Join(judged, "; ")+".")
	}
	if failed != nil {
		lines = append(lines, "Trials without an outcome, because the endpoint could not answer, count neither way: "+strings.Join(failed, "; ")+".")
	}
	return lines
}

// pValue writes a probability after its letter.
func pValue(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}

func callTable(groups []Group) (string, page.Table) {
	t := page.Table{Head: []string{"model, arm", "schema-valid", "precision", "recall", "F1", "messages", "calls", "calls refused", "most at once", "judged right"}}
	each(groups, &t, func(a Arm) []string {
		if a.Trials == 0 {
			return nil
		}
		judged := ""
		if a.Judged > 0 {
			judged = fmt.Sprintf("%d of %d misses", a.JudgedRight, a.Judged)
		}
		return []string{percent(a.Valid.Mean), percent(a.Precision), percent(a.Recall), percent(a.F1),
			fmt.Sprintf("%.1f", a.Steps), fmt.Sprintf("%.1f", a.Calls), fmt.Sprintf("%.1f", a.Failed), fmt.Sprint(a.Widest), judged}
	})
	return "Calls: valid by schema, called where a call was wanted, and how many", t
}

func groupTable(groups []Group) (string, page.Table) {
	names := make(map[string]bool)
	for _, g := range groups {
		for _, a := range g.Arms {
			for name := range a.Groups {
				names[name] = true
			}
		}
	}
	if len(names) < 2 {
		return "", page.Table{}
	}
	sorted := slices.Sorted(maps.Keys(names))
	t := page.Table{Head: append([]string{"model, arm"}, sorted...)}
	each(groups, &t, func(a Arm) (cells []string) {
		for _, name := range sorted {
			if e, ok := a.Groups[name]; ok {
				cells = append(cells, interval(e))
			} else {
				cells = append(cells, "")
			}
		}
		return cells
	})
	return "Success by kind of case", t
}

func driftTable(groups []Group) (string, page.Table) {
	t := page.Table{Head: []string{"model, arm", "malformed, by code", "repaired, by name", "other issues"}}
	each(groups, &t, func(a Arm) []string {
		if len(a.Malformed)+len(a.Repaired)+len(a.Issues) == 0 {
			return nil
		}
		return []string{counts(a.Malformed), counts(a.Repaired), counts(a.Issues)}
	})
	return "Drift: malformed, repaired, noted", t
}

// counts writes how often each code was, the most frequent first.
func counts(codes map[string]int) string {
	names := slices.Sorted(maps.Keys(codes))
	slices.SortStableFunc(names, func(a, b string) int { return codes[b] - codes[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, codes[name])
	}
	return strings.Join(names, ", ")
}

func costTable(groups []Group) (string, page.Table) {
	t := page.Table{Head: []string{"model, arm", "input", "of it cached", "output", "of it reasoning", "output against native", "cost of 1000", "first byte", "first call", "total", "95 %"}}
	each(groups, &t, func(a Arm) []string {
		if a.Trials == 0 {
			return nil
		}
		cost, against, mark := "", "", ""
		if a.Cost != nil {
			cost = fmt.Sprintf("%.3f", 1000*a.Cost.Mean)
		}
		if v := a.Versus; v != nil {
			against = fmt.Sprintf("%+.1f [%+.1f, %+.1f]", v.Output.Mean, v.Output.Low, v.Output.High)
		}
		if a.Estimated {
			mark = " (estimated)"
		}
		return []string{fmt.Sprintf("%.0f%s", a.Input.Mean, mark), fmt.Sprintf("%.0f", a.Cached), fmt.Sprintf("%.1f", a.Output.Mean), fmt.Sprintf("%.1f", a.Reasoning),
			against, cost, fmt.Sprintf("%.0f", a.FirstByte), fmt.Sprintf("%.0f", a.FirstCall), fmt.Sprintf("%.0f", a.Total), fmt.Sprintf("%.0f", a.Slowest)}
	})
	return "Tokens, cost and times of a trial", t
}

func passTable(groups []Group) (string, page.Table) {
	most := 0
	for _, g := range groups {
		for _, a := range g.Arms {
			most = max(most, len(a.Pass))
		}
	}
	if most < 2 {
		return "", page.Table{}
	}
	shown := []int{1}
	for k := 2; k <= most; k *= 2 {
		shown = append(shown, k)
	}
	t := page.Table{Head: []string{"model, arm"}}
	for _, k := range shown {
		t.Head = append(t.Head, fmt.Sprintf("pass^%d", k))
	}
	each(groups, &t, func(a Arm) (cells []string) {
		for _, k := range shown {
			if k <= len(a.Pass) {
				cells = append(cells, percent(a.Pass[k-1]))
			}
		}
		return cells
	})
	return "How likely so many repetitions of a case all succeed", t
}
