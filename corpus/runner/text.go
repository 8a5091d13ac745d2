package runner

import (
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/callwire/callwire/corpus"
)

//go:embed report.tmpl
var reportTemplate string

var reports = template.Must(template.New("").Funcs(template.FuncMap{
	"plain": plain, "code": code, "cell": cell, "indented": indented, "table": tallyTable,
	"url": corpus.RuleURL, "version": func() string { return corpus.Version },
	"outcome": (*Report).outcome, "ended": (*Report).ended,
	"failure": newShownFailure, "rulesOf": rulesOf, "xml": inXML,
	"seconds":    func(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) },
	"rounded":    func(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) },
	"mostOfKind": func() int { return mostOfKind },
}).Parse(reportTemplate))

// A page is a report that is written.
type page struct{ *Report }

// WriteText writes the report for a terminal.
func (r *Report) WriteText(out io.Writer) error {
	return reports.ExecuteTemplate(out, "text", page{r})
}

// WriteMarkdown writes the report as Markdown.
func (r *Report) WriteMarkdown(out io.Writer) error {
	return reports.ExecuteTemplate(out, "markdown", page{r})
}

// WriteJUnit writes the report in the form that build servers read.
func (r *Report) WriteJUnit(out io.Writer) error {
	return reports.ExecuteTemplate(out, "junit", page{r})
}

// Failed counts the checks that fail.
func (p page) Failed() int { return p.Count()[Fail] }

// Statuses counts the results by what build servers call them.
func (p page) Statuses() map[string]int {
	n := p.Count()
	all := map[string]int{
		"tests": len(p.Results), "failures": n[Fail] + n[UnexpectedPass], "errors": n[NotRun],
		"skipped": n[Skipped] + n[KnownFailure],
	}
	if p.Farewell != "" {
		all["tests"]++
		all["failures"]++
	}
	return all
}

// Details returns a failure as the report in Markdown has it.
func (p page) Details(res *Result) (string, error) {
	var b strings.Builder
	err := reports.ExecuteTemplate(&b, "failure", newShownFailure(res, p.All))
	if err == nil {
		err = reports.ExecuteTemplate(&b, "links", res.Case.Rules)
	}
	return strings.TrimSpace(b.String()), err
}

