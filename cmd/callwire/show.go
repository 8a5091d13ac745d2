package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/spec"
)

// showID prints what the specification has about an id, and a case in full.
func showID(out *bufio.Writer, id string, asJSON bool, s terminal.Screen) error {
	cases := allCases()
	i := slices.IndexFunc(cases, func(c corpus.Case) bool { return c.ID == id })
	enc := jsonl.NewEncoder(out)
	if asJSON && i >= 0 {
		return enc.Encode(cases[i])
	}
	e, ok, err := spec.Explain(id)
	switch {
	case err != nil:
		return err
	case !ok && i < 0:
		return fmt.Errorf("nothing has the id %q%s", id, nearID(id))
	case ok && asJSON:
		return enc.Encode(e)
	case ok:
		printEntry(out, e, s)
	}
	if i < 0 {
		return nil
	}
	fmt.Fprintln(out)
	enc.SetIndent("", "  ")
	return enc.Encode(cases[i])
}

// printEntry prints an entry, with paragraphs wrapped and fenced blocks indented.
func printEntry(out *bufio.Writer, e spec.Entry, s terminal.Screen) {
	width := min(s.Width, terminal.PageWidth)
	fmt.Fprintf(out, "%s %s\n\n", s.Paint(terminal.Key, e.ID),
		s.Paint(terminal.Dim, "("+e.Kind+")"))
	for i, block := range strings.Split(e.Text, "```") {
		if i%2 == 0 {
			if text := strings.TrimSpace(block); text != "" {
				printParagraphs(out, text, width)
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

// printParagraphs prints paragraphs in lines of at most width columns. Lines that are indented stay
// as they are.
func printParagraphs(out *bufio.Writer, text string, width int) {
	for block := range strings.SplitSeq(text, "\n\n") {
		paragraph := ""
		for line := range strings.SplitSeq(block+"\n ", "\n") {
			if !strings.HasPrefix(line, " ") {
				paragraph += line + "\n"
				continue
			}
			if paragraph != "" {
				fmt.Fprintln(out, terminal.Wrap(paragraph, width))
				paragraph = ""
			}
			fmt.Fprintln(out, strings.TrimRight(line, " "))
		}
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
	all := allIDs()
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
