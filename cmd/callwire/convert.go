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
	cmd := describe(&cobra.Command{
		Use: "convert [FILE|-] --to SHAPE", Args: atMostOneFile, RunE: c.run,
		Aliases: []string{"history"}, // the old name of convert --to wire --neutralize --read
	}, c.flags(), flags{
		"to":         oneOf(&c.to, append([]string{""}, conversation.Shapes()...)...),
		"from":       oneOf(&c.from, append([]string{"auto", "native"}, protocol.Formats()...)...),
		"manual":     &c.withManual,
		"neutralize": &c.neutralize,
		"read":       &c.read,
	})
	f := cmd.Flags()
	oldName(f, "neutralize", "keep-user-text", true)
	f.BoolVarP(&c.asJSON, "json", "j", false, "print JSON")
	f.Lookup("json").Hidden = true
	return cmd
}

// run converts the conversation that args name.
func (c *convertOptions) run(cmd *cobra.Command, args []string) error {
	if cmd.CalledAs() == "history" {
		c.to, c.from, c.read = wireShape, "native", !c.asJSON
		c.neutralize = c.neutralize || !cmd.Flags().Changed("keep-user-text")
	}
	switch {
	case c.to == "":
		return fmt.Errorf("convert needs the shape to write, --to: %s",
			orList(conversation.Shapes()))
	case c.to != wireShape && (c.read || c.withManual || c.neutralize):
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
		c.manual.KeepUserText = !c.neutralize
		m, err := manual.New(t.Catalog, &c.manual)
		if m == nil {
			return err
		}
		var faults []error
		t.Messages, faults = m.Rewrite(t.Messages)
		if c.withManual {
			t.Messages = manual.AddPrompt(t.Messages, m.String(), c.manual.PromptFirst)
		}
		for _, fault := range faults {
			note(cmd.ErrOrStderr(), "%s", fault)
			lost = errFound
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
	switch {
	case err != nil:
		return nil, err
	case c.withManual && catalog == nil:
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
	if c.from == "native" || c.from == "auto" && t.Native() {
		return t, nil
	}
	if err := checkTools(read, catalog); err != nil {
		return nil, err
	}
	return t, t.ReadText()
}

// source returns the format of the calls in the text that is read.
func (c *convertOptions) source() (*parse.Format, error) {
	isFormat := c.from != "auto" && c.from != wireShape && c.from != "native"
	isOther := c.protocol != wireShape && c.protocol != c.from
	switch {
	case isFormat && c.to != wireShape && isOther:
		return nil, fmt.Errorf("calls in text are read as %s by --from, and as %s by --protocol: "+
			"give one of them", c.from, c.protocol)
	case isFormat:
		return protocol.Format(c.from, parse.Tags{})
	case c.to == wireShape && c.Open == "":
		return protocol.Format(wireShape, parse.Tags{})
	}
	return c.format, nil
}

// showMessages prints messages to be read.
func showMessages(out *bufio.Writer, messages []manual.Message) {
	for i, m := range messages {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "── %s\n", terminal.Visible(m.Role))
		for _, p := range m.Parts {
			if p.Kind == manual.Text {
				fmt.Fprintln(out, terminal.VisibleText(p.Text))
			} else {
				raw := p.Raw[:min(len(p.Raw), terminal.PageWidth)]
				fmt.Fprintf(out, "[%s]\n", terminal.Visible(raw))
			}
		}
	}
}
