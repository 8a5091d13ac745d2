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
	o := &grammarOptions{freeKeys: 1, seed: 1}
	return describe(&cobra.Command{
		Use: "grammar --tools FILE --format FORMAT", Args: nothing, RunE: o.run,
	}, o.flags(), flags{
		"format": oneOf(&o.form, "gbnf", "ebnf", "structural-tag", "lark", "custom-tool", "regex"),
		"mode":   oneOf(&o.mode, "auto", "required", "named", "one"),
		"tool":   repeated(&o.only),

		"protocol":  oneOf(&o.protocol, format.Names(constrain.Formats())...),
		"bare":      &o.bare,
		"free-keys": atLeast(1, &o.freeKeys),
		"out":       &o.out,
		"sample":    atLeast(0, &o.samples),
		"seed":      &o.seed,
	})
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
		Tags: format.Tags{Open: o.Open, Close: o.Close}, Form: o.manual.Form,
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
