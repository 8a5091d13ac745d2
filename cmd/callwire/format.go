package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// formatting is what a command line asks of format.
type formatting struct {
	lang     language
	jsonBody bool
	repair   bool
}

func newFormat() *cobra.Command {
	o := &formatting{}
	cmd := &cobra.Command{
		Use:   "format [FILE|-]",
		Short: "Write calls: JSON in, one line per call out",
		Long: `format writes calls in their canonical form. Its input is JSON, in lines or
pretty-printed; each line of its output is a call as a model should write it.

  {"name":"getWeather","input":{"location":"New York","units":"metric"}}
  <call>getWeather location="New York" units=metric</call>

"arguments" works in place of "input", and either may be the object itself or its
JSON text in a string. So does what an API returns: calls, messages and whole
responses of OpenAI, Anthropic and the AI SDK, alone or in arrays; what is not a call,
such as text and results, is skipped. Numbers keep their digits and keys their order;
characters that show nothing, or turn the direction of text, are written as escapes.
With --tools each call is written in the shortest form that reads back to the same
JSON with those tools.

With --repair each call is printed as JSON instead, with arguments of the types that
its tool wants: JSON text in a string where the schema wants an array or object, a
number or true in a string, a number where it wants a string, one value where it wants
an array. What fits is not changed; what still does not fit is an issue:

  {"name":"t","input":{"n":5},"issues":[{"code":"coerced","path":"n","at":5}]}

A call that cannot be written is reported on standard error with its line number, a
code and a suggested fix, and the next one is written.

Exit codes: 0 when every call was written, 1 when one was not, or does not fit, 2 when
the command line is wrong or a file cannot be read.`,
		Example: `  callwire format calls.jsonl --tools tools.json
  echo '{"name":"getWeather","input":{"location":"New York"}}' | callwire format
  callwire parse agent.txt --json | callwire format
  callwire parse hermes.txt --protocol hermes --json | callwire format
  callwire format calls.jsonl --protocol qwen3-coder --tools tools.json
  callwire format calls.jsonl --repair --tools tools.json`,
		Args: atMostOneFile,
		RunE: o.run,
	}
	o.lang.registerTools(cmd)
	o.lang.registerProtocol(cmd)
	cmd.Flags().BoolVar(&o.jsonBody, "json-body", false,
		"write all arguments as one JSON object: <call>name {…}</call>")
	cmd.Flags().BoolVar(&o.repair, "repair", false,
		"print calls as JSON whose arguments have the types of the schema")
	o.lang.registerFraming(cmd)
	return cmd
}

// run writes the calls that args name.
func (o *formatting) run(cmd *cobra.Command, args []string) error {
	if err := o.lang.check(cmd); err != nil {
		return err
	}
	if o.repair && o.lang.tools == "" {
		return fmt.Errorf("%s needs the tools: --tools tools.json", cmd.Name())
	}
	catalog, err := o.lang.catalog(cmd, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	in, err := openInput(cmd, args)
	if err != nil {
		return err
	}
	defer in.Close()
	values, out := jsonl.NewValues(in), bufio.NewWriter(cmd.OutOrStdout())
	if o.repair {
		return repairCalls(values, out, cmd.ErrOrStderr(), catalog)
	}
	return writeCalls(values, out, cmd.ErrOrStderr(), &parse.FormatOptions{
		Format: o.lang.format, Limits: o.lang.limits,
		JSON: o.jsonBody, Visible: true,
	}, protocol.Tools(o.lang.format, catalog))
}

// writeCalls writes the calls in the JSON values of in to out, and errors to notes.
func writeCalls(
	in *jsonl.Values, out *bufio.Writer, notes io.Writer,
	opts *parse.FormatOptions, catalog *sig.Catalog,
) error {
	var text []byte
	return eachCall(in, notes, func(call conversation.Call) error {
		written, err := appendCall(text[:0], call, opts, catalog)
		text = written
		if err == nil {
			out.Write(append(text, '\n'))
		}
		return err
	}, out.Flush)
}

// appendCall appends the call to dst as a model should write it.
func appendCall(
	dst []byte, call conversation.Call, opts *parse.FormatOptions, catalog *sig.Catalog,
) ([]byte, error) {
	dst, err := parse.AppendCall(dst, catalog, call.Name, call.Input, opts)
	var fault *parse.Error
	if errors.As(err, &fault) {
		switch fault.Code {
		case lexer.BadName, lexer.NameTooLong, lexer.UnknownTool:
		default: // its offset is in the input, not in the line
			return dst, fmt.Errorf("input: %w", err)
		}
	}
	return dst, err
}
