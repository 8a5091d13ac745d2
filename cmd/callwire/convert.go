package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// converting is what a command line asks of convert.
type converting struct {
	lang       language
	words      wording // how the manual explains tools
	from, to   string
	withManual bool // put the manual into the system message
	neutralize bool // neutralize calls and tags in user text
	layout     layout
}

// layout is how messages are printed.
type layout int

const (
	indented layout = iota // as JSON
	perLine                // as JSON, with a message in each line
	readable               // for people
)

func newConvert() *cobra.Command { return new(converting).command() }

// command returns the command, whose flags set c.
func (c *converting) command() *cobra.Command {
	read := false
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

With --to wire, calls and tags in results are neutralized, and a call that cannot be
written is described in words and reported. --neutralize does the same to what users say,
--manual puts the manual of the tools into the system message, and --read prints the
messages for reading.

Exit codes: 0 when all is done, 1 when a call or result could not be converted as
such, 2 when the command line is wrong or the messages cannot be read.`,
		Example: `  callwire convert messages.json --to wire --tools tools.json
  callwire convert messages.json --to wire --tools tools.json --manual --read
  callwire convert wire.json --to openai --tools tools.json
  callwire convert messages.json --to anthropic
  callwire convert messages.json --to wire --protocol hermes
  callwire convert hermes.json --from hermes --to wire`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.to == "" {
				return fmt.Errorf("convert needs the shape to write, --to: %s",
					orList(conversation.Shapes()))
			}
			if c.to != wireShape && (read || c.withManual || c.neutralize) {
				return errors.New("--read, --manual and --neutralize are for --to wire")
			}
			if read {
				c.layout = readable
			}
			return c.run(cmd, args)
		},
	}
	f := cmd.Flags()
	enumVar(f, &c.to, "to", "", "the shape to write", conversation.Shapes()...)
	enumVar(f, &c.from, "from", "auto",
		"the shape to read, or the format of calls in the text that is read",
		append([]string{"auto", "native"}, protocol.Formats()...)...)
	c.lang.registerTools(cmd)
	c.lang.registerProtocol(cmd)
	f.BoolVar(&c.withManual, "manual", false, "put the manual of the tools into the system message")
	f.BoolVar(&c.neutralize, "neutralize", false,
		"neutralize calls and tags in what users say, too")
	f.BoolVar(&read, "read", false, "print the messages for reading, not as JSON")
	c.lang.registerFraming(cmd)
	c.words.registerNotation(cmd)
	c.words.registerManual(cmd)
	return cmd
}

// wireShape is the shape with calls in text.
const wireShape = "wire"

// newHistory is the old name of convert --to wire --neutralize, for reading or, with
// --json, as JSON with a message in each line.
func newHistory() *cobra.Command {
	c := new(converting)
	cmd := c.command()
	cmd.Use, cmd.Hidden = "history [FILE|-]", true
	keep := cmd.Flags().Bool("keep-user-text", false, "do not neutralize tags in user text")
	asJSON := cmd.Flags().BoolP("json", "j", false, "print a JSON array")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.to, c.from, c.neutralize, c.layout = wireShape, "native", !*keep, readable
		if *asJSON {
			c.layout = perLine
		}
		return c.run(cmd, args)
	}
	return cmd
}

// run converts the conversation that args name.
func (c *converting) run(cmd *cobra.Command, args []string) error {
	if err := c.lang.check(cmd); err != nil {
		return err
	}
	read, err := c.source()
	if err != nil {
		return err
	}
	catalog, err := c.lang.catalog(cmd, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if c.withManual && catalog == nil {
		return errors.New("no tools; name their file: --tools tools.json")
	}
	data, err := readInput(cmd, args)
	if err != nil {
		return err
	}
	t, err := conversation.ReadTranscript(data)
	if err != nil {
		return err
	}
	t.Catalog = catalog
	t.Options = parse.Options{
		Format: read, Limits: c.lang.limits, AllowAfterMalformed: true, AllowInCode: true,
	}
	t.Exact = c.to == wireShape && read.String() == c.lang.format.String()
	if c.from != "native" && (c.from != "auto" || !t.Native()) {
		if err := t.ReadText(); err != nil {
			return err
		}
	}
	lost := false
	if c.to == wireShape {
		lost, err = c.rewrite(cmd, t, catalog)
		if err != nil {
			return err
		}
	}
	if err := c.print(bufio.NewWriter(cmd.OutOrStdout()), t); err != nil {
		return err
	}
	if lost {
		return errFound
	}
	return nil
}

// source returns the format of the calls in the text that is read.
func (c *converting) source() (*parse.Format, error) {
	if c.from == "auto" || c.from == wireShape || c.from == "native" {
		if c.to == wireShape && c.lang.tags == (parse.Tags{}) {
			return protocol.Format(c.lang.name[:0])
		}
		return c.lang.format, nil
	}
	if c.to != wireShape && c.lang.name != wireShape && c.from != c.lang.name {
		return nil, fmt.Errorf("calls in text are read as %s by --from, and as %s by --protocol: "+
			"give one of them", c.from, c.lang.name)
	}
	return protocol.Format(c.from)
}

// rewrite makes the calls and results of a conversation text. It reports those that could
// not be rewritten as such.
func (c *converting) rewrite(
	cmd *cobra.Command, t *conversation.Transcript, catalog *sig.Catalog,
) (lost bool, err error) {
	o, err := c.words.options()
	if err != nil {
		return false, err
	}
	o.Format, o.KeepUserText = c.lang.format, !c.neutralize
	m, err := manual.New(catalog, &o)
	var over *manual.BudgetError
	if err != nil && !errors.As(err, &over) {
		return false, err
	}
	messages, errs := m.Rewrite(t.Messages)
	for _, e := range errs {
		note(cmd.ErrOrStderr(), "%s", e)
	}
	if c.withManual {
		messages = manual.AddPrompt(messages, m.String(), o.Placement)
	}
	t.Messages = messages
	return len(errs) > 0, nil
}

// print prints the messages of a conversation.
func (c *converting) print(out *bufio.Writer, t *conversation.Transcript) error {
	var err error
	switch c.layout {
	case readable:
		showMessages(out, t.Messages)
	case perLine:
		err = printMessages(out, t.Messages)
	default:
		enc := jsonl.NewEncoder(out)
		enc.SetIndent("", "  ")
		shaped, shapeErr := t.As(c.to)
		if shapeErr != nil {
			return shapeErr
		}
		err = enc.Encode(shaped)
	}
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return nil
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
				fmt.Fprintf(out, "[%s]\n",
					terminal.Visible(p.Raw[:min(len(p.Raw), terminal.PageWidth)]))
				continue
			}
			fmt.Fprintln(out, terminal.VisibleText(p.Text))
		}
	}
}
