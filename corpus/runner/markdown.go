package runner

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/callwire/callwire/corpus"
)

// WriteMarkdown writes the report for people.
func (r *Report) WriteMarkdown(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %s %s: %s\n\n", plain(r.Welcome.Name), plain(r.Welcome.Version), r.outcome())
	what := "checks"
	if r.Check {
		what = "checks of the shape of messages"
	}
	fmt.Fprintf(w, "%d %s, %d answers in %s, format %s, cases of version %s.\n",
		len(r.Results), what, r.Requests(), r.Elapsed.Round(100*time.Millisecond), r.Welcome.Spec, corpus.Version)
	if why := r.ended(); why != "" {
		fmt.Fprintf(w, "\n%s.\n", why)
	}
	switch r.Streaming() {
	case Proven:
		fmt.Fprintf(w, "\nStreaming is proven: each chunk was fed by itself.\n")
	case NotProven:
		fmt.Fprintf(w, "\nStreaming was not proven: in protocol %d the whole text is there before its first event is due. With protocol 2 and the op feed it would be.\n", r.Welcome.Protocol)
	}
	if r.Farewell != "" {
		fmt.Fprintf(w, "\nAt the end: %s.\n", plain(r.Farewell))
	}
	fmt.Fprintf(w, "\n| level | pass | fail | skip | known failure | unexpected pass | not run |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range r.Levels() {
		writeTally(w, t)
	}
	broken, sound, skipped := r.rulesBySoundness()
	if len(broken) > 0 {
		fmt.Fprintf(w, "\n| rule | pass | fail | skip | known failure | unexpected pass | not run |\n|---|--:|--:|--:|--:|--:|--:|\n")
		for _, t := range broken {
			writeTally(w, t)
		}
	}
	fmt.Fprintf(w, "\n"+rulesLine, sound, skipped, len(broken))
	r.writeSkips(w)
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == UnexpectedPass {
			fmt.Fprintf(w, "\n## %s\n\nIt passes, and is listed as known to fail: take it from the list.\n", res.Name())
		}
	}
	r.writeGroups(w)
	var links []string
	for _, t := range broken {
		links = append(links, t.Name)
	}
	writeLinks(w, links)
	return w.Flush()
}

// rulesBySoundness returns the rules of which something is wrong, how many pass all
// their checks, and of how many the others were skipped.
func (r *Report) rulesBySoundness() (broken []Tally, sound, skipped int) {
	for _, t := range r.Rules() {
		switch t.Count[Pass] {
		case t.Total():
			sound++
		case t.Total() - t.Count[Skipped]:
			skipped++
		default:
			broken = append(broken, t)
		}
	}
	return broken, sound, skipped
}

// ended says how much was not run and why, if anything was not.
func (r *Report) ended() string {
	why := fmt.Sprintf("the implementation broke down %d times in a row, and was given up", enough)
	switch n := r.Count()[NotRun]; {
	case n == 0:
		return ""
	case r.Interrupted:
		why = "the run was interrupted"
	case r.Silent:
		why = "the implementation did not answer in time again and again, and was given up"
	}
	return fmt.Sprintf("%d were not run: %s", r.Count()[NotRun], why)
}

// outcome is the report in a few words.
func (r *Report) outcome() string {
	n := r.Count()
	bad := n[Fail] + n[UnexpectedPass]
	switch {
	case bad > 0 && n[NotRun] > 0:
		return fmt.Sprintf("%d of %d fail, %d were not run", bad, len(r.Results), n[NotRun])
	case bad > 0:
		return fmt.Sprintf("%d of %d fail", bad, len(r.Results))
	case n[NotRun] > 0:
		return fmt.Sprintf("%d of %d were not run", n[NotRun], len(r.Results))
	case n[Pass]+n[KnownFailure] == 0:
		return "nothing was judged"
	case r.Farewell != "":
		return "the end is wrong"
	case n[KnownFailure] > 0:
		return fmt.Sprintf("passes but for %d known failures", n[KnownFailure])
	case n[Skipped] > 0:
		return fmt.Sprintf("passes, %d skipped", n[Skipped])
	}
	return "passes"
}

func writeTally(w io.Writer, t Tally) {
	c, name := t.Count, t.Name
	if strings.Contains(name, ".") {
		name = "[" + name + "]"
	}
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", name, c[Pass], c[Fail], c[Skipped], c[KnownFailure], c[UnexpectedPass], c[NotRun])
}

// How many failures are shown of one cause, and of all, without [Report.All].
const (
	mostOfCause = 3
	mostOfAll   = 20
)

