package main

import (
	"bufio"
	"encoding/json"
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

// formatOptions are the flags of format.
type formatOptions struct {
	settings
	jsonBody bool
	repair   bool
}

func newFormat() *cobra.Command {
	o := &formatOptions{}
	cmd := &cobra.Command{
		Use: "format [FILE|-]", Args: atMostOneFile, RunE: o.run,
		Aliases: []string{"repair"}, // the old name of format --repair
	}
	o.typeFlags(cmd)
	o.protocolFlag(cmd)
	cmd.Flags().BoolVar(&o.jsonBody, "json-body", false,
		"write all arguments as one JSON object: <call>name {…}</call>")
	cmd.Flags().BoolVar(&o.repair, "repair", false,
		"print calls as JSON whose arguments have the types of the schema")
	o.framingFlags(cmd)
	return cmd
}

// run writes the calls that args name.
func (o *formatOptions) run(cmd *cobra.Command, args []string) error {
	o.repair = o.repair || cmd.CalledAs() == "repair"
	if o.repair && o.tools == "" {
		return fmt.Errorf("%s needs the tools: --tools tools.json", cmd.CalledAs())
	}
	catalog, in, err := o.open(cmd, args)
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriter(cmd.OutOrStdout())
	tools := protocol.Tools(o.format, catalog)
	write := func(call parse.Call) error {
		line, err := parse.AppendCall(nil, tools, call.Name, call.Input, &parse.FormatOptions{
			Format: o.format, Limits: o.limits, JSON: o.jsonBody, Visible: true,
		})
		if err == nil {
			out.Write(append(line, '\n'))
		}
		return inInput(err)
	}
	if o.repair {
		enc := jsonl.NewEncoder(out)
		write = func(call parse.Call) error {
			line, err := repair(call, catalog)
			if err == nil || errors.Is(err, errFound) {
				enc.Encode(line)
			}
			return err
		}
	}
	return eachCall(jsonl.NewValues(in), cmd.ErrOrStderr(), write, out.Flush)
}

// inInput marks errors whose offset is in the input of a call, and not in the line.
func inInput(err error) error {
	var fault *parse.Error
	if !errors.As(err, &fault) {
		return err
	}
	switch fault.Code {
	case lexer.BadName, lexer.NameTooLong, lexer.UnknownTool:
		return err
	}
	return fmt.Errorf("input: %w", err)
}

// repaired is a call as format --repair prints it.
type repaired struct {
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Issues []issue         `json:"issues,omitempty"`
}

type issue struct {
	Code lexer.Code `json:"code"`
	Path string     `json:"path,omitempty"`
	At   int        `json:"at"`
}

// repair returns a call with the types of its tool. errFound means that it still doesn't fit.
func repair(call parse.Call, catalog *sig.Catalog) (r repaired, err error) {
	input, issues, err := parse.Coerce(catalog, call.Name, call.Input)
	r = repaired{Name: call.Name, Input: input}
	for _, i := range issues {
		r.Issues = append(r.Issues, issue{i.Code, i.Path, i.Offset})
		if err == nil && i.Code != lexer.Coerced {
			err = errFound
		}
	}
	return r, err
}

// eachCall calls do for each call in the JSON values of in, and flush after each value. It reports
// errors on notes and goes on. do returns errFound for an error that it has reported itself.
func eachCall(
	in *jsonl.Values, notes io.Writer, do func(parse.Call) error, flush func() error,
) error {
	var result error
	read, found := 0, 0
	for {
		value, number, err := in.Next()
		switch {
		case err == io.EOF:
			if read > 0 && found == 0 {
				note(notes, "no call in the input; %s", conversation.WantCalls)
				result = errFound
			}
			return result
		case err != nil:
			return fmt.Errorf("cannot read on: %w", err)
		}
		calls, wrong := conversation.ReadCalls(value)
		read, found = read+1, found+len(calls)+len(wrong)
		var faults []error
		for _, call := range calls {
			faults = append(faults, do(call))
		}
		faults = append(faults, wrong...)
		for _, err := range faults {
			if err != nil {
				result = errFound
			}
			if err != nil && err != errFound {
				note(notes, "line %d: %s", number, err)
			}
		}
		if err := flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}
