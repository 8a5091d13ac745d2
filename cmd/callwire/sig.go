package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/sig"
)

// sigOptions are the flags of sig.
type sigOptions struct {
	settings
	explain, asJSON, lint bool
	least                 string // with lint: the lowest level that counts
	onlyFailing           bool   // report only what counts
}

func newSig() *cobra.Command {
	s := &sigOptions{least: "warning"}
	return describe(&cobra.Command{
		Use: "sig [TOOL…]", RunE: s.run,
		Aliases: []string{"check"}, // the old name of sig --lint
	}, s.flags(), flags{
		"explain": &s.explain,
		"lint":    &s.lint,
		"fail":    oneOf(&s.least, findingLevels...),
		"quiet":   &s.onlyFailing,
		"json":    &s.asJSON,
	})
}

// run prints the signatures of the tools that are named, or of all.
func (s *sigOptions) run(cmd *cobra.Command, names []string) error {
	if cmd.CalledAs() == "check" { // the old name takes the file as an argument
		if s.tools != "" {
			names = append(names, s.tools)
		}
		if err := atMostOneFile(cmd, names); err != nil {
			return err
		}
		s.lint, s.tools = true, cmp.Or(strings.Join(names, ""), "-")
	}
	if s.lint && s.tools != "" {
		return s.runLint(cmd)
	}
	err := s.settle()
	if err != nil {
		return err
	}
	catalog, err := s.someTools(cmd)
	if err != nil {
		return err
	}
	for _, name := range names {
		if catalog.Lookup([]byte(name)) == nil {
			return s.unknownTool(name, catalog)
		}
	}
	isOther := func(t *sig.Tool) bool {
		return len(names) > 0 && !slices.Contains(names, t.Name)
	}
	tools := slices.DeleteFunc(slices.Clone(catalog.Tools()), isOther)
	plans := make([]sig.Plan, len(tools))
	for i, t := range tools {
		plans[i], err = t.Plan(s.manual.Form)
		if err != nil {
			return err
		}
	}
	return output(cmd, func(out *bufio.Writer) error {
		enc := jsonl.NewEncoder(out)
		for _, p := range plans {
			if s.asJSON {
				enc.Encode(s.signature(p))
				continue
			}
			fmt.Fprintln(out, s.manual.Signatures.Signature(p))
			if s.explain {
				for _, f := range notesOn(p, s.manual.Signatures) {
					fmt.Fprintf(out, "  %s\n", f)
				}
			}
		}
		return nil
	})
}

// unknownTool is the error for a tool that does not exist.
func (s *sigOptions) unknownTool(name string, catalog *sig.Catalog) error {
	var names []string
	for _, t := range catalog.Tools() {
		names = append(names, t.Name)
	}
	return fmt.Errorf("there is no tool %q in %s%s", name, s.tools, didYouMean(name, names))
}

// signature is the JSON that sig prints for a tool: why it has its form, and what its line leaves
// out.
type signature struct {
	Name    string        `json:"name"`
	Line    string        `json:"line"`
	Syntax  string        `json:"syntax"`
	Reasons []sig.Problem `json:"reasons,omitempty"`
	Omitted []omission    `json:"omitted,omitempty"`
}

type omission struct {
	Path    string          `json:"path,omitempty"`
	Keyword string          `json:"keyword"`
	Value   json.RawMessage `json:"value"`
}

func (s *sigOptions) signature(p sig.Plan) signature {
	o := s.manual.Signatures
	line := signature{p.Tool.Name, o.Signature(p), "wire", p.Reasons, nil}
	if p.JSON {
		line.Syntax = "json"
	}
	for _, x := range o.Omitted(p) {
		line.Omitted = append(line.Omitted, omission{x.Path, x.Name, json.RawMessage(x.Value)})
	}
	return line
}
