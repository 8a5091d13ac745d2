package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

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
	return describe(&cobra.Command{
		Use: "format [FILE|-]", Args: atMostOneFile, RunE: o.run,
		Aliases: []string{"repair"}, // the old name of format --repair
	}, o.flags(), flags{"json-body": &o.jsonBody, "repair": &o.repair})
}

// run writes the calls in a file, value by value. It reports errors and goes on.
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
	write := o.write
	if o.repair {
		write = repair
	}
	values := jsonl.NewValues(in)
	found, result := 0, error(nil)
	for {
		value, line, err := values.Next()
		switch {
		case err == io.EOF && found == 0 && line > 1:
			note(cmd.ErrOrStderr(), "no call in the input; %s", conversation.WantCalls)
			return errFound
		case err == io.EOF:
			return result
		case err != nil:
			return fmt.Errorf("cannot read on: %w", err)
		}
		calls, faults := conversation.ReadCalls(value)
		found += len(calls) + len(faults)
		for _, call := range calls {
			text, err := write(catalog, call)
			out.Write(text)
			if err != nil {
				faults = append(faults, err)
			}
		}
		for _, err := range faults {
			result = errFound
			if err != errFound {
				note(cmd.ErrOrStderr(), "line %d: %s", line, err)
			}
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}

// write returns a call in its format, and a line end.
func (o *formatOptions) write(catalog *sig.Catalog, call parse.Call) ([]byte, error) {
	tools := protocol.Tools(o.format, catalog)
	text, err := parse.AppendCall(nil, tools, call.Name, call.Input, &parse.FormatOptions{
		Format: o.format, Limits: o.limits, JSON: o.jsonBody, Visible: true,
	})
	if err == nil {
		return append(text, '\n'), nil
	}
	var fault *parse.Error
	names := []lexer.Code{lexer.BadName, lexer.NameTooLong, lexer.UnknownTool}
	if errors.As(err, &fault) && !slices.Contains(names, fault.Code) {
		err = fmt.Errorf("input: %w", err) // its offset is in the input, and not in the line
	}
	return nil, err
}

// repair returns a call as JSON with the types of its tool, and a line end. errFound means that it
// still doesn't fit.
func repair(catalog *sig.Catalog, call parse.Call) ([]byte, error) {
	input, issues, err := parse.Coerce(catalog, call.Name, call.Input)
	if err != nil {
		return nil, err
	}
	type issue struct {
		Code lexer.Code `json:"code"`
		Path string     `json:"path,omitempty"`
		At   int        `json:"at"`
	}
	r := struct {
		Name   string          `json:"name"`
		Input  json.RawMessage `json:"input"`
		Issues []issue         `json:"issues,omitempty"`
	}{Name: call.Name, Input: input}
	for _, i := range issues {
		r.Issues = append(r.Issues, issue{i.Code, i.Path, i.Offset})
		if i.Code != lexer.Coerced {
			err = errFound
		}
	}
	var line bytes.Buffer
	jsonl.NewEncoder(&line).Encode(r) // strings and valid JSON: no error
	return line.Bytes(), err
}
