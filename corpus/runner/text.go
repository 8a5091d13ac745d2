package runner

import (
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/table"
)

//go:embed report.tmpl
var reportTemplate string

// The reports as Markdown, and as text.
var (
	inMarkdown = reportTemplates(true, template.FuncMap{
		"heading": func(text string) string { return "## " + text },
		"strong":  func(text string) string { return "**" + plain(text) + "**" },
		"plain":   plain, "code": code, "rule": linked,
	})
	inText = reportTemplates(false, template.FuncMap{
		"heading": func(text string) string {
			return text + "\n" + strings.Repeat("-", utf8.RuneCountInString(text))
		},
		"strong": oneLine, "plain": oneLine, "code": oneLine, "rule": oneLine,
	})
)

// reportTemplates returns the reports with the functions of a form.
func reportTemplates(markdown bool, form template.FuncMap) *template.Template {
	t := template.New("").Funcs(form).Funcs(template.FuncMap{
		"indented": indented, "url": corpus.RuleURL, "rulesOf": rulesOf, "xml": inXML,
		"outcome": (*Report).outcome, "ended": (*Report).ended, "streaming": Streaming.words,
		"tallies": func(head string, all []Tally) string {
			return tallyTable(head, all, markdown)
		},
		"causes":     func(all []group) string { return causeTable(all, markdown) },
		"version":    func() string { return corpus.Version },
		"seconds":    func(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) },
		"rounded":    func(d time.Duration) time.Duration { return d.Round(time.Second / 10) },
		"mostOfKind": func() int { return mostOfKind },
	})
	return template.Must(t.Parse(reportTemplate))
}

// A page is a report that is written.
type page struct{ *Report }

// WriteText writes the report for a terminal.
func (r *Report) WriteText(out io.Writer) error {
	return inText.ExecuteTemplate(out, "text", page{r})
}

// WriteMarkdown writes the report as Markdown.
func (r *Report) WriteMarkdown(out io.Writer) error {
	return inMarkdown.ExecuteTemplate(out, "markdown", page{r})
}

// WriteJUnit writes the report in the form that build servers read.
func (r *Report) WriteJUnit(out io.Writer) error {
	return inText.ExecuteTemplate(out, "junit", page{r})
}

// Failed counts the checks that fail.
func (p page) Failed() int { return p.Count()[Fail] }

// Statuses counts the results by what build servers call them.
func (p page) Statuses() map[string]int {
	n := p.Count()
	farewell := min(len(p.Farewell), 1) // a test, which fails
	return map[string]int{
		"tests": len(p.Results) + farewell, "failures": n.failures() + farewell,
		"errors": n[NotRun], "skipped": n[Skipped] + n[KnownFailure],
	}
}

// Details returns a failure as the plain report has it.
func (p page) Details(res *Result) (string, error) {
	var b strings.Builder
	err := inText.ExecuteTemplate(&b, "failure", p.Show(res))
	return strings.TrimSpace(b.String()), err
}

