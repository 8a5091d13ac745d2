package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig/constrain"
)

// grammarOptions are the flags of grammar.
type grammarOptions struct {
	settings
	form, mode, out   string
	only              []string
	freeKeys, samples int
	seed              uint64
	bare              bool
}

func newGrammar() *cobra.Command {
	o := &grammarOptions{}
	cmd := &cobra.Command{
		Use: "grammar --tools FILE --format FORMAT", Args: nothing, RunE: o.run,
	}
	f := cmd.Flags()
	o.toolsFlag(cmd)
	enumVar(f, &o.form, "format", "gbnf", "the format of the grammar",
		"gbnf", "ebnf", "structural-tag", "lark", "custom-tool", "regex")
	enumVar(f, &o.mode, "mode", "auto", "what a message is", "auto", "required", "named", "one")
	f.StringArrayVar(&o.only, "tool", nil, "the only `tool` that may be called; may be repeated")
	enumVar(f, &o.protocol, "protocol", "wire", "the format of calls",
		format.Names(constrain.Formats())...)
	enumVar(f, &o.Syntax, "syntax", "wire", "how arguments are written", "wire", "json")
	o.tagFlags(cmd)
	f.BoolVar(&o.bare, "bare", false,
		"no prose: calls and nothing else, as in the input of a custom tool")
	countVar(f, &o.freeKeys, "free-keys", 1, 1, "at most `N` free names in an object")
	f.StringVarP(&o.out, "out", "o", "", "write to `file`")
	countVar(f, &o.samples, "sample", 0, 0,
		"print `N` random messages of the grammar, one JSON string per line")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the random messages, a `number`")
	f.BoolVarP(&o.quiet, "quiet", "q", false,
		"do not report problems of schemas, and where the grammar differs")
	return cmd
}

func (o *grammarOptions) run(cmd *cobra.Command, _ []string) error {
	options, err := o.options()
	if err != nil {
		return err
	}
	catalog, err := o.someTools(cmd)
	if err != nil {
		return err
	}
	g, err := constrain.New(catalog, options)
	if err != nil {
		if errors.Is(err, constrain.ErrUnknownTool) {
			err = fmt.Errorf("%w in %s", err, o.tools)
		}
		return err
	}
	if !o.quiet {
		for _, n := range g.Notes() {
			at := n.Tool
			if n.Path != "" {
				at += ", " + n.Path
			}
			note(cmd.ErrOrStderr(), "%s: %s: %s: %s", at, n.Keyword, n.Kind, n.Message)
		}
	}
	text, err := o.text(g)
	if err != nil {
		return err
	}
	if o.out != "" {
		return writeTo(o.out, []byte(text))
	}
	_, err = io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// options returns the options of package constrain.
func (o *grammarOptions) options() (c constrain.Options, err error) {
	if err := o.settle(); err != nil {
		return c, err
	}
	c = constrain.Options{
		Format: format.Lookup(o.protocol), Tools: o.only, FreeKeys: o.freeKeys, Bare: o.bare,
		Tags: format.Tags{Open: o.Open, Close: o.Close}, Plan: o.manual.Plan,
		Required: o.mode != "auto", Last: o.mode == "one",
	}
	switch {
	case o.mode == "named" && len(o.only) == 0:
		return c, errors.New("--mode named needs the tool: --tool NAME")
	case c.Format != format.Wire && o.Syntax != "wire":
		return c, errors.New("--syntax is for the wire format; " +
			"the others write arguments in one way")
	}
	return c, nil
}

// text returns the grammar in its format, or samples.
func (o *grammarOptions) text(g *constrain.Grammar) (string, error) {
	if o.samples > 0 {
		var text strings.Builder
		random := rand.New(rand.NewPCG(o.seed, 0))
		for range o.samples {
			jsonl.NewEncoder(&text).Encode(g.Sample(random, 40+random.IntN(200)))
		}
		return text.String(), nil
	}
	switch o.form {
	case "gbnf", "ebnf":
		return g.GBNF(), nil
	case "structural-tag":
		return string(g.StructuralTag()) + "\n", nil
	case "lark":
		return g.Lark(), nil
	case "custom-tool":
		// of OpenAI's chat completions, whose input is a message of the grammar
		return fmt.Sprintf(`{"type":"grammar","grammar":{"syntax":"lark","definition":%s}}`+"\n",
			rawjson.Quote(g.Lark())), nil
	}
	text, err := g.Regex()
	return text + "\n", err
}
