package report

import (
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/markup"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
)

// WriteHTML writes the report as one page that needs nothing else.
func (r Report) WriteHTML(w io.Writer) error {
	var p markup.Page
	p.Put(htmlHead, htmlStyle, markup.HTML(Style))
	if notice := r.Notice(); notice != "" {
		p.Put("<p class=\"notice\"><strong>%s</strong></p>", notice)
	}
	p.Put("\n")
	some := false
	for _, k := range kinds {
		if groups := r.of(k.kind); len(groups) > 0 {
			r.putSection(&p, k.title, groups)
			some = true
		}
	}
	if !some {
		p.Put("<p>There is no trial in these runs.</p>\n")
	}
	p.Put("<h2>How to read this</h2>\n<div class=\"legend\">")
	for _, text := range legend {
		p.Put("<p>%s</p>", text)
	}
	p.Put("</div>\n</body>\n</html>\n")
	_, err := p.WriteTo(w)
	return err
}

// putSection writes what was found of one kind of task.
func (r Report) putSection(p *markup.Page, title string, groups []Group) {
	p.Put("<h2>%s</h2>\n", title)
	for _, f := range findings(groups) {
		p.Put("<p>%s</p>\n", f)
	}
	for _, svg := range []string{r.successChart(groups), r.tokenChart(groups), r.costChart(groups), r.driftChart(groups)} {
		p.Put("%s", markup.HTML(svg)) // every text in it is escaped
	}
	p.Put("\n")
	putTable(p, successTable(groups))
	p.Put("\n")
	for _, t := range []func([]Group) (string, page.Table){callTable, groupTable, driftTable, costTable, passTable} {
		if title, table := t(groups); len(table.Rows) > 0 {
			p.Put("<details><summary>%s</summary>", title)
			putTable(p, table)
			p.Put("</details>\n")
		}
	}
}

// putTable writes a table, which a narrow screen can scroll.
func putTable(p *markup.Page, t page.Table) {
	p.Put("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table><thead><tr>")
	for _, cell := range t.Head {
		p.Put("<th scope=\"col\">%s</th>", cell)
	}
	p.Put("</tr></thead>\n<tbody>")
	for _, row := range t.Rows {
		p.Put("<tr>")
		for _, cell := range row {
			p.Put("<td>%s</td>", cell)
		}
		p.Put("</tr>\n")
	}
	p.Put("</tbody></table></div>")
}

const htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Calls of tools, measured on models</title>
<style>
%s%s
</style>
</head>
<body>
<h1>Calls of tools, measured on models</h1>
`

const htmlStyle markup.HTML = `  :root { --text: #1d1d1b; --soft: #52514e; --page: #ffffff; --line: #d9d8d0; --note: #fff4d6; --noteline: #9a6b00 }
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
`