// inXML returns text for an attribute or an element.
func inXML(text string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

// tallyTable returns a table of counts, or nothing without any.
func tallyTable(head string, tallies []Tally, markdown bool) string {
	if len(tallies) == 0 {
		return ""
	}
	rows := [][]string{{head}}
	for _, status := range statuses {
		rows[0] = append(rows[0], status.words())
	}
	for _, t := range tallies {
		row := []string{t.Name}
		if markdown && head == "rule" {
			row[0] = linked(t.Name)
		}
		for _, status := range statuses {
			row = append(row, strconv.Itoa(t.Count[status]))
		}
		rows = append(rows, row)
	}
	return "\n" + table.Align(rows, markdown, nil)
}

// causeTable returns a table of the causes of failures, or nothing without any.
func causeTable(causes []group, markdown bool) string {
	if len(causes) == 0 {
		return ""
	}
	text, name := oneLine, oneLine
	if markdown {
		text, name = plain, cell
	}
	rows := [][]string{{"probable cause", "checks", "the first"}}
	for _, c := range causes {
		rows = append(rows, []string{
			text(c.Key), strconv.Itoa(len(c.Results)), name(c.Results[0].Name()),
		})
	}
	return "\n" + table.Align(rows, markdown, nil)
}

// Failing returns the rules with failures.
func (p page) Failing() []Tally {
	return slices.DeleteFunc(p.Rules(), func(t Tally) bool { return t.failures() == 0 })
}

// RuleCounts returns how many rules pass, pass with skipped checks, fail, or have checks
// that were not run.
func (p page) RuleCounts() string {
	n := Count{}
	for _, t := range p.Rules() {
		switch {
		case t.failures() > 0:
			n[Fail]++
		case t.Count[NotRun] > 0:
			n[NotRun]++
		case t.Count[Skipped]+t.Count[KnownFailure] > 0:
			n[Skipped]++
		default:
			n[Pass]++
		}
	}
	text := fmt.Sprintf("Rules: %d pass, %d pass with skips, %d fail", n[Pass], n[Skipped], n[Fail])
	if n[NotRun] > 0 {
		text += fmt.Sprintf(", %d not run", n[NotRun])
	}
	return text + "."
}

// ended returns how many checks were not run and why, or "".
func (r *Report) ended() string {
	n := r.Count()[NotRun]
	why := "the implementation broke down again and again, and was given up"
	if r.Interrupted {
		why = "the run was interrupted"
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d were not run: %s", n, why)
}

// outcome is the report in a few words.
func (r *Report) outcome() string {
	n, all := r.Count(), len(r.Results)
	bad := n.failures()
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
	others := r.unselected()
	partial := fmt.Sprintf("partial: %d of %d pass, %d skipped", n[Pass], all+others, n[Skipped])
	if n[KnownFailure] > 0 {
		partial += fmt.Sprintf(", %d known failures", n[KnownFailure])
	}
	if others > 0 {
		partial += fmt.Sprintf(", %d not run", others)
	}
	return partial
}

// unselected counts the checks of the whole corpus that are not part of this run.
func (r *Report) unselected() int {
	names := map[string]bool{}
	for _, check := range allChecks() {
		names[check.Name()] = true
	}
	for i := range r.Results {
		delete(names, r.Results[i].Name())
	}
	return len(names)
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
	all bool // show the whole table
}

// Show returns the failure of a result.
func (p page) Show(res *Result) *shownFailure { return &shownFailure{res, res.Failure, p.All} }

// Request returns the request of the case.
func (f *shownFailure) Request() string {
	r := f.Case.Request()
	r.Seq = json.RawMessage("1")
	return excerpt(strings.TrimSpace(string(encode(r))), 2000)
}

// Of a long list of events mostRows are shown, from rowsBefore before the first difference.
const (
	mostRows   = 12
	rowsBefore = 2
)

// Difference compares what was expected with what came line by line, as a code block.
func (f *shownFailure) Difference() string {
	n, first := max(len(f.Want), len(f.Got)), 0
	for first < n-1 && at(f.Want, first) == at(f.Got, first) {
		first++
	}
	from, to := 0, n
	if n > mostRows && !f.all {
		from = max(0, first-rowsBefore)
		to = min(n, from+mostRows)
	}
	text := ""
	line := func(mark, event string) {
		if event != "" {
			text += "    " + mark + oneLine(excerpt(event, 500)) + "\n"
		}
	}
	for i := from; i < to; i++ {
		want, got := at(f.Want, i), at(f.Got, i)
		if want == got {
			line("  ", want)
			continue
		}
		line("- ", want)
		line("+ ", got)
	}
	if to-from < n {
		text += fmt.Sprintf("\n%d events before, %d after; --all shows them.\n", from, n-to)
	}
	return text
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// IsStream reports whether the failure is of a stream.
func (f *shownFailure) IsStream() bool { return f.Cuts != nil }

// CutsLine shows where the text is cut.
func (f *shownFailure) CutsLine() string {
	if len(f.Cuts) == 0 {
		return "none, the whole text is one chunk"
	}
	return excerpt(strings.Join(strings.Fields(fmt.Sprint(f.Cuts)), ", "), 300)
}

// Chunks shows the chunks of the text.
func (f *shownFailure) Chunks() string {
	if len(f.Cuts) == 0 || f.Case.Repeat != nil {
		return ""
	}
	var all []string
	start := 0
	for _, cut := range append(slices.Clone(f.Cuts), len(f.Case.Text)) {
		all = append(all, quoteBytes(f.Case.Text[start:cut]))
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

// linked returns the id of a rule as a link of Markdown.
func linked(rule string) string { return "[" + rule + "]" }

// oneLine returns text in one line.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace

// plain escapes foreign text for a line of Markdown.
var plain = escaped.Replace

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
