package runner

import (
	"html/template"
	"io"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// WriteHTML writes the report as one page, which needs no other file, no network
// and no script: the badge, the matrix of rules and levels, and the failures by
// cause.
func (r *Report) WriteHTML(out io.Writer) error {
	var badge strings.Builder
	if err := r.WriteBadge(&badge); err != nil {
		return err
	}
	type failure struct {
		Name, Note, What string
		More             []string
		Text             string
		Want, Got        []string
		Rules            []string
	}
	type cause struct {
		Cause    string
		Checks   int
		Failures []failure
	}
	type row struct {
		Rule           string
		Core, Extended Tally
	}
	data := struct {
		*Report
		Corpus  string
		Outcome string
		Badge   template.HTML
		Causes  []cause
		Rows    []row
	}{Report: r, Corpus: corpus.Version, Outcome: r.outcome(), Badge: template.HTML(badge.String())}
	for _, g := range r.groups() {
		c := cause{Cause: g.cause, Checks: len(g.results)}
		for _, res := range g.results {
			f := res.Failure
			c.Failures = append(c.Failures, failure{
				Name: res.Name(), Note: res.Case.Note, What: f.What, More: f.More, Rules: res.Case.Rules,
				Text: quoteBytes(res.Case.Text), Want: f.Want, Got: f.Got,
			})
			if len(c.Failures) == mostOfCause && !r.All {
				break
			}
		}
		data.Causes = append(data.Causes, c)
	}
	core, extended := r.rulesOf(corpus.Core), r.rulesOf(corpus.Extended)
	for _, t := range r.Rules() {
		data.Rows = append(data.Rows, row{t.Name, core[t.Name], extended[t.Name]})
	}
	return page.Execute(out, data)
}

// rulesOf counts by rule, at one level.
func (r *Report) rulesOf(level string) map[string]Tally {
	some := &Report{}
	for _, res := range r.Results {
		if res.Case.Level == level {
			some.Results = append(some.Results, res)
		}
	}
	all := map[string]Tally{}
	for _, t := range some.Rules() {
		all[t.Name] = t
	}
	return all
}

// Class is how a cell of the matrix is colored.
func (t Tally) Class() string {
	switch n := t.Total(); {
	case n == 0:
		return "none"
	case t.Count[Fail]+t.Count[UnexpectedPass] > 0:
		return "fail"
	case t.Count[Pass]+t.Count[KnownFailure] == n:
		return "pass"
	}
	return "part"
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"url":    func(rule string) string { return corpus.RuleURL(rule) },
	"passes": func(t Tally) int { return t.Count[Pass] + t.Count[KnownFailure] },
	"join":   func(lines []string) string { return strings.Join(lines, "\n") },
}).Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Welcome.Name}} {{.Welcome.Version}}: {{.Outcome}}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse } td, th { padding: .15rem .6rem; border: 1px solid #ccc; text-align: left }
pre { background: #f5f5f3; padding: .5rem; overflow: auto; margin: .3rem 0 }
.pass { background: #d9efe0 } .fail { background: #f5d3d0 } .part { background: #f6ecc9 } .none { background: #f1f1f1 }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } pre { background: #262626 } td, th { border-color: #444 }
.pass { background: #1e4a2f } .fail { background: #5d2522 } .part { background: #55491c } .none { background: #242424 } a { color: #8ab4f8 } }
</style>
<h1>{{.Welcome.Name}} {{.Welcome.Version}}: {{.Outcome}}</h1>
<p>{{.Badge}}</p>
<p>{{len .Results}} checks, {{.Requests}} answers. Format {{.Welcome.Spec}}, cases of version {{.Corpus}}, protocol {{.Welcome.Protocol}}; streaming: {{.Streaming}}.{{with .Farewell}} At the end: {{.}}.{{end}}</p>
{{if .Causes}}<h2>Failures</h2>
{{range .Causes}}<details open><summary><strong>{{.Checks}}</strong> {{.Cause}}</summary>
{{range .Failures}}<h3>{{.Name}}</h3>
<p>{{.Note}} {{range .Rules}}<a href="{{url .}}">{{.}}</a> {{end}}</p>
<p><strong>{{.What}}</strong>{{range .More}}<br>{{.}}{{end}}</p>
<pre>{{.Text}}</pre>
<div class="two"><div>expected<pre>{{join .Want}}</pre></div><div>got<pre>{{join .Got}}</pre></div></div>
{{end}}</details>
{{end}}{{end}}<h2>Rules</h2>
<table><tr><th>rule<th>core<th>extended</tr>
{{range .Rows}}<tr><td><a href="{{url .Rule}}">{{.Rule}}</a><td class="{{.Core.Class}}">{{if .Core.Total}}{{passes .Core}} of {{.Core.Total}}{{end}}<td class="{{.Extended.Class}}">{{if .Extended.Total}}{{passes .Extended}} of {{.Extended.Total}}{{end}}</tr>
{{end}}</table>
</html>
`))
