package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

func newGrammar() *cobra.Command {
	var o grammarOptions
	cmd := &cobra.Command{
		Use:   "grammar --tools FILE --format FORMAT",
		Short: "Print a grammar that keeps a model to the format",
		Long: `grammar prints a grammar of prose and calls of the tools, for engines that constrain
what a model writes. Every call written under it reads back, with arguments that
fit. The formats, and the line to paste:

  gbnf            llama.cpp:  llama-cli --grammar-file tools.gbnf …
                  llama-server, LocalAI:  {"grammar": "…"}, never beside tools
                  Fireworks:
                  {"response_format": {"type": "grammar", "grammar": "…"}}
  ebnf            xgrammar, WebLLM:  GrammarCompiler.compileGrammar("…")
                  SGLang:  {"ebnf": "…"}
                  vLLM:  {"structured_outputs": {"grammar": "…"}}
  structural-tag  xgrammar, with unconstrained prose:
                  vLLM, SGLang:
                  {"response_format": {"type": "structural_tag", …}}
  lark            llguidance; in llama.cpp and SGLang after %llguidance {}
  custom-tool     custom tools of OpenAI, with --mode required --bare:
                  {"type": "custom", "custom": {"name": "…", "format": …}}
  regex           engines that take an expression, if no value is nested in one
                  of its kind

callwire proxy --constrain ENGINE adds it to each request.

--mode sets what a message may be: auto, prose and any number of calls; required, at
least one call; named, at least one, and all of --tool; one, prose and one call at
its end.

Where the grammar differs from a schema is reported on standard error: where it
allows more (widened) or less (narrowed), and which tools it leaves out. An object
with free names, such as a map, may have one of them unless --free-keys allows more:
no grammar can make two names differ, and a repeated name makes the call malformed.

Exit codes: 0 when all is done, 2 when the command line is wrong, a file cannot be
read or written, or there is no such grammar.`,
		Example: `  callwire grammar --tools tools.json --format gbnf --out tools.gbnf
  callwire grammar --tools tools.json --format structural-tag --mode required
  callwire grammar --tools tools.json --sample 5`,
		Args: nothing,
		RunE: o.run,
	}
	f := cmd.Flags()
	toolsVar(cmd, &o.tools,
		"the tools, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK")
	enumVar(f, &o.format, "format", "gbnf", "the format of the grammar",
		"gbnf", "ebnf", "structural-tag", "lark", "custom-tool", "regex")
	enumVar(f, &o.mode, "mode", "auto", "what a message is", "auto", "required", "named", "one")
	f.StringArrayVar(&o.only, "tool", nil, "the only `tool` that may be called; may be repeated")
	enumVar(f, &o.protocol, "protocol", "wire", "the format of calls", grammarProtocols()...)
	enumVar(f, &o.syntax, "syntax", "wire", "how arguments are written", "wire", "json")
	tagsVar(cmd, &o.tags.Open, &o.tags.Close)
	f.BoolVar(&o.bare, "bare", false,
		"no prose: calls and nothing else, as in the input of a custom tool")
	f.IntVar(&o.freeKeys, "free-keys", 1, "at most `N` free names in an object")
	f.StringVarP(&o.out, "out", "o", "", "write to `file`")
	f.IntVar(&o.sample, "sample", 0,
		"print `N` random messages of the grammar, one JSON string per line")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the random messages, a `number`")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "do not report where grammar and schemas differ")
	return cmd
}

// grammarOptions are the flags of grammar.
type grammarOptions struct {
	tools, format, mode   string
	protocol, syntax, out string
	only                  []string
	tags                  format.Tags
	freeKeys, sample      int
	seed                  uint64
	quiet, bare           bool
}

func (o *grammarOptions) run(cmd *cobra.Command, _ []string) error {
	options, err := o.options()
	if err != nil {
		return err
	}
	if o.tools == "" {
		return errors.New("no tools; name their file: --tools tools.json")
	}
	catalog, err := readCatalog(cmd, io.Discard, o.tools, protocol.Lazy{})
	if err != nil {
		return err
	}
	g, err := constrain.New(catalog, options)
	switch {
	case errors.Is(err, constrain.ErrUnknownTool):
		return fmt.Errorf("%s in %s", strings.TrimPrefix(err.Error(), "constrain: "), o.tools)
	case err != nil:
		return errors.New(strings.TrimPrefix(err.Error(), "constrain: "))
	}
	if !o.quiet {
		for _, n := range g.Notes() {
			note(cmd.ErrOrStderr(), "%s", noteLine(n))
		}
	}
	text, err := o.text(g)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "constrain: "))
	}
	if o.out == "" {
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	if err := os.WriteFile(o.out, text, 0o666); err != nil {
		return fmt.Errorf("cannot write %s: %w", o.out, pathless(err))
	}
	return nil
}

// grammarProtocols returns the names of the formats that have a grammar.
func grammarProtocols() []string {
	var names []string
	for _, f := range constrain.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// options returns the options of package constrain.
func (o *grammarOptions) options() (c constrain.Options, err error) {
	c = constrain.Options{Tools: o.only, Tags: o.tags, FreeKeys: o.freeKeys, Bare: o.bare}
	switch o.mode {
	case "required":
		c.Required = true
	case "named":
		c.Required = true
		if len(o.only) == 0 {
			return c, errors.New("--mode named needs the tool: --tool NAME")
		}
	case "one":
		c.Required, c.Last = true, true
	}
	if o.syntax == "json" {
		c.Plan.Syntax = sig.JSON
	}
	c.Format = format.Lookup(o.protocol) // the flag has no other values
	if o.tags != (format.Tags{}) {
		if _, err := protocol.Tagged(c.Format, o.tags); err != nil {
			return c, fmt.Errorf("--open and --close: %w", err)
		}
	}
	switch {
	case c.Format != format.Wire && o.syntax != "wire":
		return c, errors.New("--syntax is for the wire format; " +
			"the others write arguments in one way")
	case o.freeKeys < 1 || o.sample < 0:
		return c, errors.New("--free-keys is at least 1, and --sample is not negative")
	}
	return c, nil
}

// text returns what is asked for: the grammar in its format, or samples.
func (o *grammarOptions) text(g *constrain.Grammar) ([]byte, error) {
	if o.sample > 0 {
		var out strings.Builder
		w := bufio.NewWriter(&out)
		encoder := jsonl.NewEncoder(w)
		random := rand.New(rand.NewPCG(o.seed, 0))
		for range o.sample {
			encoder.Encode(g.Sample(random, 40+random.IntN(200)))
		}
		w.Flush()
		return []byte(out.String()), nil
	}
	switch o.format {
	case "gbnf":
		return []byte(g.GBNF()), nil
	case "ebnf":
		return []byte(g.EBNF()), nil
	case "structural-tag":
		return append(g.StructuralTag(), '\n'), nil
	case "lark":
		return []byte(g.Lark()), nil
	case "custom-tool":
		return append(g.CustomTool(), '\n'), nil
	}
	text, err := g.Regex()
	return []byte(text + "\n"), err
}

// noteLine returns a note in one line.
func noteLine(n constrain.Note) string {
	at := n.Tool
	if n.Path != "" {
		at += ", " + n.Path
	}
	return fmt.Sprintf("%s: %s: %s: %s", at, n.Keyword, n.Kind, n.Message)
}
