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
	data, err := readInput(cmd, []string{file})
	if err != nil {
		return err
	}
	name := file
	if name == "-" {
		name = "standard input"
	}
	catalog, err := sig.Compile(data)
	if err != nil {
		return toolsError(name, err)
	}
	if err := checkTools(name, catalog); err != nil {
		return err
	}
	bound := slices.Index(findingLevels, l.least)
	below := func(f finding) bool { return slices.Index(findingLevels, f.Level) > bound }
	all := findingsOf(catalog)
	if l.quiet {
		all = slices.DeleteFunc(all, below)
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if asJSON {
		enc := jsonl.NewEncoder(out)
		for _, f := range all {
			enc.Encode(f)
		}
	} else {
		printFindings(out, name, catalog.Len(), all,
			terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	for _, f := range all {
		if !below(f) {
			return errFound
		}
	}
	return nil
}

// newCheck is the old name of sig --lint.
func newCheck() *cobra.Command {
	cmd := newSig()
	cmd.Use, cmd.Hidden, cmd.Args = "check [FILE|-]", true, atMostOneFile
	lint := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f := cmd.Flags()
		switch tools := f.Lookup("tools"); {
		case len(args) > 0 && tools.Changed:
			return fmt.Errorf("name the tools once, not by %s and by --tools", args[0])
		case len(args) > 0:
			f.Set("tools", args[0])
		case !tools.Changed:
			f.Set("tools", "-")
		}
		f.Set("lint", "true")
		return lint(cmd, nil)
	}
	return cmd
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

// findingsOf returns what compiling the tools found, and what their signatures leave out.
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
func printFindings(out *bufio.Writer, name string, tools int, all []finding, s terminal.Screen) {
	marks := map[string]string{
		"error": terminal.MalformedMark, "warning": terminal.DoubtMark, "note": "· ",
	}
	styles := map[string]terminal.Style{
		"error": terminal.Wrong, "warning": terminal.Doubt, "note": terminal.Dim,
	}
	counts := map[string]int{}
	slices.SortStableFunc(all, func(a, b finding) int { return strings.Compare(a.Tool, b.Tool) })
	last := ""
	for i, f := range all {
		counts[f.Level]++
		if f.Tool != last || i == 0 {
			tool := f.Tool
			if tool == "" {
				tool = "a tool without a name"
			}
			fmt.Fprintln(out, s.Paint(terminal.Calling, terminal.Visible(tool)))
			last = f.Tool
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
	fmt.Fprintf(out, "%s: %s, %s, %s, %s\n", terminal.Visible(name), terminal.Count(tools, "tool"),
		terminal.Count(counts["error"], "error"), terminal.Count(counts["warning"], "warning"),
		terminal.Count(counts["note"], "note"))
}
