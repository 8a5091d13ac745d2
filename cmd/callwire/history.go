package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

func newHistory() *cobra.Command {
	var (
		words                wording
		withManual, keepUser bool
		asJSON               bool
	)
	cmd := &cobra.Command{
		Use:   "history [FILE|-]",
		Short: "Rewrite a conversation so that its tool calls are text",
		Long: `history reads the messages of a conversation, a JSON array in the shape of OpenAI
(chat completions or responses), Anthropic or the AI SDK (for models or for user
interfaces), and prints them with tool calls as text: the assistant's calls become
part of its text, and tool results become user text between <tool-result> tags.
Calls and tags inside results and user text are neutralized. Images, files and
reasoning stay where they are.

A call that cannot be written, because its arguments are not a JSON object or its
name is not valid, is described in words in its place and reported on standard
error.

With --json the messages are printed as a JSON array, otherwise for reading.

Exit codes: 0 when all is done, 1 when a call or result could not be rewritten as
such, 2 when the command line is wrong, or the messages cannot be read.`,
		Example: `  callwire history messages.json --tools tools.json --json
  callwire history messages.json --tools tools.json --manual
  callwire history messages.json --tools tools.json --protocol hermes`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkInputs(words.tools, args); err != nil {
				return err
			}
			o, err := words.options()
			if err != nil {
				return err
			}
			var catalog *sig.Catalog
			if words.tools != "" || withManual {
				if catalog, err = words.catalog(cmd); err != nil {
					return err
				}
			}
			o.KeepUserText = keepUser
			m, err := manual.New(catalog, &o)
			if over := new(manual.BudgetError); err != nil && !errors.As(err, &over) {
				return err
			}
			data, err := readInput(cmd, args)
			if err != nil {
				return err
			}
			messages, err := conversation.Read(data)
			if err != nil {
				return err
			}
			var result error
			messages, errs := m.Rewrite(messages)
			for _, e := range errs {
				note(cmd.ErrOrStderr(), "%s", e)
				result = errFound
			}
			if withManual {
				messages = manual.AddPrompt(messages, m.String(), o.Placement)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				err = printMessages(out, messages)
			} else {
				showMessages(out, messages)
			}
			if err == nil {
				err = out.Flush()
			}
			if err == nil {
				err = result
			}
			return err
		},
	}
	words.register(cmd)
	words.registerProtocol(cmd)
	words.registerTags(cmd)
	cmd.Flags().BoolVar(&withManual, "manual", false, "put the manual of the tools into the system message")
	words.registerManual(cmd)
	cmd.Flags().BoolVar(&keepUser, "keep-user-text", false, "do not neutralize tags in user text")
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "print a JSON array")
	return cmd
}

// printMessages prints a JSON array with a message in each line.
func printMessages(out *bufio.Writer, messages []manual.Message) error {
	out.WriteString("[")
	for i, m := range messages {
		text, err := m.MarshalJSON()
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n")
		out.WriteString(sig.Visible(string(text)))
	}
	_, err := out.WriteString("\n]\n")
	return err
}

// showMessages prints messages to be read.
func showMessages(out *bufio.Writer, messages []manual.Message) {
	for i, m := range messages {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "── %s\n", terminal.Visible(m.Role))
		for _, p := range m.Parts {
			if p.Kind != manual.Text {
				fmt.Fprintf(out, "[%s]\n", terminal.Visible(p.Raw[:min(len(p.Raw), terminal.PageWidth)]))
				continue
			}
			fmt.Fprintln(out, terminal.VisibleText(p.Text))
		}
	}
}
