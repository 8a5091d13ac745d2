package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func newFormat() *cobra.Command {
	var (
		lang language
		opts parse.FormatOptions
	)
	cmd := &cobra.Command{
		Use:   "format [FILE|-]",
		Short: "Write calls: one line of JSON in, one call out",
		Long: `format writes calls in their canonical form. Each line of its input is a call as
JSON; each line of its output is that call as a model should write it.

  {"name":"getWeather","input":{"location":"New York","units":"metric"}}
  <call>getWeather location="New York" units=metric</call>

"arguments" is understood for "input", and both may be the object itself or its
JSON text in a string. Numbers keep their digits, keys their order. With --tools
the writing is the shortest that reads back to the same JSON under those tools.

A line that cannot be written is reported on standard error, with its number, a
code and how to mend it, and the next one is written.

Exit codes: 0 when every line was written, 1 when one was not, 2 when the command
line is wrong or a file cannot be read.`,
		Example: `  callwire format calls.jsonl --tools tools.json
  echo '{"name":"getWeather","input":{"location":"New York"}}' | callwire format
  callwire parse agent.txt --json | grep '"type":"tool-call"' | callwire format`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lang.check(cmd); err != nil {
				return err
			}
			opts.Delims, opts.Limits = lang.delims, lang.limits
			catalog, err := lang.catalog(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			in, err := openInput(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			return writeCalls(newLineReader(in), bufio.NewWriter(cmd.OutOrStdout()), cmd.ErrOrStderr(), opts, catalog)
		},
	}
	cmd.Flags().SortFlags = false
	lang.registerTools(cmd)
	cmd.Flags().BoolVar(&opts.JSON, "json-body", false, "write all arguments as one JSON object: <call>name {…}</call>")
	lang.registerFraming(cmd)
	return cmd
}

// writeCalls writes the call of each line of in to out, and what is wrong with
// a line to notes. Blank lines are left out.
func writeCalls(in *lineReader, out *bufio.Writer, notes io.Writer, opts parse.FormatOptions, catalog *sig.Catalog) error {
	var result error
	var text []byte
	for number := 1; ; number++ {
		line, err := in.next()
		switch {
		case err == io.EOF:
			return result
		case err != nil && err != errLongLine:
			return fmt.Errorf("cannot read on: %w", err)
		case err == nil && len(line) == 0:
			continue
		case err == nil:
			text, err = appendCall(text[:0], line, opts, catalog)
		}
		if err != nil {
			complain(notes, fmt.Errorf("line %d: %w", number, err))
			result = errFound
			continue
		}
		out.Write(append(text, '\n'))
		if err := out.Flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}

// appendCall appends the call that line describes to dst.
func appendCall(dst, line []byte, opts parse.FormatOptions, catalog *sig.Catalog) ([]byte, error) {
	const want = `write one {"name":"…","input":{…}} in each line`
	var call struct {
		Name      protocol.Text   `json:"name"`
		Input     json.RawMessage `json:"input"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(line, &call); err != nil {
		return dst, fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonError(err), want)
	}
	if err := checkMembers(line); err != nil {
		return dst, fmt.Errorf("%s: %w; %s", lexer.DuplicateKey, err, want)
	}
	if call.Input == nil {
		call.Input = call.Arguments
	} else if call.Arguments != nil {
		return dst, fmt.Errorf("%s: both input and arguments; %s", lexer.DuplicateKey, want)
	}
	switch {
	case call.Name == nil:
		return dst, fmt.Errorf("%s: no name; %s", lexer.BadName, want)
	case call.Input == nil:
		return dst, fmt.Errorf("%s: no input; %s", lexer.NotAnObject, want)
	}
	input := []byte(call.Input)
	if input[0] == '"' {
		var text protocol.Text
		if err := json.Unmarshal(input, &text); err != nil {
			return dst, fmt.Errorf("%s: input: %w", lexer.InvalidJSON, jsonError(err))
		}
		input = text
	}
	dst, err := opts.Append(dst, catalog, string(call.Name), input)
	var fault *lexer.Error
	if errors.As(err, &fault) {
		switch fault.Code {
		case lexer.BadName, lexer.NameTooLong, lexer.UnknownTool:
		default: // its offset is in the input, not in the line
			return dst, fmt.Errorf("input: %w", err)
		}
	}
	return dst, err
}
