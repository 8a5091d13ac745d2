package main

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

func newConvert() *cobra.Command {
	var (
		lang     language
		from, to string
	)
	cmd := &cobra.Command{
		Use:   "convert [FILE|-] --to SHAPE",
		Short: "Convert a conversation between native calls and calls in text",
		Long: `convert reads the messages of a conversation, a JSON array or a request with one in
it, and prints them in another shape: openai (chat completions), responses, anthropic,
gemini, ollama, ai-sdk, ai-sdk-ui, or wire, with calls in the assistant's text and results
in the user's. Calls and results without an id get one if the API needs it: call_1, call_2.

The shape of the input is detected: it is wire if no message has a native call or
result. Malformed calls stay text. With --tools the arguments of calls in text are
typed, and the manual of those tools is removed from the system message.

--protocol names another format of calls in text: --to wire writes it, and every other
shape is read from it. --from takes such a name too, to read one format and write another.

Exit codes: 0 when all is done, 1 when a call or result could not be converted as
such, 2 when the command line is wrong or the messages cannot be read.`,
		Example: `  callwire convert messages.json --to wire --tools tools.json
  callwire convert wire.json --to openai --tools tools.json
  callwire convert messages.json --to anthropic
  callwire convert messages.json --to wire --protocol hermes
  callwire convert hermes.json --from hermes --to wire`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lang.check(cmd); err != nil {
				return err
			}
			if to == "" {
				return fmt.Errorf("convert needs the shape to write, --to: %s", orList(conversation.Shapes()))
			}
			var read parse.Protocol // the format of calls in the text that is read
			if to != "wire" {
				read = lang.format
			}
			if !slices.Contains([]string{"auto", "wire", "native"}, from) {
				p, err := protocol.Format(from)
				if err != nil {
					return err
				}
				if to != "wire" && lang.format != nil && from != lang.name {
					return fmt.Errorf("calls in text are read as %s by --from, and as %s by --protocol: give one of them", from, lang.name)
				}
				read = p
			}
			catalog, err := lang.catalog(cmd, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			data, err := readInput(cmd, args)
			if err != nil {
				return err
			}
			t, err := conversation.ReadTranscript(data)
			if err != nil {
				return err
			}
			t.Catalog, t.Options = catalog, parse.Options{Protocol: read, Delims: lang.delims, Limits: lang.limits}
			if from != "native" && (from != "auto" || !t.Native()) {
				if err := t.ReadText(); err != nil {
					return err
				}
			}
			var result error
			if to == "wire" {
				o := manual.Options{Protocol: lang.format, Tags: lang.delims, KeepUserText: true}
				m, err := manual.New(catalog, &o)
				if err != nil {
					return err
				}
				var errs []*manual.HistoryError
				t.Messages, errs = m.Rewrite(t.Messages)
				for _, e := range errs {
					note(cmd.ErrOrStderr(), "%s", e)
					result = errFound
				}
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			enc := jsonl.NewEncoder(out)
			enc.SetIndent("", "  ")
			shaped, err := t.As(to)
			if err != nil {
				return err
			}
			if err := enc.Encode(shaped); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
			return result
		},
	}
	f := cmd.Flags()
	enumVar(f, &to, "to", "", "the shape to write", conversation.Shapes()...)
	enumVar(f, &from, "from", "auto", "the shape to read, or the format of calls in the text that is read",
		append([]string{"auto", "native"}, protocol.Formats()...)...)
	lang.registerTools(cmd)
	lang.registerProtocol(cmd)
	lang.registerFraming(cmd)
	return cmd
}
