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
)

// convertOptions are the flags of convert.
type convertOptions struct {
	settings
	from, to   string
	withManual bool // put the manual into the system message
	neutralize bool // neutralize calls and tags in user text
	read       bool // print the messages for reading
	asJSON     bool // even under the old name
}

// wireShape is the shape with calls in text.
const wireShape = "wire"

func newConvert() *cobra.Command {
	c := &convertOptions{}
	cmd := &cobra.Command{
		Use: "convert [FILE|-] --to SHAPE", Args: atMostOneFile, RunE: c.run,
		Aliases: []string{"history"}, // the old name of convert --to wire --neutralize --read
	}
	f := cmd.Flags()
	enumVar(f, &c.to, "to", "", "the shape to write", conversation.Shapes()...)
	enumVar(f, &c.from, "from", "auto",
		"the shape to read, or the format of calls in the text that is read",
		append([]string{"auto", "native"}, protocol.Formats()...)...)
	c.typeFlags(cmd)
	c.protocolFlag(cmd)
	f.BoolVar(&c.withManual, "manual", false, "put the manual of the tools into the system message")
	f.BoolVar(&c.neutralize, "neutralize", false,
		"neutralize calls and tags in what users say, too")
	f.BoolVar(&c.read, "read", false, "print the messages for reading, not as JSON")
	c.framingFlags(cmd)
	c.notationFlags(cmd)
	c.manualFlags(cmd)
	oldName(f, "neutralize", "keep-user-text", true)
	f.BoolVarP(&c.asJSON, "json", "j", false, "print JSON")
	f.Lookup("json").Hidden = true
	return cmd
}

// settleOld sets what the old name of the command means.
func (c *convertOptions) settleOld(cmd *cobra.Command) {
	if cmd.CalledAs() == "history" {
		c.to, c.from, c.read = wireShape, "native", !c.asJSON
		c.neutralize = c.neutralize || !cmd.Flags().Changed("keep-user-text")
	}
}

// run converts the conversation that args name.
func (c *convertOptions) run(cmd *cobra.Command, args []string) error {
	c.settleOld(cmd)
	if c.to == "" {
		return fmt.Errorf("convert needs the shape to write, --to: %s",
			orList(conversation.Shapes()))
	}
	if c.to != wireShape && (c.read || c.withManual || c.neutralize) {
		return errors.New("--read, --manual and --neutralize are for --to wire")
	}
	if err := c.settle(); err != nil {
		return err
	}
	t, err := c.transcript(cmd, args)
	if err != nil {
		return err
	}
	var lost error // errFound for calls or results that could not be rewritten
	if c.to == wireShape {
		lost, err = c.rewrite(cmd, t)
		if err != nil {
			return err
		}
	}
	return output(cmd, func(out *bufio.Writer) error {
		if c.read {
			showMessages(out, t.Messages)
			return lost
		}
		shaped, err := t.As(c.to)
		if err != nil {
			return err
		}
		enc := jsonl.NewEncoder(out)
		enc.SetIndent("", "  ")
		return errors.Join(enc.Encode(shaped), lost)
	})
}

// transcript reads the conversation, with the calls and results in its text.
func (c *convertOptions) transcript(
	cmd *cobra.Command, args []string,
) (*conversation.Transcript, error) {
	read, err := c.source()
	if err != nil {
		return nil, err
	}
	catalog, err := c.catalog(cmd)
	if err != nil {
		return nil, err
	}
	if c.withManual && catalog == nil {
		return nil, errNoTools
	}
	data, err := readInput(cmd, args)
	if err != nil {
		return nil, err
	}
	t, err := conversation.ReadTranscript(data)
	if err != nil {
		return nil, err
	}
	t.Catalog = catalog
	t.Options = parse.Options{
		Format: read, Limits: c.limits, AllowAfterMalformed: true, AllowInCode: true,
	}
	t.Exact = c.to == wireShape && read.String() == c.format.String()
	if c.from == "native" || c.from == "auto" && t.Native() {
		return t, nil
	}
	return t, t.ReadText()
}

// source returns the format of the calls in the text that is read.
func (c *convertOptions) source() (*parse.Format, error) {
	if c.from == "auto" || c.from == wireShape || c.from == "native" {
		if c.to == wireShape && c.Open == "" {
			return protocol.Format(wireShape)
		}
		return c.format, nil
	}
	if c.to != wireShape && c.protocol != wireShape && c.from != c.protocol {
		return nil, fmt.Errorf("calls in text are read as %s by --from, and as %s by --protocol: "+
			"give one of them", c.from, c.protocol)
	}
	return protocol.Format(c.from)
}

// rewrite makes the calls and results of a conversation text. It reports those that could
// not be rewritten as such; lost is errFound then.
func (c *convertOptions) rewrite(
	cmd *cobra.Command, t *conversation.Transcript,
) (lost, err error) {
	o := c.manual
	o.KeepUserText = !c.neutralize
	m, err := manual.New(t.Catalog, &o)
	var over *manual.BudgetError
	if err != nil && !errors.As(err, &over) {
		return nil, err
	}
	messages, errs := m.Rewrite(t.Messages)
	for _, e := range errs {
		note(cmd.ErrOrStderr(), "%s", e)
		lost = errFound
	}
	if c.withManual {
		messages = manual.AddPrompt(messages, m.String(), o.Placement)
	}
	t.Messages = messages
	return lost, nil
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
