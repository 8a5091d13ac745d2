package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
)

// The levels of a finding, the worst first.
var (
	findingLevels = []string{"error", "warning", "note"}
	findingMarks  = []string{terminal.MalformedMark, terminal.DoubtMark, "· "}
	findingStyles = []terminal.Style{terminal.Wrong, terminal.Doubt, terminal.Dim}
)

// A finding is something about a tool that its author should know. Its path is a JSON pointer into
// the schema, or dotted names.
type finding struct {
	Level string `json:"level"`
	sig.Problem
}

// rank returns the index of the level.
func (f finding) rank() int { return slices.Index(findingLevels, f.Level) }

// lintFlags adds the flags of --lint.
func (s *sigOptions) lintFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	enumVar(f, &s.least, "fail", "warning",
		"with --lint: the lowest level that makes the exit code 1", findingLevels...)
	f.BoolVarP(&s.onlyFailing, "quiet", "q", false,
		"with --lint: do not print findings below that level")
}

// runLint is sig --lint. It prints where a model will not see tools as their author meant them.
// errFound means that some of these findings count.
func (s *sigOptions) runLint(cmd *cobra.Command) error {
	catalog, err := readTools(cmd, s.tools)
	if err != nil {
		return err
	}
	counts := func(f finding) bool { return f.rank() <= slices.Index(findingLevels, s.least) }
	all := findingsOf(catalog)
	if s.onlyFailing {
		all = slices.DeleteFunc(all, func(f finding) bool { return !counts(f) })
	}
	return output(cmd, func(out *bufio.Writer) error {
		if s.asJSON {
			enc := jsonl.NewEncoder(out)
			for _, f := range all {
				enc.Encode(f)
			}
		} else {
			printFindings(out, all, terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto))
			number := make([]int, len(findingLevels))
			for _, f := range all {
				number[f.rank()]++
			}
			fmt.Fprintf(out, "%s: %s", terminal.Visible(inputName(s.tools)),
				terminal.Count(catalog.Len(), "tool"))
			for i, level := range findingLevels {
				fmt.Fprint(out, ", ", terminal.Count(number[i], level))
			}
			fmt.Fprintln(out)
		}
		if slices.ContainsFunc(all, counts) {
			return errFound
		}
		return nil
	})
}

// isError reports whether a problem costs the whole tool, or its name.
func isError(p sig.Problem) bool {
	return slices.Contains([]string{"invalid-tool", "duplicate-tool", "bad-name"}, p.Code)
}

// findingsOf returns what compiling the tools found, and what their signatures leave out.
func findingsOf(catalog *sig.Catalog) (all []finding) {
	for _, p := range catalog.Problems() {
		level := "warning"
		if isError(p) {
			level = "error"
		}
		all = append(all, finding{level, p})
	}
	for _, t := range catalog.Tools() {
		add := func(level, path, code, message string) {
			all = append(all, finding{level, sig.Problem{
				Tool: t.Name, Path: path, Code: code, Message: message,
			}})
		}
		if t.Description == "" {
			add("warning", "", "missing-description", "has no description for the model")
		}
		plan, _ := sig.PlanOptions{}.Plan(t) // it fails under sig.Refuse only
		for _, r := range plan.Reasons {
			if r.Code != "name" { // which is a problem already
				add("note", r.Path, "json-"+r.Code, "called with one JSON object: "+r.Message)
			}
		}
		for _, o := range (sig.SignatureOptions{}).Omitted(plan) {
			add("note", o.Path, "left-out", o.Keyword+" "+o.Value)
		}
	}
	return all
}

// printFindings prints findings, tool by tool.
func printFindings(out *bufio.Writer, all []finding, s terminal.Screen) {
	slices.SortStableFunc(all, func(a, b finding) int { return strings.Compare(a.Tool, b.Tool) })
	for i, f := range all {
		if i == 0 || f.Tool != all[i-1].Tool {
			tool := cmp.Or(f.Tool, "a tool without a name")
			fmt.Fprintln(out, s.Paint(terminal.Calling, terminal.Visible(tool)))
		}
		text := f.Code
		if f.Path != "" {
			text += " at " + f.Path
		}
		text = terminal.Wrap(terminal.Visible(text+": "+f.Message), s.Width-4)
		text = findingMarks[f.rank()] + strings.ReplaceAll(text, "\n", "\n    ")
		fmt.Fprintln(out, "  "+s.Paint(findingStyles[f.rank()], text))
	}
	if len(all) > 0 {
		fmt.Fprintln(out)
	}
}
