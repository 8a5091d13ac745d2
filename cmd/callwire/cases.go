package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

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
	cmd := describe(&cobra.Command{
		Use: "cases [list | show ID]", Args: checkCaseArgs, RunE: o.run,
		Aliases:           []string{"explain"}, // the old name of cases show
		ValidArgsFunction: completeCases,
	}, o.selection.flags(), flags{"archive": &o.archives, "json": &o.asJSON})
	cmd.MarkFlagsMutuallyExclusive("archive", "json")
	return cmd
}

// caseCommands are what cases can do.
var caseCommands = []string{"list", "show"}

// checkCaseArgs accepts list, or show and an id.
func checkCaseArgs(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.CalledAs() == "explain" && len(args) != 1:
		return errors.New("explain takes one id, as in callwire explain expected-equals")
	case cmd.CalledAs() == "explain", len(args) == 0, slices.Equal(args, []string{"list"}),
		len(args) == 2 && args[0] == "show":
		return nil
	}
	maybe := cmp.Or(didYouMean(args[0], caseCommands), "; see "+cmd.CommandPath()+" --help")
	return fmt.Errorf("cases takes list, or show and an id%s", maybe)
}

// completeCases completes list, show, and everything that can be shown.
func completeCases(
	_ *cobra.Command, args []string, _ string,
) (words []cobra.Completion, _ cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		words = caseCommands
	case len(args) == 1 && args[0] == "show":
		words = spec.IDs()
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func (o *caseOptions) run(cmd *cobra.Command, args []string) error {
	shows := cmd.CalledAs() == "explain" || len(args) == 2
	for _, name := range []string{"level", "protocol", "topic", "rule"} {
		if cmd.Flags().Changed(name) && (shows || o.archives != "") {
			return fmt.Errorf("--%s selects what is listed; leave it out", name)
		}
	}
	if o.archives != "" && shows {
		return errors.New("--archive writes the whole corpus; leave out show")
	}
	if o.archives != "" {
		return writeArchives(o.archives)
	}
	return output(cmd, func(out *bufio.Writer) error {
		if shows {
			screen := terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorAuto)
			return showID(out, args[len(args)-1], o.asJSON, screen)
		}
		cases, err := o.cases()
		if err != nil {
			return err
		}
		listCases(out, cases, o.asJSON)
		return nil
	})
}

// listCases lists cases.
func listCases(out *bufio.Writer, cases []corpus.Case, asJSON bool) {
	enc := jsonl.NewEncoder(out)
	width := 0
	for _, c := range cases {
		width = max(width, len(c.ID))
	}
	for _, c := range cases {
		if asJSON {
			enc.Encode(c)
		} else {
			fmt.Fprintf(out, "%-*s  %-8s  %s\n", width, c.ID, c.Level, c.Note)
		}
	}
}

// showID prints what the specification has about an id, and a case in full.
func showID(out *bufio.Writer, id string, asJSON bool, s terminal.Screen) error {
	cases := slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
	i := slices.IndexFunc(cases, func(c corpus.Case) bool { return c.ID == id })
	enc := jsonl.NewEncoder(out)
	if asJSON && i >= 0 {
		return enc.Encode(cases[i])
	}
	e, ok := spec.Explain(id)
	switch {
	case !ok:
		return unknownID(id)
	case asJSON:
		return enc.Encode(e)
	}
	printEntry(out, e, s)
	if i < 0 {
		return nil
	}
	fmt.Fprintln(out)
	enc.SetIndent("", "  ")
	return enc.Encode(cases[i])
}

// unknownID is the error for an id that does not exist. It lists ids that contain it.
func unknownID(id string) error {
	all := spec.IDs()
	longer := slices.DeleteFunc(slices.Clone(all), func(other string) bool {
		return id == "" || !strings.Contains(other, id)
	})
	maybe := cmp.Or(didYouMean(id, all), "; see callwire cases")
	if n := len(longer); n > manyIDs {
		maybe = fmt.Sprintf("; %d ids contain it: %s, …", n, firstIDs(longer))
	} else if n > 0 {
		maybe = suggestion(longer...)
	}
	return fmt.Errorf("nothing has the id %q%s", id, maybe)
}

// manyIDs is how many ids are listed.
const manyIDs = 6

// firstIDs lists the first ids.
func firstIDs(ids []string) string { return strings.Join(ids[:min(len(ids), manyIDs)], ", ") }

// fence is a line that begins or ends a block of an entry.
var fence = regexp.MustCompile("(?m)^```[a-z]*$")

// lineEnd is whitespace at the end of a line.
var lineEnd = regexp.MustCompile("(?m) +$")

// printEntry prints an entry, with paragraphs wrapped and fenced blocks indented.
func printEntry(out *bufio.Writer, e spec.Entry, s terminal.Screen) {
	width := min(s.Width, terminal.PageWidth)
	fmt.Fprintf(out, "%s %s\n\n", s.Paint(terminal.Key, e.ID),
		s.Paint(terminal.Dim, "("+e.Kind+")"))
	for i, block := range fence.Split(e.Text, -1) {
		block = strings.Trim(block, "\n")
		if i%2 == 1 {
			block = "  " + strings.ReplaceAll(block, "\n", "\n  ")
			fmt.Fprintf(out, "%s\n\n", lineEnd.ReplaceAllString(block, ""))
			continue
		}
		for paragraph := range strings.SplitSeq(block, "\n\n") {
			if text := terminal.Wrap(paragraph, width); text != "" {
				fmt.Fprintf(out, "%s\n\n", text)
			}
		}
	}
	printIDs := func(head string, ids []string) {
		if len(ids) > 0 {
			fmt.Fprintln(out, terminal.Wrap(head+" "+firstIDs(ids), width))
		}
	}
	printIDs("Rules:", e.Rules)
	printIDs(terminal.Count(len(e.Cases), "case")+":", e.Cases)
}
