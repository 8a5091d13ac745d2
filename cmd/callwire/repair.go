package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func newRepair() *cobra.Command {
	var lang language
	cmd := &cobra.Command{
		Use:   "repair [FILE|-] --tools FILE",
		Short: "Fix JSON arguments so that they fit the tools' schemas",
		Long: `repair reads calls as callwire format does, and types their arguments by the tools:
JSON text in a string where the schema wants an array or object, a number or true in
a string, a number where it wants a string, one value where it wants an array. What
fits is not changed. Each call is printed as one line of JSON, with its issues:

  {"name":"t","input":{"n":5},"issues":[{"code":"coerced","path":"n","at":5}]}

at counts bytes in the input as it was given. callwire explain CODE explains a code.

Exit codes: 0 when every call now fits, 1 when one does not or cannot be read, 2
when the command line is wrong or a file cannot be read.`,
		Example: `  echo '{"name":"runTests","input":{"flags":"{\"race\":\"yes\"}"}}' >calls.jsonl
  callwire repair calls.jsonl --tools tools.json
  callwire repair calls.jsonl -t tools.json | callwire format -t tools.json`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if lang.tools == "" {
				return errors.New("repair needs the tools: --tools tools.json")
			}
			catalog, err := lang.catalog(cmd, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			in, err := openInput(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			return repairCalls(jsonl.NewValues(in), bufio.NewWriter(cmd.OutOrStdout()), cmd.ErrOrStderr(), catalog)
		},
	}
	lang.registerTools(cmd)
	return cmd
}

// repaired is a call as repair prints it.
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
		input, issues, err := parse.Repair(catalog, call.Name, call.Input)
		if err != nil {
			return err
		}
		line := repaired{Name: call.Name, Input: input}
		for _, i := range issues {
			line.Issues = append(line.Issues, issueLine{i.Code, i.Path, i.At})
			if i.Code != lexer.Coerced {
				err = errFound
			}
		}
		enc.Encode(line)
		return err
	}, out.Flush)
}
