package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

func newFeedback() *cobra.Command {
	var (
		lang   language
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "feedback [FILE|-]",
		Short: "Print what to tell a model about the calls that it got wrong",
		Long: `feedback reads what a model wrote and prints, for each malformed call and each call
that does not fit its tool, what to answer: what was expected, where, and how to
write the call correctly. The answer is the next user message; send it to the model
as it is. Nothing is printed for a text without errors. Calls are read as callwire parse
reads them: a call that is repaired was executed, and the answer names the repair.

With --json each answer is one line: {"start":0,"end":9,"code":"…","text":"…"}.

Exit codes: 0 when nothing is wrong, 1 when something is, 2 when the command line
is wrong or a file cannot be read.`,
		Example: `  callwire feedback --sample
  callwire feedback answer.txt --tools tools.json --protocol hermes`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lang.check(cmd); err != nil {
				return err
			}
			catalog, err := lang.catalog(cmd, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			in, err := lang.input(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			text, err := io.ReadAll(in)
			if err != nil {
				return fmt.Errorf("cannot read: %w", err)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			explain, err := manual.New(catalog, &manual.Options{Format: lang.format})
			if err != nil {
				return err
			}
			known := protocol.Tools(lang.format, explain.Catalog())
			segments, err := parse.Message(known, string(text), &parse.Options{
				Format: lang.format, Limits: lang.limits, Repair: true,
				AllowAfterMalformed: true, Reasoning: parse.TaggedReasoning,
			})
			if err != nil {
				return err
			}
			n := printFeedback(out, segments, explain, asJSON)
			if err := out.Flush(); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
			if n > 0 {
				return errFound
			}
			return nil
		},
	}
	lang.registerTools(cmd)
	lang.registerSample(cmd)
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "print one line of JSON for each call")
	lang.registerProtocol(cmd)
	lang.registerFraming(cmd)
	return cmd
}

// feedbackLine is the JSON that feedback prints for a call.
type feedbackLine struct {
	Start int        `json:"start"`
	End   int        `json:"end"`
	Code  lexer.Code `json:"code"`
	Text  string     `json:"text"`
}

// printFeedback prints the feedback on segments and returns the number of calls with feedback.
func printFeedback(
	out *bufio.Writer, segments []parse.Segment, explain *manual.Manual, asJSON bool,
) (n int) {
	enc := jsonl.NewEncoder(out)
	for _, s := range segments {
		answer := explain.Feedback(s)
		if answer == "" {
			continue
		}
		switch n++; {
		case asJSON && s.Err != nil:
			enc.Encode(feedbackLine{s.Start, s.End, s.Err.Code, answer})
		case asJSON:
			enc.Encode(feedbackLine{s.Start, s.End, s.Call.Issues[0].Code, answer})
		default:
			fmt.Fprintln(out, terminal.VisibleText(answer))
		}
	}
	return n
}
