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

func newCheck() *cobra.Command {
	var (
		asJSON, quiet bool
		least, tools  string
	)
	cmd := &cobra.Command{
		Use:   "check [FILE|-]",
		Short: "Find mistakes in a catalog of tools",
		Long: `check reads tools, in the shape of MCP, OpenAI, Anthropic or the AI SDK, and reports
what a model will not see as its author meant it:

  error    a tool that no call can reach: left out, or with a name that is not
           valid in a call
  warning  a schema that cannot be taken literally, such as one with the type
           "str", or a tool without a description
  note     what the tool's signature leaves out, such as a pattern, and tools
           that are called with one JSON object

With --json each finding is one line:

  {"level":"warning","tool":"t","path":"/properties/a/type",
   "code":"misspelt-type","message":"…"}

Exit codes: 0 when nothing reaches the level of --fail, 1 when something does, 2 when the
command line is wrong or the file cannot be read.`,
		Example: `  callwire check tools.json
  callwire check tools.json --fail error --json
  callwire check tools.json --quiet && echo all right`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			bound := slices.Index(findingLevels, least)
			if tools != "" {
				if len(args) > 0 {
					return fmt.Errorf("name the tools once, not by %s and by --tools", args[0])
				}
				args = []string{tools}
			}
			data, err := readInput(cmd, args)
			if err != nil {
				return err
			}
			name := "standard input"
			if len(args) == 1 && args[0] != "-" {
				name = args[0]
			}
			catalog, err := sig.Compile(data)
			if err != nil {
				return toolsError(name, err)
			}
			if err := checkTools(name, catalog); err != nil {
				return err
			}
			all := findingsOf(catalog)
			if quiet {
				all = slices.DeleteFunc(all, func(f finding) bool { return slices.Index(findingLevels, f.Level) > bound })
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				enc := jsonl.NewEncoder(out)
				for _, f := range all {
					enc.Encode(f)
				}
			} else {
				printFindings(out, name, catalog.Len(), all, terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto))
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
			if slices.ContainsFunc(all, func(f finding) bool { return slices.Index(findingLevels, f.Level) <= bound }) {
				return errFound
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&tools, "tools", "t", "", "the tools, a JSON `file`, as FILE")
	enumVar(f, &least, "fail", "warning", "the lowest level that makes the exit code 1", findingLevels...)
	f.BoolVarP(&quiet, "quiet", "q", false, "do not print findings below that level")
	f.BoolVarP(&asJSON, "json", "j", false, "print one line of JSON for each finding")
	return cmd
}

// findingLevels are the levels of a finding, the worst first.
var findingLevels = []string{"error", "warning", "note"}

// finding is something about a tool that its author should know.
type finding struct {
	Level   string `json:"level"`
	Tool    string `json:"tool,omitempty"`
	Path    string `json:"path,omitempty"` // a JSON pointer into its schema, or names joined by dots
	Code    string `json:"code"`
	Message string `json:"message"`
}

// isError reports whether a problem costs the whole tool, or its name.
func isError(p sig.Problem) bool {
	return p.Code == sig.InvalidTool || p.Code == sig.DuplicateTool || p.Code == sig.BadName
}

// findingsOf returns what is to be said of the tools: what compiling them found,
// and of each what its signature cannot say.
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
			all = append(all, finding{"warning", t.Name, "", "missing-description", "nothing tells a model what it is for"})
		}
		plan, _ := sig.PlanOptions{}.Plan(t) // it fails under sig.Refuse only
		for _, r := range plan.Reasons {
			if r.Code != sig.ReasonName { // which is a problem already
				all = append(all, finding{"note", t.Name, r.Path, "json-" + r.Code, "called with one JSON object: " + r.Message})
			}
		}
		for _, o := range (sig.SignatureOptions{}).Omitted(plan) {
			all = append(all, finding{"note", t.Name, o.Path, "left-out", o.Keyword + " " + o.Value})
		}
	}
	return all
}

// printFindings prints findings, tool by tool.
func printFindings(out *bufio.Writer, name string, tools int, all []finding, s terminal.Screen) {
	marks := map[string]string{"error": terminal.MalformedMark, "warning": terminal.DoubtMark, "note": "· "}
	styles := map[string]terminal.Style{"error": terminal.Wrong, "warning": terminal.Doubt, "note": terminal.Dim}
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
		lines := strings.Split(terminal.Wrap(terminal.Visible(text+": "+f.Message), s.Width-4), "\n")
		fmt.Fprintln(out, "  "+s.Paint(styles[f.Level], marks[f.Level]+strings.Join(lines, "\n    ")))
	}
	if len(all) > 0 {
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%s: %s, %s, %s, %s\n", terminal.Visible(name), terminal.Count(tools, "tool"), terminal.Count(counts["error"], "error"), terminal.Count(counts["warning"], "warning"), terminal.Count(counts["note"], "note"))
}
