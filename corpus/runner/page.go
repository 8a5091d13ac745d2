package runner

import (
	"io"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner/markup"
)

// WriteHTML writes the report as one page, which needs no other file, no network
// and no script: the badge, the matrix of rules and levels, and the failures by
// cause.
func (r *Report) WriteHTML(out io.Writer) error {
	var badge strings.Builder
	if err := r.WriteBadge(&badge); err != nil {
		return err
	}
	var p markup.Page
	p.Put(pageHead, r.Welcome.Name, r.Welcome.Version, r.outcome(), pageStyle, r.Welcome.Name, r.Welcome.Version, r.outcome(), markup.HTML(badge.String()))
	p.Put("<p>%d checks, %d answers. Format %s, cases of version %s, protocol %d; streaming: %s.", len(r.Results), r.Requests(), r.Welcome.Spec, corpus.Version, r.Welcome.Protocol, r.Streaming())
	if why := r.ended(); why != "" {
		p.Put(" %s.", why)
	}
	if r.Farewell != "" {
		p.Put(" At the end: %s.", r.Farewell)
	}
	p.Put("</p>\n")
	r.putFailures(&p)
	p.Put("<h2>Rules</h2>\n<table><tr><th>rule<th>core<th>extended</tr>\n")
	core, extended := r.rulesOf(corpus.Core), r.rulesOf(corpus.Extended)
	for _, t := range r.Rules() {
		p.Put("<tr><td><a href=\"%s\">%s</a>", corpus.RuleURL(t.Name), t.Name)
		putCell(&p, core[t.Name])
		putCell(&p, extended[t.Name])
		p.Put("</tr>\n")
	}
	p.Put("</table>\n</html>\n")
	_, err := p.WriteTo(out)
	return err
}

// putFailures writes the failures by cause.
func (r *Report) putFailures(p *markup.Page) {
	groups := r.groups()
	if len(groups) > 0 {
		p.Put("<h2>Failures</h2>\n")
	}
	for _, g := range groups {
		p.Put("<details open><summary><strong>%d</strong> %s</summary>\n", len(g.results), g.cause)
		for i, res := range g.results {
			if i == mostOfCause && !r.All {
				break
			}
			putFailure(p, res)
		}
		p.Put("</details>\n")
	}
}

// putFailure writes a failure, what was expected beside what came.
func putFailure(p *markup.Page, res *Result) {
	f := res.Failure
	p.Put("<h3>%s</h3>\n<p>%s ", res.Name(), res.Case.Note)
	for _, rule := range res.Case.Rules {
		p.Put("<a href=\"%s\">%s</a> ", corpus.RuleURL(rule), rule)
	}
	p.Put("</p>\n<p><strong>%s</strong>", f.What)
	for _, more := range f.More {
		p.Put("<br>%s", more)
	}
	p.Put("</p>\n<pre>%s</pre>\n<div class=\"two\"><div>expected<pre>%s</pre></div><div>got<pre>%s</pre></div></div>\n",
		quoteBytes(res.Case.Text), strings.Join(f.Want, "\n"), strings.Join(f.Got, "\n"))
}

// putCell writes a cell of the matrix, empty where nothing was judged.
func putCell(p *markup.Page, t Tally) {
	p.Put("<td class=\"%s\">", t.class())
	if n := t.Total(); n > 0 {
		p.Put("%d of %d", t.Count[Pass]+t.Count[KnownFailure], n)
	}
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

// class is how a cell of the matrix is colored.
func (t Tally) class() string {
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

const pageHead = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s %s: %s</title>
<style>
%s</style>
<h1>%s %s: %s</h1>
<p>%s</p>
`

const pageStyle markup.HTML = `body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse } td, th { padding: .15rem .6rem; border: 1px solid #ccc; text-align: left }
pre { background: #f5f5f3; padding: .5rem; overflow: auto; margin: .3rem 0 }
.pass { background: #d9efe0 } .fail { background: #f5d3d0 } .part { background: #f6ecc9 } .none { background: #f1f1f1 }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } pre { background: #262626 } td, th { border-color: #444 }
.pass { background: #1e4a2f } .fail { background: #5d2522 } .part { background: #55491c } .none { background: #242424 } a { color: #8ab4f8 } }
`
