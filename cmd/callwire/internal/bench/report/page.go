package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

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

// column is a column of a table. A cell is a template for an Arm.
type column struct{ head, cell string }

var successColumns = []column{
	{"trials", `{{.Trials}}`},
	{"failed", `{{with .Failures}}{{.}}{{end}}`},
	{"success", `{{percent .Success}}`},
	{"exact", `{{share .Exact.Mean}}`},
	{"against native", `{{with .Versus}}{{against 100 .Success}}{{end}}`},
	{"judged right", `{{with .Judged}}{{$.JudgedRight}} of {{.}} misses{{end}}`},
}

var tokenColumns = []column{
	{"input tokens", `{{plain .Input}}`},
	{"cached", `{{with .Cached}}{{printf "%.0f" .}}{{end}}`},
	{"against native", `{{with .Versus}}{{against 1 .Input}}{{end}}`},
	{"output tokens", `{{plain .Output}}`},
	{"reasoning", `{{with .Reasoning}}{{printf "%.0f" .}}{{end}}`},
	{"against native", `{{with .Versus}}{{against 1 .Output}}{{end}}`},
	{"estimated", `{{if .Estimated}}yes{{end}}`},
	{"time", `{{with .Total}}{{printf "%.0f" .}}{{end}}`},
}

var callColumns = []column{
	{"schema-valid", `{{percent .Valid}}`},
	{"messages", `{{with .Steps}}{{printf "%.1f" .}}{{end}}`},
	{"calls", `{{with .Calls}}{{printf "%.1f" .}}{{end}}`},
	{"refused", `{{with .Failed}}{{printf "%.1f" .}}{{end}}`},
	{"success by group", `{{range $name, $e := .Groups}}, {{$name}} {{percent $e}}{{end}}`},
	{"malformed, by code", `{{counts .Malformed}}`},
	{"repaired, by name", `{{counts .Repaired}}`},
	{"other issues", `{{counts .Issues}}`},
}

// tableOf returns a table with a row for each arm. Empty columns are omitted.
func tableOf(groups []Group, columns []column) bench.Table {
	t := bench.Table{Head: []string{"model, arm"}}
	for _, g := range groups {
		for _, a := range g.Arms {
			t.Rows = append(t.Rows, []string{g.name() + ", " + a.Name})
		}
	}
	for _, c := range columns {
		cell := template.Must(template.New(c.head).Funcs(cellFuncs).Parse(c.cell))
		var cells []string
		for _, g := range groups {
			for _, a := range g.Arms {
				var b strings.Builder
				if err := cell.Execute(&b, a); err != nil {
					panic(err) // the template fits the type
				}
				cells = append(cells, strings.TrimPrefix(b.String(), ", "))
			}
		}
		if strings.Join(cells, "") == "" {
			continue
		}
		t.Head = append(t.Head, c.head)
		for i, text := range cells {
			t.Rows[i] = append(t.Rows[i], text)
		}
	}
	return t
}

var cellFuncs = template.FuncMap{
	"share":   func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
	"plain":   func(e Estimate) string { return e.format("%.0f [%.0f, %.0f]", 1) },
	"percent": percent,
	"against": func(scale float64, e Estimate) string {
		text := e.format("%+.1f [%+.1f, %+.1f]", scale)
		if e.isDifferent() {
			text += " *"
		}
		return text
	},
	// The most frequent one comes first.
	"counts": func(n map[string]int) string {
		names := slices.SortedFunc(maps.Keys(n), func(x, y string) int {
			return cmp.Or(cmp.Compare(n[y], n[x]), cmp.Compare(x, y))
		})
		for i, name := range names {
			names[i] = fmt.Sprintf("%s %d", name, n[name])
		}
		return strings.Join(names, ", ")
	},
}

func (e Estimate) format(format string, scale float64) string {
	return fmt.Sprintf(format, scale*e.Mean, scale*e.Low, scale*e.High)
}

func percent(e Estimate) string { return e.format("%.1f %% [%.1f, %.1f]", 100) }
