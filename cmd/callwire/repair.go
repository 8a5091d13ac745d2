package main

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// newRepair is the old name of format --repair.
func newRepair() *cobra.Command {
	cmd := newFormat()
	cmd.Use, cmd.Hidden = "repair [FILE|-] --tools FILE", true
	format := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cmd.Flags().Set("repair", "true")
		return format(cmd, args)
	}
	return cmd
}

// repaired is a call as format --repair prints it.
type repaired struct {
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Issues []issueLine     `json:"issues,omitempty"`
}

// issueLine is an issue as JSON.
type issueLine struct {
	Code lexer.Code `json:"code"`
	Path string     `json:"path,omitempty"`
	At   int        `json:"at"`
}

// repairCalls writes the calls in the JSON values of in to out, repaired.
func repairCalls(in *jsonl.Values, out *bufio.Writer, notes io.Writer, catalog *sig.Catalog) error {
	enc := jsonl.NewEncoder(out)
	return eachCall(in, notes, func(call conversation.Call) error {
		input, issues, err := parse.Coerce(catalog, call.Name, call.Input)
		if err != nil {
			return err
		}
		line := repaired{Name: call.Name, Input: input}
		for _, i := range issues {
			line.Issues = append(line.Issues, issueLine{i.Code, i.Path, i.Offset})
			if i.Code != lexer.Coerced {
				err = errFound
			}
		}
		enc.Encode(line)
		return err
	}, out.Flush)
}
