package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
)

// caseOptions are the flags of cases.
type caseOptions struct {
	selection
	asJSON   bool
	archives string // a folder
}

func newCases() *cobra.Command {
	o := &caseOptions{}
	cmd := &cobra.Command{
		Use: "cases [list | show ID]", Args: checkCaseArgs, RunE: o.run,
		Aliases:           []string{"explain"}, // the old name of cases show
		ValidArgsFunction: completeCases,
	}
	f := cmd.Flags()
	o.selectionFlags(f)
	f.StringVar(&o.topic, "topic", "",
		"only the cases of this `topic`, the part of the id before the slash")
	f.StringVar(&o.rule, "rule", "",
		"only the cases that exercise a rule whose id matches this `glob`")
	f.StringVar(&o.archives, "archive", "", "write the corpus into this `folder` as archives, "+
		"plain and for npm and PyPI, with their checksums")
	f.BoolVarP(&o.asJSON, "json", "j", false, "print one line of JSON for each case")
	return cmd
}

// checkCaseArgs accepts list, or show and an id.
func checkCaseArgs(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.CalledAs() == "explain" && len(args) != 1:
		return errors.New("explain takes one id, as in callwire explain expected-equals")
	case cmd.CalledAs() == "explain", len(args) == 0,
		len(args) == 1 && args[0] == "list",
		len(args) == 2 && args[0] == "show":
		return nil
	}
	return fmt.Errorf("cases takes list, or show and an id; see %s --help", cmd.CommandPath())
}

// completeCases completes list, show, and everything that can be shown.
func completeCases(
	_ *cobra.Command, args []string, _ string,
) (words []cobra.Completion, _ cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		words = []cobra.Completion{"list", "show"}
	case len(args) == 1 && args[0] == "show":
		words = allIDs()
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func (o *caseOptions) run(cmd *cobra.Command, args []string) error {
	if o.archives != "" {
		return writeArchives(o.archives)
	}
	screen := terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto)
	return output(cmd, func(out *bufio.Writer) error {
		if cmd.CalledAs() == "explain" || len(args) == 2 {
			return showID(out, args[len(args)-1], o.asJSON, screen)
		}
		cases, err := o.cases()
		if err != nil {
			return err
		}
		listCases(out, cases, o.asJSON, terminal.Width(cmd.OutOrStdout()))
		return nil
	})
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

// allIDs returns the ids of everything that can be shown.
func allIDs() []string {
	ids := spec.IDs()
	for _, c := range allCases() {
		ids = append(ids, c.ID)
	}
	return ids
}
