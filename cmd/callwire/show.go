package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
)

// showID prints what the specification has about an id, and a case in full.
func showID(out *bufio.Writer, id string, asJSON bool, s terminal.Screen) error {
	i := slices.IndexFunc(allCases(), func(c corpus.Case) bool { return c.ID == id })
	if asJSON && i >= 0 {
		jsonl.NewEncoder(out).Encode(allCases()[i])
		return nil
	}
	e, ok, err := spec.Explain(id)
	switch {
	case err != nil:
		return err
	case !ok && i < 0:
		return fmt.Errorf("nothing has the id %q%s", id, nearID(id))
	case ok && asJSON:
		jsonl.NewEncoder(out).Encode(e)
		return nil
	case ok:
		printEntryOf(out, e, s)
	}
	if i >= 0 {
		return printCase(out, &allCases()[i])
	}
	return nil
}

// printCase prints a case as JSON.
func printCase(out *bufio.Writer, c *corpus.Case) error {
	var line, page bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := errors.Join(enc.Encode(c), json.Indent(&page, line.Bytes(), "", "  "))
	out.WriteByte('\n')
	out.Write(page.Bytes())
	return err
}

// newExplain is the old name of cases show.
func newExplain() *cobra.Command {
	cmd := newCases()
	cmd.Use, cmd.Hidden, cmd.ValidArgsFunction = "explain ID", true, nil
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New("explain takes one id, as in callwire explain expected-equals")
		}
		return nil
	}
	cases := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return cases(cmd, []string{"show", args[0]})
	}
	return cmd
}

// printEntryOf prints an entry, with paragraphs wrapped and fenced blocks indented.
func printEntryOf(out *bufio.Writer, e spec.Entry, s terminal.Screen) {
	width := min(s.Width, terminal.PageWidth)
	fmt.Fprintf(out, "%s %s\n\n", s.Paint(terminal.Key, e.ID),
		s.Paint(terminal.Dim, "("+e.Kind+")"))
	for i, block := range strings.Split(e.Text, "```") {
		if i%2 == 0 {
			if text := strings.TrimSpace(block); text != "" {
				fmt.Fprintln(out, reflow(text, width)+"\n")
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

// nearID names ids that were probably meant: those that contain the word, or else the
// nearest one.
func nearID(id string) string {
	all := spec.IDs()
	for _, c := range allCases() {
		all = append(all, c.ID)
	}
	var near []string
	for _, other := range all {
		contains := strings.Contains(strings.ToLower(other), strings.ToLower(id))
		if contains && !slices.Contains(near, other) {
			near = append(near, other)
		}
	}
	if len(near) == 0 {
		near = append(near, nearest(id, all))
	}
	if near[0] == "" {
		return "; see callwire cases"
	}
	return "; there is " + strings.Join(near[:min(len(near), 5)], ", ")
}
