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

// findingLevels are the levels of a finding, the worst first.
var findingLevels = []string{"error", "warning", "note"}

// A finding is something about a tool that its author should know. Its path is a JSON pointer into
// the schema, or dotted names.
type finding struct {
	Level string `json:"level"`
	sig.Problem
}

// String returns the finding in one line, without its tool and its level.
func (f finding) String() string {
	text := f.Code
	if f.Path != "" {
		text += " at " + f.Path
	}
	return terminal.Visible(text + ": " + f.Message)
}

// runLint is sig --lint. It prints where a model will not see tools as their author meant them.
// errFound means that some of these findings count.
func (s *sigOptions) runLint(cmd *cobra.Command) error {
	catalog, err := readTools(cmd, s.tools)
	if err != nil {
		return err
	}
	return output(cmd, func(out *bufio.Writer) (found error) {
		enc := jsonl.NewEncoder(out)
		number := make(map[string]int)
		for _, f := range findingsOf(catalog) {
			if slices.Index(findingLevels, f.Level) <= slices.Index(findingLevels, s.least) {
				found = errFound
			} else if s.onlyFailing {
				continue
			}
			number[f.Level]++
			if s.asJSON {
				enc.Encode(f)
			} else {
				tool := terminal.Visible(cmp.Or(f.Tool, "a tool without a name"))
				fmt.Fprintf(out, "%s: %s: %s\n", tool, f.Level, f)
			}
		}
		if s.asJSON {
			return found
		}
		fmt.Fprintf(out, "%s: %s", terminal.Visible(inputName(s.tools)),
			terminal.Count(len(catalog.Tools()), "tool"))
		for _, level := range findingLevels {
			fmt.Fprint(out, ", ", terminal.Count(number[level], level))
		}
		fmt.Fprintln(out)
		return found
	})
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
		all = append(all, finding{level, p})
	}
	for _, t := range catalog.Tools() {
		if t.Description == "" {
			all = append(all, finding{"warning", sig.Problem{
				Tool: t.Name, Code: "missing-description",
				Message: "has no description for the model",
			}})
		}
		plan, _ := t.Plan(sig.Auto) // it fails for sig.Refuse only
		all = append(all, notesOn(plan, sig.SignatureOptions{})...)
	}
	slices.SortStableFunc(all, func(a, b finding) int { return strings.Compare(a.Tool, b.Tool) })
	return all
}

// notesOn returns why a tool is not called with key=value, and what its signature leaves out.
func notesOn(p sig.Plan, o sig.SignatureOptions) (all []finding) {
	for _, r := range p.Reasons {
		if r.Code == "name" { // which is a problem of the catalog
			continue
		}
		r.Code = "json-" + r.Code
		if p.JSON {
			r.Message = "called with one JSON object: " + r.Message
		}
		all = append(all, finding{"note", r})
	}
	for _, x := range o.Omitted(p) {
		all = append(all, finding{"note", sig.Problem{
			Tool: p.Tool.Name, Path: x.Path, Code: "left-out", Message: x.Name + " " + x.Value,
		}})
	}
	return all
}
