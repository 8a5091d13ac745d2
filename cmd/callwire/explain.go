package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/spec"
)

func newExplain() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain CODE|RULE|CASE",
		Short: "Print what the specification says about a code, rule or case",
		Long: `explain prints what the specification says about the code of an error or issue, a
rule, a case of the corpus, a decision (D4) or a production of the grammar: what it
means, how to write it correctly, and examples, which are cases of the corpus with
the expected result.

Where an id is part of others, those are listed. With --json the output is one
object.

Exit codes: 0 when all is done, 2 when nothing has that id.`,
		Example: `  callwire explain expected-equals
  callwire explain recovery.quotes
  callwire explain framing/text-only
  callwire explain D12`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain takes one id, as in callwire explain expected-equals")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, ok, err := spec.Explain(args[0])
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("the specification has no %q%s", args[0], nearID(args[0]))
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				jsonl.NewEncoder(out).Encode(e)
			} else {
				printEntryOf(out, e, terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto))
			}
			return out.Flush()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return spec.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "print one JSON object")
	return cmd
}

// printEntryOf prints an entry: paragraphs in the width of the screen, what
// stands between fences set off.
func printEntryOf(out *bufio.Writer, e spec.Entry, s terminal.Screen) {
	width := min(s.Width, terminal.PageWidth)
	fmt.Fprintf(out, "%s %s\n\n", s.Paint(terminal.Key, e.ID), s.Paint(terminal.Dim, "("+e.Kind+")"))
	for i, block := range strings.Split(e.Text, "```") {
		if i%2 == 0 {
			if block = strings.TrimSpace(block); block != "" {
				fmt.Fprintln(out, reflow(block, width)+"\n")
			}
			continue
		}
		_, block, _ = strings.Cut(strings.TrimRight(block, "\n"), "\n") // the kind of the block
		for line := range strings.SplitSeq(block, "\n") {
			fmt.Fprintln(out, "  "+strings.TrimRight(line, " "))
		}
		fmt.Fprintln(out)
	}
	printIDs(out, "Rules:", e.Rules[:min(len(e.Rules), 6)], width)
	if n := len(e.Cases); n > 0 {
		printIDs(out, terminal.Count(n, "case")+":", e.Cases[:min(n, 6)], width)
	}
}

// printIDs prints a line of ids.
func printIDs(out *bufio.Writer, head string, ids []string, width int) {
	if len(ids) > 0 {
		fmt.Fprintln(out, terminal.Wrap(head+" "+strings.Join(ids, ", "), width))
	}
}

// nearID names ids that may have been meant: those that contain it, or that
// share the longest beginning with it.
func nearID(id string) string {
	ids := spec.IDs()
	near := slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return !strings.Contains(strings.ToLower(s), strings.ToLower(id)) })
	for n := len(id) - 1; len(near) == 0 && n > 2; n-- {
		near = slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return !strings.HasPrefix(s, id[:n]) })
	}
	if len(near) == 0 {
		return "; codes are in callwire spec --format md, cases in callwire cases"
	}
	return "; there is " + strings.Join(near[:min(len(near), 5)], ", ")
}