// inXML returns text for an attribute or an element.
func inXML(text string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

// tallyTable returns an aligned table of counts, or nothing without any.
func tallyTable(head string, tallies []Tally) string {
	if len(tallies) == 0 {
		return ""
	}
	const row = "| %-31v | %4v | %4v | %4v | %13v | %15v | %7v |\n"
	var b strings.Builder
	fmt.Fprintf(&b, "\n"+row, head,
		"pass", "fail", "skip", "known failure", "unexpected pass", "not run")
	b.WriteString("|" + strings.Repeat("-", 33) + "|-----:|-----:|-----:|" +
		"--------------:|----------------:|--------:|\n")
	for _, t := range tallies {
		name := t.Name
		if strings.Contains(name, ".") {
			name = "[" + name + "]" // a rule, which is a link
		}
		n := t.Count
		fmt.Fprintf(&b, row, name, n[Pass], n[Fail], n[Skipped], n[KnownFailure],
			n[UnexpectedPass], n[NotRun])
	}
	return b.String()
}

// Failing returns the rules with failures.
func (p page) Failing() []Tally {
	return slices.DeleteFunc(p.Rules(), func(t Tally) bool { return t.failures() == 0 })
}

// RuleCounts returns how many rules pass, pass with skipped checks, fail, or have checks
// that were not run.
func (p page) RuleCounts() string {
	pass, skips, fail, notRun := 0, 0, 0, 0
	for _, t := range p.Rules() {
		switch {
		case t.failures() > 0:
			fail++
		case t.Count[NotRun] > 0:
			notRun++
		case t.Count[Skipped]+t.Count[KnownFailure] > 0:
			skips++
		default:
			pass++
		}
	}
	counts := fmt.Sprintf("Rules: %d pass, %d pass with skips, %d fail", pass, skips, fail)
	if notRun > 0 {
		counts += fmt.Sprintf(", %d not run", notRun)
	}
	return counts + "."
}

// ended returns how many checks were not run and why, or "".
func (r *Report) ended() string {
	n := r.Count()[NotRun]
	why := "the implementation broke down again and again, and was given up"
	switch {
	case n == 0:
		return ""
	case r.Interrupted:
		why = "the run was interrupted"
	}
	return fmt.Sprintf("%d were not run: %s", n, why)
}

// outcome is the report in a few words.
func (r *Report) outcome() string {
	n := r.Count()
	bad, all := n[Fail]+n[UnexpectedPass], len(r.Results)
	switch {
	case bad > 0 && n[NotRun] > 0:
		return fmt.Sprintf("%d of %d fail, %d were not run", bad, all, n[NotRun])
	case bad > 0:
		return fmt.Sprintf("%d of %d fail", bad, all)
	case n[NotRun] > 0:
		return fmt.Sprintf("%d of %d were not run", n[NotRun], all)
	case n[Pass]+n[KnownFailure] == 0:
		return "nothing was judged"
	case r.Farewell != "":
		return "the end is wrong"
	}
	var levels []string
	for _, level := range []string{corpus.Core, corpus.Extended} {
		if r.Conforms(level) {
			levels = append(levels, level)
		}
	}
	if len(levels) > 0 && n[KnownFailure]+n[Skipped] == 0 {
		return "passes " + strings.Join(levels, " and ")
	}
	partial := fmt.Sprintf("partial: %d of %d pass", n[Pass], all)
	if n[Skipped] > 0 {
		partial += fmt.Sprintf(", %d skipped", n[Skipped])
	}
	if n[KnownFailure] > 0 {
		partial += fmt.Sprintf(", %d known failures", n[KnownFailure])
	}
	return partial
}

// How many failures are shown of one kind, and of all, without [Report.All].
const (
	mostOfKind = 3
	mostOfAll  = 20
)

// Shown returns the failures that the report shows.
func (p page) Shown() (all []*Result) {
	left := mostOfAll
	if p.MaxFailures > 0 {
		left = p.MaxFailures
	}
	for _, g := range p.Causes() {
		n := len(g.Results)
		if !p.All {
			n = min(n, mostOfKind, left)
		}
		all = append(all, g.Results[:n]...)
		left -= n
	}
	return all
}

// rulesOf returns the rules of failures, and those that fail, sorted.
func rulesOf(shown []*Result, failing ...[]Tally) (rules []string) {
	for _, res := range shown {
		rules = append(rules, res.Case.Rules...)
	}
	for _, t := range slices.Concat(failing...) {
		rules = append(rules, t.Name)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// A shownFailure is a failure as the report shows it.
type shownFailure struct {
	*Result
	*Failure
	Request, Chunks string
	Rows            []eventRow
	Before, After   int // rows that are hidden
}

// An eventRow compares what was expected with what came.
type eventRow struct{ Mark, Want, Got string }

// Of a long table of events mostRows are shown, from rowsBefore before the first
// difference.
const (
	mostRows   = 12
	rowsBefore = 2
)

// newShownFailure returns the failure of a result, with whole tables if all is set.
func newShownFailure(res *Result, all bool) *shownFailure {
	f := &shownFailure{Result: res, Failure: res.Failure}
	r := res.Case.Request()
	r.Seq = json.RawMessage("1")
	f.Request = excerpt(strings.TrimSpace(string(encode(r))), 2000)
	if len(f.Cuts) > 0 && res.Case.Repeat == nil {
		f.Chunks = chunksLine(res.Case.Text, f.Cuts)
	}
	chunks := slices.Contains(f.Got, chunkEnd) // these rows don't correspond
	first := -1
	for i := range max(len(f.Want), len(f.Got)) {
		row := eventRow{Want: at(f.Want, i), Got: at(f.Got, i)}
		if row.Want != row.Got && first < 0 {
			first = i
		}
		if row.Want != row.Got && !chunks {
			row.Mark = "≠"
		}
		f.Rows = append(f.Rows, row)
	}
	if n := len(f.Rows); !all && n > mostRows {
		f.Before = max(0, first-rowsBefore)
		to := min(n, f.Before+mostRows)
		f.Rows, f.After = f.Rows[f.Before:to], n-to
	}
	return f
}

// IsStream reports whether the failure is of a stream.
func (f *shownFailure) IsStream() bool { return f.Cuts != nil }

// Hidden returns the number of rows that are hidden.
func (f *shownFailure) Hidden() int { return f.Before + f.After }

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// CutsLine shows where the text is cut.
func (f *shownFailure) CutsLine() string {
	if len(f.Cuts) == 0 {
		return "none, the whole text is one chunk"
	}
	return excerpt(strings.Join(strings.Fields(fmt.Sprint(f.Cuts)), ", "), 300)
}

// chunksLine shows the chunks of a text.
func chunksLine(text []byte, cuts []int) string {
	var all []string
	start := 0
	for _, cut := range append(slices.Clone(cuts), len(text)) {
		all = append(all, quoteBytes(text[start:cut]))
		start = cut
	}
	return excerpt(strings.Join(all, " "), 1000)
}

// code returns text as code of Markdown.
func code(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	quote := "`"
	for strings.Contains(s, quote) {
		quote += "`"
	}
	if len(quote) > 1 {
		s = " " + s + " "
	}
	return quote + s + quote
}

// plain escapes foreign text for a line of Markdown.
func plain(text any) string { return escaped.Replace(fmt.Sprint(text)) }

var escaped = strings.NewReplacer("\\", `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`,
	"[", `\[`, "|", `\|`, "&", "&amp;", "<", "&lt;", "\n", " ", "\r", " ")

// indented returns foreign text as a code block.
var indented = strings.NewReplacer("\r\n", "\n    ", "\n", "\n    ", "\r", "\n    ").Replace

// cell returns code within a table.
func cell(s string) string {
	if s == "" {
		return ""
	}
	return code(strings.ReplaceAll(excerpt(s, 500), "|", `\|`))
}
