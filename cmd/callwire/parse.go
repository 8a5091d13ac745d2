package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func newParse() *cobra.Command {
	var (
		lang     language
		opts     parse.Options
		asJSON   bool
		check    bool
		debug    bool
		colorful = colorAuto
	)
	cmd := &cobra.Command{
		Use:   "parse [FILE|-]",
		Short: "Read a text and print its prose, calls and malformed calls as they arrive",
		Long: `parse reads a text from a file, or from standard input, and prints its parts as
soon as they are there, while the text is still being written: prose, calls with
their exact JSON arguments, and malformed calls with the fault and how to mend it.

With --json each part is one line of JSON:

  {"type":"text","start":0,"end":3,"text":"hi "}
  {"type":"tool-call","start":3,"end":21,"name":"t","input":"{\"a\":1}"}
  {"type":"malformed","start":21,"end":42,"name":"t","code":"expected-equals","at":30,"closed":true,"message":"…"}

start, end and at count bytes; input is JSON text. Text that is not UTF-8 is
{"b64":"…"}. A call can also have "issues", what did not fit its schema, and
"afterMalformed":true, which means that something before it was malformed.

Exit codes: 0 when the text was read, whatever is in it; with --check 1 when a
call in it is malformed; 2 when the command line is wrong or a file cannot be read.`,
		Example: `  callwire parse agent.txt --tools tools.json
  some-agent | callwire parse --json
  callwire parse agent.txt --json | jq -c 'select(.type == "tool-call") | .input | fromjson'
  callwire parse agent.txt --tools tools.json --strict --check && echo every call is right
  callwire parse agent.txt --open '<call-7f3a>' --close '</call-7f3a>'`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lang.check(cmd); err != nil {
				return err
			}
			opts.Delims, opts.Limits = lang.delims, lang.limits
			notes := cmd.ErrOrStderr()
			if debug {
				opts.Logger = debugLogger(notes)
				notes = io.Discard
			}
			catalog, err := lang.catalog(notes)
			if err != nil {
				return err
			}
			if debug {
				logProblems(opts.Logger, catalog)
			}
			parser, err := parse.NewParser(catalog, opts)
			if err != nil {
				return err
			}
			in, err := openInput(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()

			out := bufio.NewWriter(cmd.OutOrStdout())
			to := sink(newEventPrinter(out))
			if !asJSON {
				to = newRenderer(out, screenOf(cmd.OutOrStdout(), colorful))
			}
			seen, err := read(in, parser, to, out)
			if err == nil && check && seen.malformed > 0 {
				complain(cmd.ErrOrStderr(), fmt.Errorf("%s malformed (--check)", count(seen.malformed, "call")))
				return errFound
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	lang.registerTools(cmd)
	f.BoolVarP(&asJSON, "json", "j", false, "print one line of JSON for each part")
	f.BoolVar(&check, "check", false, "exit with 1 if a call is malformed")
	f.BoolVar(&opts.Strict, "strict", false, "take a call that does not fit its schema for malformed")
	f.BoolVar(&opts.StopAfterMalformed, "stop-after-malformed", false, "take every call after a malformed one for malformed")
	f.BoolVar(&opts.AcceptAtEnd, "accept-at-end", false, "take a last call without its close tag if it is complete otherwise")
	lang.registerFraming(cmd)
	f.BoolVarP(&debug, "debug", "v", false, "log to standard error what the parser finds wrong")
	f.Var(&colorful, "color", "`when` to use colour: auto, always or never")
	if err := cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorModes, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag exists
	}
	return cmd
}

// debugLogger logs everything, without the time, so that two logs compare.
func debugLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
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
	if catalog == nil {
		return
	}
	for _, p := range catalog.Problems() {
		log.Debug("tool", "name", p.Tool, "path", p.Path, "code", p.Code, "message", p.Message)
	}
}

// sink takes the parts of a text, in order and without gap. It must not keep
// what it is given.
type sink interface {
	source(chunk []byte)            // the next chunk of the text itself, before its parts
	prose(piece []byte)             // a piece of text outside calls
	begin()                         // a call begins: the prose before it is complete
	segment(segment *parse.Segment) // a call or a malformed span
	end(seen tally)                 // the text has ended
}

// tally counts what was read.
type tally struct{ calls, malformed, issues int }

// read reads in to its end and gives to what the parser finds. What is known
// after each piece that arrives is written before the next one is waited for.
func read(in io.Reader, parser *parse.Parser, to sink, out *bufio.Writer) (tally, error) {
	var seen tally
	chunk := make([]byte, 64<<10)
	for {
		n, err := in.Read(chunk)
		to.source(chunk[:n])
		parser.Feed(chunk[:n])
		drain(parser, to, &seen)
		if err == io.EOF {
			break
		}
		if flushErr := out.Flush(); flushErr != nil {
			return seen, fmt.Errorf("cannot write: %w", flushErr)
		}
		if err != nil {
			return seen, fmt.Errorf("cannot read on: %w", err)
		}
	}
	parser.Close()
	drain(parser, to, &seen)
	to.end(seen)
	if err := out.Flush(); err != nil {
		return seen, fmt.Errorf("cannot write: %w", err)
	}
	return seen, nil
}

// drain hands over everything that the parser has read.
func drain(parser *parse.Parser, to sink, seen *tally) {
	for {
		switch parser.Next() {
		case parse.NoPart:
			return
		case parse.TextPart:
			to.prose(parser.Text())
		case parse.StartPart:
			to.begin()
		case parse.CallPart:
			seen.calls++
			seen.issues += len(parser.Segment().Issues)
			to.segment(parser.Segment())
		case parse.MalformedPart:
			seen.malformed++
			to.segment(parser.Segment())
		}
	}
}
