package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
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
	s := &sigOptions{}
	cmd := &cobra.Command{
		Use: "sig [TOOL…]", RunE: s.run,
		Aliases: []string{"check"}, // the old name of sig --lint
	}
	s.toolsFlag(cmd, toolsUsage)
	s.notationFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&s.explain, "explain", false, "print which form was chosen for each tool, and why")
	f.BoolVar(&s.lint, "lint", false, "report mistakes in the tools instead")
	s.lintFlags(cmd)
	f.BoolVarP(&s.asJSON, "json", "j", false, "print one line of JSON for each tool, or finding")
	return cmd
}

// settleOld sets what the old name of the command means, which takes the file as an argument.
func (s *sigOptions) settleOld(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 0 && s.tools != "":
		return fmt.Errorf("name the tools once, not by %s and by --tools", args[0])
	case len(args) > 0:
		s.tools = args[0]
	case s.tools == "":
		s.tools = "-"
	}
	s.lint = true
	return atMostOneFile(cmd, args)
}

// run prints the signatures of the tools that are named, or of all.
func (s *sigOptions) run(cmd *cobra.Command, names []string) error {
	if cmd.CalledAs() == "check" {
		if err := s.settleOld(cmd, names); err != nil {
			return err
		}
	}
	if s.lint && s.tools != "" {
		return s.runLint(cmd)
	}
	if err := s.settle(); err != nil {
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
	return output(cmd, func(out *bufio.Writer) error {
		for _, t := range catalog.Tools() {
			if len(names) > 0 && !slices.Contains(names, t.Name) {
				continue
			}
			p, err := s.manual.Plan.Plan(t)
			if err != nil {
				return err
			}
			s.print(out, p)
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
	maybe := ""
	if near := nearest(name, names); near != "" {
		maybe = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("there is no tool %q in %s%s", name, s.tools, maybe)
}

// signature is the JSON that sig prints for a tool.
type signature struct {
	Name    string     `json:"name"`
	Line    string     `json:"line"`
	Syntax  string     `json:"syntax"`
	Reasons []reason   `json:"reasons,omitempty"`
	Omitted []omission `json:"omitted,omitempty"`
}

type omission struct {
	Path    string          `json:"path,omitempty"`
	Keyword string          `json:"keyword"`
	Value   json.RawMessage `json:"value"`
}

type reason struct {
	Code    string `json:"code"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// print prints the signature of a tool, why it has its form, and what its line leaves out.
func (s *sigOptions) print(out *bufio.Writer, p sig.Plan) {
	o := s.manual.Signatures
	line := signature{Name: p.Tool.Name, Line: o.Signature(p), Syntax: "wire"}
	if p.JSON {
		line.Syntax = "json"
	}
	for _, r := range p.Reasons {
		line.Reasons = append(line.Reasons, reason{r.Code, r.Path, r.Message})
	}
	for _, x := range o.Omitted(p) {
		line.Omitted = append(line.Omitted, omission{x.Path, x.Keyword, json.RawMessage(x.Value)})
	}
	if s.asJSON {
		jsonl.NewEncoder(out).Encode(line)
		return
	}
	fmt.Fprintln(out, line.Line)
	if !s.explain {
		return
	}
	at := func(path string) string {
		if path == "" {
			return ""
		}
		return " " + terminal.Visible(path) + ":"
	}
	if len(line.Reasons) == 0 {
		fmt.Fprintf(out, "  %s: key=value carries every parameter\n", line.Syntax)
	}
	for _, r := range line.Reasons {
		fmt.Fprintf(out, "  %s:%s %s\n", line.Syntax, at(r.Path), terminal.Visible(r.Message))
	}
	for _, x := range line.Omitted {
		fmt.Fprintf(out, "  left out:%s %s %s\n", at(x.Path), x.Keyword, terminal.Visible(x.Value))
	}
}
