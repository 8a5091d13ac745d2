package report

import (
	"html/template"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

// WriteHTML writes the report as one page that needs nothing else.
func (r Report) WriteHTML(w io.Writer) error {
	type table struct {
		Title string
		page.Table
	}
	type section struct {
		Title    string
		Findings []string
		Charts   []template.HTML
		Success  page.Table
		Tables   []table
	}
	var sections []section
	for _, k := range kinds {
		groups := r.of(k.kind)
		if len(groups) == 0 {
			continue
		}
		s := section{Title: k.title, Findings: findings(groups), Success: successTable(groups)}
		for _, svg := range []string{r.successChart(groups), r.tokenChart(groups), r.costChart(groups), r.driftChart(groups)} {
			if svg != "" {
				s.Charts = append(s.Charts, template.HTML(svg)) // every text in it is escaped
			}
		}
		for _, t := range []func([]Group) (string, page.Table){callTable, groupTable, driftTable, costTable, passTable} {
			if title, rows := t(groups); len(rows.Rows) > 0 {
				s.Tables = append(s.Tables, table{title, rows})
			}
		}
		sections = append(sections, s)
	}
	return htmlPage.Execute(w, map[string]any{
		"Notice": r.Notice(), "Sections": sections, "Legend": legend, "Style": template.CSS(Style),
	})
}

var htmlPage = template.Must(template.New("report").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Calls of tools, measured on models</title>
<style>
  :root { --text: #1d1d1b; --soft: #52514e; --page: #ffffff; --line: #d9d8d0; --note: #fff4d6; --noteline: #9a6b00 }
  @media (prefers-color-scheme: dark) {
    :root { --text: #ecebe4; --soft: #c3c2b7; --page: #121211; --line: #3a3a37; --note: #33290f; --noteline: #e0b44c }
  }
  body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 58rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
  h1 { font-size: 1.6rem; line-height: 1.2 } h2 { margin-top: 2.5rem; font-size: 1.25rem }
  .notice { padding: .75rem 1rem; background: var(--note); border-left: 4px solid var(--noteline) }
  svg { display: block; width: 100%; height: auto; margin: 1rem 0 }
  .wide { overflow-x: auto }
  table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
  th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
  th:first-child, td:first-child { text-align: left } th { color: var(--soft); font-weight: 600 }
  details { margin: .75rem 0 } summary { cursor: pointer }
  .legend { color: var(--soft); font-size: .9rem }
{{.Style}}
</style>
</head>
<body>
<h1>Calls of tools, measured on models</h1>
{{with .Notice}}<p class="notice"><strong>{{.}}</strong></p>{{end}}
{{define "table"}}<div class="wide" tabindex="0" role="region" aria-label="table"><table><thead><tr>{{range .Head}}<th scope="col">{{.}}</th>{{end}}</tr></thead>
<tbody>{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table></div>{{end}}
{{range .Sections}}<h2>{{.Title}}</h2>
{{range .Findings}}<p>{{.}}</p>
{{end}}{{range .Charts}}{{.}}{{end}}
{{template "table" .Success}}
{{range .Tables}}<details><summary>{{.Title}}</summary>{{template "table" .Table}}</details>
{{end}}{{else}}<p>There is no trial in these runs.</p>{{end}}
<h2>How to read this</h2>
<div class="legend">{{range .Legend}}<p>{{.}}</p>{{end}}</div>
</body>
</html>
`))