// writeGroups writes the failures, by probable cause, and returns the rules of those
// that are shown.
func (r *Report) writeGroups(w io.Writer) (rules []string) {
	groups := r.groups()
	if len(groups) == 0 {
		return nil
	}
	var rows []string
	shown, left := 0, mostOfAll
	if r.MaxFailures > 0 {
		left = r.MaxFailures
	}
	for _, g := range groups {
		rows = append(rows, fmt.Sprintf("| %d | %s | %s |", len(g.results), plain(g.cause), code(g.results[0].Name())))
	}
	fmt.Fprintf(w, "\n| checks | probable cause | the first |\n|--:|---|---|\n%s\n", strings.Join(rows, "\n"))
	for _, g := range groups {
		n := len(g.results)
		if !r.All {
			n = min(n, mostOfCause, left)
		}
		for _, res := range g.results[:n] {
			writeFailure(w, res, r.All)
			rules = append(rules, res.Case.Rules...)
		}
		shown, left = shown+n, left-n
	}
	if n := r.Count()[Fail]; shown < n {
		fmt.Fprintf(w, "\n%d of %d failures are shown, at most %d of each cause; --all shows the rest.\n", shown, n, mostOfCause)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// ruleLinks are the level and the rules of a case; writeLinks says where they lead.
func ruleLinks(c *corpus.Case) string {
	return strings.Join(append([]string{c.Level}, bracketed(c.Rules)...), ", ")
}

func bracketed(rules []string) []string {
	links := make([]string, len(rules))
	for i, rule := range rules {
		links[i] = "[" + rule + "]"
	}
	return links
}

// writeLinks writes where the rules are in the specification.
func writeLinks(w io.Writer, rules []string) {
	for i, rule := range rules {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "[%s]: %s\n", rule, corpus.RuleURL(rule))
	}
}

// writeSkips writes the reasons for which checks were skipped.
func (r *Report) writeSkips(w io.Writer) {
	var reasons []string
	count := map[string]int{}
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == Skipped {
			if count[res.Skip]++; count[res.Skip] == 1 {
				reasons = append(reasons, res.Skip)
			}
		}
	}
	if len(reasons) > 0 {
		fmt.Fprintln(w)
	}
	for _, reason := range reasons {
		fmt.Fprintf(w, "- %d skipped: %s\n", count[reason], plain(reason))
	}
}

// rulesLine tells how many rules are sound, have checks that were skipped, are broken.
const rulesLine = "Rules: %d pass all checks, %d all that were not skipped, %d are broken.\n"

// Of a long table of events mostRows are shown, from some before the first difference.
const (
	mostRows   = 12
	rowsBefore = 2
)

// writeFailure writes a failure, with whole tables if all are wanted.
func writeFailure(w io.Writer, res *Result, all bool) {
	c, f := res.Case, res.Failure
	fmt.Fprintf(w, "\n## %s\n\n", res.Name())
	fmt.Fprintf(w, "%s: %s\n\n", ruleLinks(c), c.Note)
	fmt.Fprintf(w, "**%s**\n\n", plain(f.What))
	for _, more := range f.More {
		fmt.Fprintf(w, "- also: %s\n", plain(more))
	}
	switch c.Op {
	case corpus.Parse:
		fmt.Fprintf(w, "- text: %s\n", code(quoteBytes(c.Text)))
	case corpus.Format:
		fmt.Fprintf(w, "- name: %s, input: %s\n", code(c.Name), code(quoteBytes(c.Input)))
	}
	if f.Cuts != nil {
		fmt.Fprintf(w, "- cuts: %s; %d of %d answers are wrong\n", cutsLine(f.Cuts), res.Wrong, res.Requests)
		if len(f.Cuts) > 0 && c.Repeat == nil {
			fmt.Fprintf(w, "- chunks: %s\n", code(chunksLine(c.Text, f.Cuts)))
		}
	}
	if r := c.Repeat; r != nil {
		fmt.Fprintf(w, "- its bytes %d to %d stand there %d times\n", r.Start, r.End, r.Times)
	}
	if d := c.Delims; d != nil {
		fmt.Fprintf(w, "- tags: %s and %s\n", code(d.Open), code(d.Close))
	}
	if c.Tools != nil {
		fmt.Fprintf(w, "- tools: %s\n", code(excerpt(compact(c.Tools), 1000)))
	}
	if c.Options != (corpus.Options{}) {
		fmt.Fprintf(w, "- options: %s\n", code(optionsLine(c.Options)))
	}
	if len(f.Want)+len(f.Got) > 0 {
		writeEvents(w, f, all)
	}
	if f.Stderr != "" {
		fmt.Fprintf(w, "\nThe end of its standard error:\n\n    %s\n", indented(f.Stderr))
	}
}

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
	for i := from; i < to; i++ {
		want, got, mark := at(f.Want, i), at(f.Got, i), ""
		if want != got && !slices.Contains(f.Got, chunkEnd) {
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

// cutsLine says where a text is cut.
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
	for _, cut := range append(cuts[:len(cuts):len(cuts)], len(text)) {
		all = append(all, quoteBytes(text[start:cut]))
		start = cut
	}
	return excerpt(strings.Join(all, " "), 1000)
}

// code is text as code of Markdown.
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

// plain is text of others within a line of Markdown, in which nothing is markup.
var plain = strings.NewReplacer("\\", `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "|", `\|`, "&", "&amp;", "<", "&lt;", "\n", " ", "\r", " ").Replace

// indented is text of others as a block of code, of which each line end begins a line.
var indented = strings.NewReplacer("\r\n", "\n    ", "\n", "\n    ", "\r", "\n    ").Replace

// cell is code within a table.
func cell(s string) string {
	if s == "" {
		return ""
	}
	return code(strings.ReplaceAll(excerpt(s, 500), "|", `\|`))
}
