package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
)

// A linter reports where a model will not see tools as their author meant them.
type linter struct {
	least string // the lowest level that counts
	quiet bool   // report only what counts
}

// register adds the flags of the linter.
func (l *linter) register(cmd *cobra.Command) {
	f := cmd.Flags()
	enumVar(f, &l.least, "fail", "warning",
		"with --lint: the lowest level that makes the exit code 1", findingLevels...)
	f.BoolVarP(&l.quiet, "quiet", "q", false, "with --lint: do not print findings below that level")
}

// run prints the findings in the tools of a file. errFound means that some count.
func (l *linter) run(cmd *cobra.Command, file string, asJSON bool) error {
	catalog, err := readTools(cmd, file)
	if err != nil {
		return err
	}
	bound := slices.Index(findingLevels, l.least)
	counts := func(f finding) bool { return slices.Index(findingLevels, f.Level) <= bound }
	all := findingsOf(catalog)
	if l.quiet {
		all = slices.DeleteFunc(all, func(f finding) bool { return !counts(f) })
	}
	return output(cmd, func(out *bufio.Writer) error {
		if asJSON {
			enc := jsonl.NewEncoder(out)
			for _, f := range all {
				enc.Encode(f)
			}
		} else {
			screen := terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto)
			printFindings(out, all, screen)
			fmt.Fprintf(out, "%s: %s%s\n", terminal.Visible(inputName(file)),
				terminal.Count(catalog.Len(), "tool"), countFindings(all))
		}
		if slices.ContainsFunc(all, counts) {
			return errFound
		}
		return nil
	})
}

// findingLevels are the levels of a finding, the worst first.
var findingLevels = []string{"error", "warning", "note"}

// A finding is something about a tool that its author should know.
type finding struct {
	Level   string `json:"level"`
	Tool    string `json:"tool,omitempty"`
	Path    string `json:"path,omitempty"` // a JSON pointer into the schema, or dotted names
	Code    string `json:"code"`
	Message string `json:"message"`
}

// isError reports whether a problem costs the whole tool, or its name.
func isError(p sig.Problem) bool {
	return slices.Contains([]string{"invalid-tool", "duplicate-tool", "bad-name"}, p.Code)
}

// findingsOf returns what compiling the tools found, and what their signatures leave out, tool by
// tool.
func findingsOf(catalog *sig.Catalog) (all []finding) {
	for _, p := range catalog.Problems() {
		level := "warning"
		if isError(p) {
			level = "error"
		}
		all = append(all, finding{level, p.Tool, p.Path, p.Code, p.Message})
	}
	for _, t := range catalog.Tools() {
		if t.Description == "" {
			all = append(all, finding{"warning", t.Name, "", "missing-description",
				"has no description for the model"})
		}
		plan, _ := sig.PlanOptions{}.Plan(t) // it fails under sig.Refuse only
		for _, r := range plan.Reasons {
			if r.Code != "name" { // which is a problem already
				all = append(all, finding{"note", t.Name, r.Path, "json-" + r.Code,
					"called with one JSON object: " + r.Message})
			}
		}
		for _, o := range (sig.SignatureOptions{}).Omitted(plan) {
			all = append(all,
				finding{"note", t.Name, o.Path, "left-out", o.Keyword + " " + o.Value})
		}
	}
	return all
}

// printFindings prints findings, tool by tool.
func printFindings(out *bufio.Writer, all []finding, s terminal.Screen) {
	marks := map[string]string{
		"error": terminal.MalformedMark, "warning": terminal.DoubtMark, "note": "· ",
	}
	styles := map[string]terminal.Style{
		"error": terminal.Wrong, "warning": terminal.Doubt, "note": terminal.Dim,
	}
	slices.SortStableFunc(all, func(a, b finding) int { return strings.Compare(a.Tool, b.Tool) })
	for i, f := range all {
		if i == 0 || f.Tool != all[i-1].Tool {
			tool := f.Tool
			if tool == "" {
				tool = "a tool without a name"
			}
			fmt.Fprintln(out, s.Paint(terminal.Calling, terminal.Visible(tool)))
		}
		text := f.Code
		if f.Path != "" {
			text += " at " + f.Path
		}
		text = terminal.Wrap(terminal.Visible(text+": "+f.Message), s.Width-4)
		text = strings.ReplaceAll(text, "\n", "\n    ")
		fmt.Fprintln(out, "  "+s.Paint(styles[f.Level], marks[f.Level]+text))
	}
	if len(all) > 0 {
		fmt.Fprintln(out)
	}
}

// countFindings returns how many findings have each level.
func countFindings(all []finding) (text string) {
	for _, level := range findingLevels {
		n := 0
		for _, f := range all {
			if f.Level == level {
				n++
			}
		}
		text += ", " + terminal.Count(n, level)
	}
	return text
}
