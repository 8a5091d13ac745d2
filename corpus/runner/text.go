package runner

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

// WriteText writes the report for a terminal, where the last lines are seen first: the
// failures, then the counts, and at the end the outcome.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	writeLinks(w, r.writeFailures(w))
	r.writeSummary(w)
	fmt.Fprintf(w, "\n%s %s: %s\n", r.Welcome.Name, r.Welcome.Version, r.outcome())
	return w.Flush()
}

// WriteMarkdown writes the report as Markdown.
func (r *Report) WriteMarkdown(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %s %s: %s\n", plain(r.Welcome.Name), plain(r.Welcome.Version),
		plain(r.outcome()))
	r.writeSummary(w)
	rules := r.writeFailures(w)
	for _, t := range r.failingRules() {
		rules = append(rules, t.Name)
	}
	slices.Sort(rules)
	writeLinks(w, slices.Compact(rules))
	return w.Flush()
}

// writeSummary writes what was counted.
func (r *Report) writeSummary(w io.Writer) {
	what := "checks"
	if r.Check {
		what = "checks of the shape of messages"
	}
	fmt.Fprintf(w, "\n%d %s, %d answers in %s, format %s, cases of version %s.\n",
		len(r.Results), what, r.Requests(), r.Elapsed.Round(100*time.Millisecond), r.Welcome.Spec,
		corpus.Version)
	if why := r.ended(); why != "" {
		fmt.Fprintf(w, "\n%s.\n", why)
	}
	if r.Streaming() == Proven {
		fmt.Fprintf(w, "\nStreaming: each event comes with its bytes, neither earlier nor later.\n")
	}
	if r.Farewell != "" {
		fmt.Fprintf(w, "\nAt the end: %s.\n", plain(r.Farewell))
	}
	writeTallies(w, "level", r.Levels())
	writeTallies(w, "rule", r.failingRules())
	r.writeRules(w)
	r.writeSkips(w)
}

// writeTallies writes a table of counts.
func writeTallies(w io.Writer, head string, tallies []Tally) {
	if len(tallies) == 0 {
		return
	}
	statuses := []Status{Pass, Fail, Skipped, KnownFailure, UnexpectedPass, NotRun}
	rows := [][]string{{head, "pass", "fail", "skip", "known failure", "unexpected pass",
		"not run"}}
	for _, t := range tallies {
		row := []string{t.Name}
		if strings.Contains(t.Name, ".") {
			row[0] = "[" + t.Name + "]"
		}
		for _, s := range statuses {
			row = append(row, fmt.Sprint(t.Count[s]))
		}
		rows = append(rows, row)
	}
	writeTable(w, rows)
}

