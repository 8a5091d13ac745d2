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
	words                 wording
	explain, asJSON, lint bool
	linter                linter
}

func newSig() *cobra.Command {
	s := &sigOptions{}
	cmd := &cobra.Command{
		Use:   "sig [TOOL…]",
		Short: "Print the signatures of tools, one line each",
		Long: `sig prints what a model sees of each tool, one line each:

  getWeather location days?:int units?:metric|imperial - Get the weather

Required parameters come first, ? marks the others, and a parameter without a type
is a string. A tool with a parameter that key=value cannot carry has its parameters
in braces, and is called with one JSON object. With --explain each line is followed
by the form that was chosen and why, and by what the line leaves out of the schema:
descriptions that are cut or left out, and constraints such as ranges and patterns.
--parameters full prints whole descriptions.

With --json each tool is one line of JSON:

  {"name":"find","line":"find {\"due date\"}","syntax":"json",
   "reasons":[{"code":"key","path":"due date","message":"…"}]}

--lint reports instead what a model will not see as the author of the tools meant it:

  error    a tool that no call can reach: left out, or with a name that is not
           valid in a call
  warning  a schema that cannot be taken literally, such as one with the type
           "str", or a tool without a description
  note     what the line leaves out, such as a pattern, and tools that are
           called with one JSON object

Exit codes: 0 when all is done, 1 when --lint finds something of the level of
--fail, 2 when the command line is wrong, a file cannot be read, or --fallback
error meets a tool that key=value cannot carry.`,
		Example: `  callwire sig --tools tools.json
  callwire sig --tools tools.json --style classic --parameters off getWeather
  callwire sig --tools tools.json --explain
  callwire sig --tools tools.json --lint --quiet && echo all right`,
		RunE: s.run,
	}
	s.words.register(cmd)
	f := cmd.Flags()
	f.BoolVar(&s.explain, "explain", false, "print which form was chosen for each tool, and why")
	f.BoolVar(&s.lint, "lint", false, "report mistakes in the tools instead")
	s.linter.register(cmd)
	f.BoolVarP(&s.asJSON, "json", "j", false, "print one line of JSON for each tool, or finding")
	return cmd
}

// run prints the signatures of the tools that are named, or of all.
func (s *sigOptions) run(cmd *cobra.Command, names []string) error {
	if s.lint && s.words.tools != "" {
		return s.linter.run(cmd, s.words.tools, s.asJSON)
	}
	o, err := s.words.options()
	if err != nil {
		return err
	}
	catalog, err := s.words.catalog(cmd)
	if err != nil {
		return err
	}
	for _, name := range names {
		if catalog.Lookup([]byte(name)) == nil {
			near := nearest(name, toolNames(catalog))
			return fmt.Errorf("there is no tool %q in %s%s", name, s.words.tools, maybe(near))
		}
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	for _, t := range catalog.Tools() {
		if len(names) > 0 && !slices.Contains(names, t.Name) {
			continue
		}
		p, err := o.Plan.Plan(t)
		if err != nil {
			return err
		}
		printSignature(out, p, o.Signatures, s.explain, s.asJSON)
	}
	return out.Flush()
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

func printSignature(out *bufio.Writer, p sig.Plan, o sig.SignatureOptions, explain, asJSON bool) {
	line := o.Signature(p)
	if asJSON {
		s := signature{Name: p.Tool.Name, Line: line, Syntax: p.Syntax.String()}
		for _, x := range o.Omitted(p) {
			s.Omitted = append(s.Omitted, omission{x.Path, x.Keyword, json.RawMessage(x.Value)})
		}
		for _, r := range p.Reasons {
			s.Reasons = append(s.Reasons, reason{r.Code, r.Path, r.Message})
		}
		jsonl.NewEncoder(out).Encode(s)
		return
	}
	fmt.Fprintln(out, line)
	if !explain {
		return
	}
	if len(p.Reasons) == 0 {
		fmt.Fprintf(out, "  %s: key=value carries every parameter\n", p.Syntax)
	}
	at := func(path string) string {
		if path == "" {
			return ""
		}
		return " " + terminal.Visible(path) + ":"
	}
	for _, r := range p.Reasons {
		fmt.Fprintf(out, "  %s:%s %s\n", p.Syntax, at(r.Path), terminal.Visible(r.Message))
	}
	for _, x := range o.Omitted(p) {
		fmt.Fprintf(out, "  left out:%s %s %s\n", at(x.Path), x.Keyword, terminal.Visible(x.Value))
	}
}

func toolNames(catalog *sig.Catalog) (names []string) {
	for _, t := range catalog.Tools() {
		names = append(names, t.Name)
	}
	return names
}
