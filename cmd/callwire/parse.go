package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	cmd := &cobra.Command{Use: "parse [FILE|-]", Args: atMostOneFile, RunE: p.run}
	f := cmd.Flags()
	p.toolsFlag(cmd)
	p.lazyFlags(cmd)
	p.sampleFlag(cmd)
	p.protocolFlag(cmd)
	f.BoolVarP(&p.show.JSON, "json", "j", false, "print one line of JSON for each part, or event")
	f.BoolVarP(&p.show.Follow, "follow", "f", false, "show calls while they arrive, event by event")
	f.IntVar(&p.show.Chunk, "chunk", 0, "read `N` bytes at a time, even if more or fewer arrive")
	f.BoolVar(&p.everySplit, "every-split", false,
		"prove that the text reads the same in any chunks")
	f.BoolVar(&p.allSplits, "all-splits", false,
		"with --every-split: try every split, however long it takes")
	f.BoolVar(&p.check, "check", false, "exit with 1 if a call is malformed")
	p.readingFlags(f)
	p.framingFlags(cmd)
	f.BoolVarP(&p.debug, "debug", "v", false,
		"also print malformed calls and issues as JSON on standard error")
	colorVar(f, &p.color)
	for _, other := range []string{"follow", "chunk", "json", "check", "debug"} {
		cmd.MarkFlagsMutuallyExclusive("every-split", other)
	}
	return cmd
}

// readingFlags adds the flags for which calls are accepted.
func (p *parseOptions) readingFlags(f *pflag.FlagSet) {
	o := &p.show.Parse
	f.BoolVar(&o.Strict, "strict", false, "treat a call that does not fit its schema as malformed")
	f.BoolVar(&o.Repair, "repair", true,
		"read likely mistakes of models if their meaning is certain, with an issue for each")
	f.BoolVar(&o.AllowAfterMalformed, "allow-after-malformed", true,
		"accept calls after a malformed one")
	f.BoolVar(&o.AllowInCode, "allow-in-code", false, "accept calls in Markdown code")
	f.BoolVar(&o.AllowUnclosed, "allow-unclosed", false,
		"accept a last call without its close tag if it is otherwise complete")
	f.BoolVar(&p.reasoning, "reasoning", true,
		"ignore calls in reasoning, such as <think>…</think>")
	f.BoolVar(&p.inReasoning, "in-reasoning", false,
		"the text begins inside reasoning, up to its closing tag, such as </think>")
	oldName(f, "repair", "salvage", false)
	oldName(f, "allow-after-malformed", "stop-after-malformed", true)
	oldName(f, "allow-in-code", "code", true)
	oldName(f, "allow-unclosed", "accept-at-end", false)
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