// writeTable writes a table of Markdown with a head, its columns aligned: the first to
// the left, the others to the right.
func writeTable(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	fmt.Fprintln(w)
	for n, row := range rows {
		fmt.Fprintf(w, "| %-*s |", width[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(w, " %*s |", width[i+1], cell)
		}
		fmt.Fprintln(w)
		if n > 0 {
			continue
		}
		fmt.Fprintf(w, "|%s|", strings.Repeat("-", width[0]+2))
		for _, n := range width[1:] {
			fmt.Fprintf(w, "%s:|", strings.Repeat("-", n+1))
		}
		fmt.Fprintln(w)
	}
}

// failingRules returns the rules with failures.
func (r *Report) failingRules() (failing []Tally) {
	for _, t := range r.Rules() {
		if t.failures() > 0 {
			failing = append(failing, t)
		}
	}
	return failing
}

// writeRules writes how many rules pass, pass with skipped checks, fail, or have checks
// that were not run.
func (r *Report) writeRules(w io.Writer) {
	pass, skips, fail, notRun := 0, 0, 0, 0
	for _, t := range r.Rules() {
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
	fmt.Fprintf(w, "\nRules: %d pass, %d pass with skips, %d fail", pass, skips, fail)
	if notRun > 0 {
		fmt.Fprintf(w, ", %d not run", notRun)
	}
	fmt.Fprintln(w, ".")
}

// ended returns how many checks were not run and why, or "".
func (r *Report) ended() string {
	n := r.Count()[NotRun]
	why := fmt.Sprintf("the implementation broke down %d times in a row, and was given up", enough)
	switch {
	case n == 0:
		return ""
	case r.Interrupted:
		why = "the run was interrupted"
	case r.Silent:
		why = "the implementation did not answer in time again and again, and was given up"
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

// writeFailures writes the failures, by kind, and returns the rules of those it shows.
func (r *Report) writeFailures(w io.Writer) (rules []string) {
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == UnexpectedPass {
			fmt.Fprintf(w, "\n## %s\n\nIt passes, and is listed as known to fail: "+
				"remove it from the list.\n", res.Name())
		}
	}
	groups := r.groups()
	if len(groups) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n| checks | probable cause | the first |\n|--:|---|---|\n")
	for _, g := range groups {
		fmt.Fprintf(w, "| %d | %s | %s |\n", len(g.results), plain(string(g.kind)),
			code(g.results[0].Name()))
	}
	shown, left := 0, mostOfAll
	if r.MaxFailures > 0 {
		left = r.MaxFailures
	}
	for _, g := range groups {
		n := len(g.results)
		if !r.All {
			n = min(n, mostOfKind, left)
		}
		for _, res := range g.results[:n] {
			writeFailure(w, res, r.All)
			rules = append(rules, res.Case.Rules...)
		}
		shown, left = shown+n, left-n
	}
	if n := r.Count()[Fail]; shown < n {
		fmt.Fprintf(w, "\n%d of %d failures are shown, at most %d of each cause; "+
			"--all shows the rest.\n", shown, n, mostOfKind)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// writeLinks writes where the specification states the rules.
func writeLinks(w io.Writer, rules []string) {
	if len(rules) > 0 {
		fmt.Fprintln(w)
	}
	for _, rule := range rules {
		fmt.Fprintf(w, "[%s]: %s\n", rule, corpus.RuleURL(rule))
	}
}

// writeSkips writes the reasons for which checks were skipped.
func (r *Report) writeSkips(w io.Writer) {
	var reasons []string
	count := map[string]int{}
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == Skipped {
			if count[res.Skip] == 0 {
				reasons = append(reasons, res.Skip)
			}
			count[res.Skip]++
		}
	}
	if len(reasons) > 0 {
		fmt.Fprintln(w)
	}
	for _, reason := range reasons {
		fmt.Fprintf(w, "- %d skipped: %s\n", count[reason], plain(reason))
	}
}

// writeFailure writes a failure, with whole tables if all is set.
func writeFailure(w io.Writer, res *Result, all bool) {
	c, f := res.Case, res.Failure
	fmt.Fprintf(w, "\n## %s\n\n%s", res.Name(), c.Level)
	for _, rule := range c.Rules {
		fmt.Fprintf(w, ", [%s]", rule)
	}
	fmt.Fprintf(w, ": %s\n\n**%s**\n\n", c.Note, plain(f.What))
	for _, more := range f.More {
		fmt.Fprintf(w, "- also: %s\n", plain(more))
	}
	request := check{c, c.Op}.script(&question{}, nil, 1).lines[0]
	fmt.Fprintf(w, "- request: %s\n", code(excerpt(strings.TrimSpace(string(request)), 2000)))
	if f.Cuts != nil {
		fmt.Fprintf(w, "- cuts: %s; %d of %d answers are wrong\n", cutsLine(f.Cuts), res.Wrong,
			res.Requests)
		if len(f.Cuts) > 0 && c.Repeat == nil {
			fmt.Fprintf(w, "- chunks: %s\n", code(chunksLine(c.Text, f.Cuts)))
		}
	}
	if len(f.Want)+len(f.Got) > 0 {
		writeEvents(w, f, all)
	}
	if f.Stderr != "" {
		fmt.Fprintf(w, "\nThe end of its standard error:\n\n    %s\n", indented(f.Stderr))
	}
}

// Of a long table of events mostRows are shown, from rowsBefore before the first
// difference.
const (
	mostRows   = 12
	rowsBefore = 2
)

// writeEvents writes what was expected beside what came.
func writeEvents(w io.Writer, f *Failure, all bool) {
	rows := max(len(f.Want), len(f.Got))
	from, to := 0, rows
	if !all && rows > mostRows {
		for from < rows-1 && at(f.Want, from) == at(f.Got, from) {
			from++
		}
		from = max(0, from-rowsBefore)
		to = min(rows, from+mostRows)
	}
	fmt.Fprintf(w, "\n| | expected | got |\n|---|---|---|\n")
	chunks := slices.Contains(f.Got, chunkEnd) // these rows don't correspond
	for i := from; i < to; i++ {
		want, got, mark := at(f.Want, i), at(f.Got, i), ""
		if want != got && !chunks {
			mark = "≠"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", mark, cell(want), cell(got))
	}
	if to-from < rows {
		fmt.Fprintf(w, "\n%d rows before, %d after; --all shows them.\n", from, rows-to)
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// cutsLine shows where a text is cut.
func cutsLine(cuts []int) string {
	if len(cuts) == 0 {
		return "none, the whole text is one chunk"
	}
	return excerpt(strings.Join(strings.Fields(fmt.Sprint(cuts)), ", "), 300)
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
var plain = strings.NewReplacer("\\", `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`,
	"[", `\[`, "|", `\|`, "&", "&amp;", "<", "&lt;", "\n", " ", "\r", " ").Replace

// indented returns foreign text as a code block.
var indented = strings.NewReplacer("\r\n", "\n    ", "\n", "\n    ", "\r", "\n    ").Replace

// cell returns code within a table.
func cell(s string) string {
	if s == "" {
		return ""
	}
	return code(strings.ReplaceAll(excerpt(s, 500), "|", `\|`))
}
