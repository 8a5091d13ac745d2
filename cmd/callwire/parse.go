package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/render"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
)

// parseOptions are the flags of parse.
type parseOptions struct {
	settings
	show       render.Options
	everySplit bool
	allSplits  bool
	work       int // bytes that are read for a proof without allSplits
	check      bool
	debug      bool

	reasoning   bool // read reasoning
	inReasoning bool // the text begins inside it
	color       terminal.ColorMode
}

func newParse() *cobra.Command {
	p := &parseOptions{work: wholeProof}
	o := &p.show.Parse
	o.Repair, o.AllowAfterMalformed, p.reasoning = true, true, true
	cmd := describe(&cobra.Command{
		Use: "parse [FILE|-]", Args: atMostOneFile, RunE: p.run,
	}, p.flags(), flags{
		"json":        &p.show.JSON,
		"follow":      &p.show.Follow,
		"chunk":       &p.show.Chunk,
		"every-split": &p.everySplit,
		"all-splits":  &p.allSplits,
		"check":       &p.check,
		"debug":       &p.debug,
		"color":       colors(&p.color),

		"strict":                &o.Strict,
		"repair":                &o.Repair,
		"allow-after-malformed": &o.AllowAfterMalformed,
		"allow-in-code":         &o.AllowInCode,
		"allow-unclosed":        &o.AllowUnclosed,
		"reasoning":             &p.reasoning,
		"in-reasoning":          &p.inReasoning,
	})
	f := cmd.Flags()
	oldName(f, "repair", "salvage", false)
	oldName(f, "allow-after-malformed", "stop-after-malformed", true)
	oldName(f, "allow-in-code", "code", true)
	oldName(f, "allow-unclosed", "accept-at-end", false)
	for _, other := range []string{"follow", "chunk", "json", "check", "debug"} {
		cmd.MarkFlagsMutuallyExclusive("every-split", other)
	}
	return cmd
}

// run is the command.
func (p *parseOptions) run(cmd *cobra.Command, args []string) error {
	chunk := p.show.Chunk
	switch {
	case cmd.Flags().Changed("chunk") && (chunk < 1 || chunk > render.MaxChunk):
		return fmt.Errorf("--chunk must be from 1 to %d, found %d", render.MaxChunk, chunk)
	case p.allSplits && !p.everySplit:
		return errors.New("--all-splits needs --every-split")
	}
	catalog, in, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	defer in.Close()
	o := &p.show.Parse
	o.Format, o.Limits = p.format, p.limits
	switch {
	case p.inReasoning:
		o.Reasoning = parse.StartedReasoning
	case p.reasoning:
		o.Reasoning = parse.TaggedReasoning
	}
	catalog = protocol.Tools(p.format, catalog)
	if p.debug {
		p.show.Log = cmd.ErrOrStderr()
	}
	if p.everySplit {
		return p.prove(cmd, in, catalog)
	}
	p.show.Screen = terminal.ScreenOf(cmd.OutOrStdout(), p.color)
	seen, err := p.show.Read(in, catalog, cmd.OutOrStdout())
	if err == nil && p.check && seen.Malformed > 0 {
		note(cmd.ErrOrStderr(), "%s malformed (--check)", terminal.Count(seen.Malformed, "call"))
		return errFound
	}
	return err
}
