package main

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
)

func newCases() *cobra.Command {
	var s selection
	var asJSON bool
	var archives string
	cmd := &cobra.Command{
		Use:   "cases [list | show ID]",
		Short: "List the cases of the conformance corpus, or show what has an id",
		Long: `cases lists the cases of the conformance corpus, one per line: id, level and what
it is about.

show prints the part of the specification about a case, a rule, the code of an error or
issue, a decision (D4) or a production of the grammar: what it means, how to write it
correctly, and examples, which are cases of the corpus. A case is printed in full.

With --json a case is one line of JSON, and anything else that show prints is one object.

Exit codes: 0 when all is done, 2 when the command line is wrong or nothing has that id.`,
		Example: `  callwire cases --topic framing
  callwire cases --rule 'recovery.*' --level core
  callwire cases show framing/text-only
  callwire cases show expected-equals
  callwire cases --protocol hermes
  callwire cases --json >cases.jsonl
  callwire cases --archive dist`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0,
				len(args) == 1 && args[0] == "list",
				len(args) == 2 && args[0] == "show":
				return nil
			}
			return fmt.Errorf("cases takes list, or show and an id; see %s --help",
				cmd.CommandPath())
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if archives != "" {
				return writeArchives(archives)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if len(args) == 2 {
				screen := terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto)
				if err := showID(out, args[1], asJSON, screen); err != nil {
					return err
				}
				return out.Flush()
			}
			cases, err := s.cases()
			if err != nil {
				return err
			}
			listCases(out, cases, asJSON, terminal.Width(cmd.OutOrStdout()))
			return out.Flush()
		},
		ValidArgsFunction: func(
			_ *cobra.Command, args []string, _ string,
		) (words []cobra.Completion, _ cobra.ShellCompDirective) {
			switch {
			case len(args) == 0:
				words = []cobra.Completion{"list", "show"}
			case len(args) == 1 && args[0] == "show":
				words = append(words, spec.IDs()...)
				for _, c := range allCases() {
					words = append(words, c.ID)
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	enumVar(f, &s.level, "level", "", "only the cases of this level", "core", "extended")
	f.StringVar(&s.topic, "topic", "",
		"only the cases of this `topic`, the part of the id before the slash")
	f.StringVar(&s.rule, "rule", "",
		"only the cases that exercise a rule whose id matches this `glob`")
	enumVar(f, &s.protocol, "protocol", "",
		"the cases of another format, not those of the wire format", protocol.Formats()...)
	f.StringVar(&archives, "archive", "", "write the corpus into this `folder` as archives, plain "+
		"and for npm and PyPI, with their checksums")
	f.BoolVarP(&asJSON, "json", "j", false, "print one line of JSON for each case")
	return cmd
}

// listCases lists cases. On a screen, each is cut to one line.
func listCases(out *bufio.Writer, cases []corpus.Case, asJSON bool, onScreen int) {
	enc := jsonl.NewEncoder(out)
	width := 0
	for _, c := range cases {
		width = max(width, len(c.ID))
	}
	for _, c := range cases {
		if asJSON {
			enc.Encode(c)
			continue
		}
		line := fmt.Sprintf("%-*s  %-8s  %s", width, c.ID, c.Level, c.Note)
		if onScreen > 0 {
			line = terminal.CutEnd(line, onScreen)
		}
		fmt.Fprintln(out, line)
	}
}

// allCases returns all cases that can be shown, those of other formats included.
func allCases() []corpus.Case {
	return slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
}
