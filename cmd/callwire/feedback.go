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

// feedbackOptions are the flags of feedback.
type feedbackOptions struct {
	settings
	asJSON bool
}

func newFeedback() *cobra.Command {
	a := &feedbackOptions{}
	return describe(&cobra.Command{
		Use: "feedback [FILE|-]", Args: atMostOneFile, RunE: a.run,
	}, a.flags(), flags{"json": &a.asJSON})
}

// run prints the feedback on the calls in a text.
func (a *feedbackOptions) run(cmd *cobra.Command, args []string) error {
	catalog, in, err := a.open(cmd, args)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("cannot read: %w", err)
	}
	explain, err := manual.New(catalog, &manual.Options{Format: a.format})
	if err != nil {
		return err
	}
	known := protocol.Tools(a.format, explain.Catalog())
	segments, err := parse.Message(known, string(text), &parse.Options{
		Format: a.format, Limits: a.limits, Repair: true,
		AllowAfterMalformed: true, Reasoning: parse.TaggedReasoning,
	})
	if err != nil {
		return err
	}
	return output(cmd, func(out *bufio.Writer) (found error) {
		for _, s := range segments {
			if answer := explain.Feedback(s); answer != "" {
				a.print(out, s, answer)
				found = errFound
			}
		}
		return found
	})
}

// print prints the feedback on a segment.
func (a *feedbackOptions) print(out *bufio.Writer, s parse.Segment, answer string) {
	if !a.asJSON {
		fmt.Fprintln(out, terminal.VisibleText(answer))
		return
	}
	var code lexer.Code
	if s.Err != nil {
		code = s.Err.Code
	} else {
		code = s.Call.Issues[0].Code
	}
	jsonl.NewEncoder(out).Encode(struct {
		Start int        `json:"start"`
		End   int        `json:"end"`
		Code  lexer.Code `json:"code"`
		Text  string     `json:"text"`
	}{s.Start, s.End, code, answer})
}
