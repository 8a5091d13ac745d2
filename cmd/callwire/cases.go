package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
)

func newCases() *cobra.Command {
	var s selection
	var asJSON bool
	var archives string
	cmd := &cobra.Command{
		Use:   "cases [list | show ID]",
		Short: "List the cases of the conformance corpus, or show one",
		Long: `cases lists the cases of the conformance corpus, one per line: id, level and what
it is about. show prints one case in full, with the rules that it exercises.`,
		Example: `  callwire cases --topic framing
  callwire cases --rule 'recovery.*' --level core
  callwire cases show framing/text-only
  callwire cases --protocol hermes
  callwire cases --json >cases.jsonl
  callwire cases --archive dist`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) == 1 && args[0] == "list" || len(args) == 2 && args[0] == "show" {
				return nil
			}
			return fmt.Errorf("cases takes list, or show and the id of a case; see %s --help", cmd.CommandPath())
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if archives != "" {
				return writeArchives(archives)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if len(args) == 2 {
				if err := showCase(out, args[1], asJSON); err != nil {
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
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (words []cobra.Completion, _ cobra.ShellCompDirective) {
			switch {
			case len(args) == 0:
				words = []cobra.Completion{"list", "show"}
			case len(args) == 1 && args[0] == "show":
				for _, c := range allCases() {
					words = append(words, c.ID)
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	enumVar(f, &s.level, "level", "", "only the cases of this level", "core", "extended")
	f.StringVar(&s.topic, "topic", "", "only the cases of this `topic`, the part of the id before the slash")
	f.StringVar(&s.rule, "rule", "", "only the cases that exercise a rule whose id matches this `glob`")
	enumVar(f, &s.protocol, "protocol", "", "the cases of another format, not those of the wire format", protocol.Formats()...)
	f.StringVar(&archives, "archive", "", "write the corpus into this `folder` as archives, plain and for npm and PyPI, with their checksums")
	f.BoolVarP(&asJSON, "json", "j", false, "print one line of JSON for each case")
	return cmd
}

// listCases lists cases; on a screen each in one line of its width.
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

// allCases returns all cases that can be shown, of the wire format and of others.
func allCases() []corpus.Case {
	return slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
}

func showCase(out *bufio.Writer, id string, asJSON bool) error {
	for _, c := range allCases() {
		if c.ID != id {
			continue
		}
		if asJSON {
			jsonl.NewEncoder(out).Encode(c)
			return nil
		}
		fmt.Fprintf(out, "%s\n", c.Note)
		for _, rule := range corpus.Rules() {
			for _, name := range c.Rules {
				if name == rule.ID {
					fmt.Fprintf(out, "  %s: %s\n", rule.ID, rule.Text)
				}
			}
		}
		var line, page bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		enc.Encode(c)
		json.Indent(&page, line.Bytes(), "", "  ")
		out.WriteByte('\n')
		out.Write(page.Bytes())
		return nil
	}
	return fmt.Errorf("no case %q%s", id, nearCase(id))
}

// nearCase names cases that may have been meant.
func nearCase(id string) string {
	_, slug, _ := strings.Cut(id, "/")
	if slug == "" {
		slug = id
	}
	var near []string
	for _, c := range slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases()) {
		if strings.Contains(c.ID, slug) && len(near) < 3 {
			near = append(near, c.ID)
		}
	}
	if len(near) == 0 {
		return "; see callwire cases"
	}
	return "; there is " + strings.Join(near, ", ")
}
