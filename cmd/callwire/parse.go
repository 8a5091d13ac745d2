package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/render"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// parsing is what a command line asks of parse.
type parsing struct {
	lang       language
	opts       parse.Options
	asJSON     bool
	follow     bool
	everySplit bool
	allSplits  bool
	budget     int // bytes that are read for a proof without it
	chunk      int // bytes; 0 as they arrive
	check      bool
	debug      bool

	reasoning   bool // read reasoning
	inReasoning bool // the text begins inside it
	color       terminal.ColorMode
}

func newParse() *cobra.Command {
	p := &parsing{budget: wholeProof}
	cmd := &cobra.Command{
		Use:   "parse [FILE|-]",
		Short: "Read a text and print its prose, calls and malformed calls as they arrive",
		Long: `parse reads a text from a file, or from standard input, and prints its parts as
soon as they are complete, while the text is still arriving: prose, calls with
their exact JSON arguments, and malformed calls with the error and a suggested fix.

With --json each part is one line of JSON. start and end count bytes; input is JSON text:

  {"type":"text","start":0,"end":3,"text":"hi "}
  {"type":"tool-call","start":3,"end":21,"name":"t","input":"{\"a\":1}"}
  {"type":"malformed","start":21,"end":42,"name":"t","code":"expected-equals",…}

A malformed call also has "at", the byte of the error, "closed", whether it ends with
a close tag, and "message". A call can also have "issues", what did not fit its schema,
and "afterMalformed":true. Text that is not UTF-8 is {"b64":"…"}.

With --follow a call is shown as it grows. With --json each event is then one line, and
the deltas of a call, joined, are its input:

  {"type":"tool-input-start","id":"call-1","name":"t"}
  {"type":"tool-input-delta","id":"call-1","delta":"{\"a\":1}"}

--every-split proves that chunks make no difference: it reads the text at every cut list
of the conformance corpus, whole, byte by byte, cut in two and in three, and in chunks of
several sizes, and compares the events. Of a long text a sample is tried, unless
--all-splits is given.

Exit codes: 0 when the text was read, malformed calls included; 1 when, with --check, a
call in it is malformed, or, with --every-split, a split changes an event; 2 when
the command line is wrong or a file cannot be read.`,
		Example: `  callwire parse --sample
  callwire parse agent.txt --tools tools.json
  some-agent | callwire parse --follow --json
  callwire parse agent.txt --json | jq -c 'select(.input) | .input | fromjson'
  callwire parse agent.txt --tools tools.json --strict --check && echo all right
  callwire parse agent.txt --every-split
  callwire parse agent.txt --open '<call-7f3a>' --close '</call-7f3a>'
  callwire parse qwen.txt --protocol qwen3-coder --tools tools.json`,
		Args: atMostOneFile,
		RunE: p.run,
	}
	f := cmd.Flags()
	p.lang.registerTools(cmd)
	p.lang.registerSample(cmd)
	p.lang.registerProtocol(cmd)
	f.BoolVarP(&p.asJSON, "json", "j", false, "print one line of JSON for each part, or event")
	f.BoolVarP(&p.follow, "follow", "f", false, "show calls while they arrive, event by event")
	f.IntVar(&p.chunk, "chunk", 0, "read `N` bytes at a time, even if more or fewer arrive")
	f.BoolVar(&p.everySplit, "every-split", false,
		"prove that the text reads the same in any chunks")
	f.BoolVar(&p.allSplits, "all-splits", false,
		"with --every-split: try every split, however long it takes")
	f.BoolVar(&p.check, "check", false, "exit with 1 if a call is malformed")
	f.BoolVar(&p.opts.Strict, "strict", false,
		"treat a call that does not fit its schema as malformed")
	f.BoolVar(&p.opts.Repair, "repair", true,
		"read likely mistakes of models if their meaning is certain, with an issue for each")
	f.BoolVar(&p.opts.AllowAfterMalformed, "allow-after-malformed", true,
		"accept calls after a malformed one")
	f.BoolVar(&p.opts.AllowInCode, "allow-in-code", false, "accept calls in Markdown code")
	f.BoolVar(&p.opts.AllowUnclosed, "allow-unclosed", false,
		"accept a last call without its close tag if it is otherwise complete")
	f.BoolVar(&p.reasoning, "reasoning", true,
		"ignore calls in reasoning, such as <think>…</think>")
	f.BoolVar(&p.inReasoning, "in-reasoning", false,
		"the text begins inside reasoning, up to its closing tag, such as </think>")
	oldName(f, "repair", "salvage", false)
	oldName(f, "allow-after-malformed", "stop-after-malformed", true)
	oldName(f, "allow-in-code", "code", true)
	oldName(f, "allow-unclosed", "accept-at-end", false)
	p.lang.registerFraming(cmd)
	f.BoolVarP(&p.debug, "debug", "v", false, "log to standard error what the parser finds wrong")
	colorVar(f, &p.color)
	return cmd
}

// run is the command.
func (p *parsing) run(cmd *cobra.Command, args []string) error {
	if err := p.checkFlags(cmd); err != nil {
		return err
	}
	p.opts.Format, p.opts.Limits = p.lang.format, p.lang.limits
	switch {
	case p.inReasoning:
		p.opts.Reasoning = parse.StartedReasoning
	case p.reasoning:
		p.opts.Reasoning = parse.TaggedReasoning
	}
	var log *slog.Logger
	notes := cmd.ErrOrStderr()
	if p.debug {
		log = debugLogger(notes)
		notes = io.Discard
	}
	catalog, err := p.lang.catalog(cmd, notes)
	if err != nil {
		return err
	}
	catalog = protocol.Tools(p.lang.format, catalog)
	if p.debug {
		logProblems(log, catalog)
	}
	file, err := p.lang.input(cmd, args)
	if err != nil {
		return err
	}
	defer file.Close()
	if p.everySplit {
		return p.prove(cmd, file, catalog)
	}

	out := cmd.OutOrStdout()
	show := render.Options{
		Parse: p.opts, Follow: p.follow, Chunk: p.chunk, JSON: p.asJSON, Log: log,
		Screen: terminal.ScreenOf(out, p.color),
	}
	seen, err := show.Read(file, catalog, out)
	if err == nil && p.check && seen.Malformed > 0 {
		note(cmd.ErrOrStderr(), "%s malformed (--check)", terminal.Count(seen.Malformed, "call"))
		return errFound
	}
	return err
}

// checkFlags reports flags that do not fit.
func (p *parsing) checkFlags(cmd *cobra.Command) error {
	f := cmd.Flags()
	if f.Changed("chunk") && (p.chunk < 1 || p.chunk > render.MaxChunk) {
		return fmt.Errorf("--chunk must be from 1 to %d, found %d", render.MaxChunk, p.chunk)
	}
	for _, other := range [...]string{"follow", "chunk", "json", "check", "debug"} {
		if p.everySplit && f.Changed(other) {
			return fmt.Errorf("--every-split splits the text itself and prints one line; "+
				"leave out --%s", other)
		}
	}
	if p.allSplits && !p.everySplit {
		return errors.New("--all-splits needs --every-split")
	}
	return p.lang.check(cmd)
}

// debugLogger logs everything, without the time, so that two logs compare.
func debugLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(terminal.Lines{Out: w}, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// logProblems logs what was dirty in the tools.
func logProblems(log *slog.Logger, catalog *sig.Catalog) {
	for _, p := range catalog.Problems() {
		log.Debug("tool", "name", p.Tool, "path", p.Path, "code", p.Code, "message", p.Message)
	}
}
