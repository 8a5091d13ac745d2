package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/sig"
)

// conformOptions are the flags of conform.
type conformOptions struct {
	selection
	runner.Config
	known          string // a file
	report, splits string
	maxFailures    int
	all            bool
	compare        bool
	differential   bool
	questions      int
	seed           uint64
}

func newConform() *cobra.Command {
	o := &conformOptions{maxFailures: 20, questions: 3000, seed: 1}
	o.StartTimeout, o.Timeout = runner.DefaultStartTimeout, runner.DefaultTimeout
	o.MaxLine = runner.DefaultMaxLine
	return describe(&cobra.Command{
		Use:  "conform [flags] -- CMD [ARGS…]|--compare FILE…|--differential CMD…",
		Args: o.checkArgs, RunE: o.run,
	}, o.selection.flags(), flags{
		"known-failures": &o.known,
		"report":         oneOf(&o.report, "text", "md", "json", "junit"),
		"splits":         oneOf(&o.splits, "full", "quick", "ends"),
		"max-failures":   atLeast(1, &o.maxFailures),
		"all":            &o.all,
		"check":          &o.Check,
		"compare":        &o.compare,

		"differential": &o.differential,
		"questions":    &o.questions,
		"seed":         &o.seed,

		"start-timeout": &o.StartTimeout,
		"timeout":       &o.Timeout,
		"max-line":      atLeast(1, &o.MaxLine),
		"jobs":          atLeast(0, &o.Jobs),
	})
}

// checkArgs reports arguments that don't fit the flags.
func (o *conformOptions) checkArgs(cmd *cobra.Command, args []string) error {
	switch {
	case o.differential && len(args) < 2:
		return errors.New("conform --differential needs two commands or more, " +
			"each as one argument, " +
			"as in callwire conform --differential 'callwire serve' 'python3 mine.py'")
	case o.compare && len(args) < 2:
		return errors.New("conform --compare needs two reports or more, " +
			"as in callwire conform --compare a.json b.json")
	case !o.differential && !o.compare && (cmd.ArgsLenAtDash() != 0 || len(args) == 0):
		return errors.New("conform needs the command to judge after --, " +
			"as in callwire conform -- python3 mine.py")
	case o.Timeout <= 0 || o.StartTimeout <= 0:
		return errors.New("--timeout and --start-timeout are positive")
	case o.compare && (o.report == "json" || o.report == "junit"):
		return fmt.Errorf("--compare writes text or md, not %s", o.report)
	}
	return o.checkFlags(cmd)
}

// Flags that have an effect with --compare and with --differential, and those that have none
// without the latter.
var (
	compareFlags      = []string{"compare", "report"}
	questionFlags     = []string{"questions", "seed"}
	differentialFlags = []string{"differential", "start-timeout", "timeout", "max-line"}
)

// checkFlags refuses flags without an effect.
func (o *conformOptions) checkFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		isQuestion := slices.Contains(questionFlags, f.Name)
		switch {
		case o.compare && !slices.Contains(compareFlags, f.Name):
			err = fmt.Errorf("--%s has no effect with --compare", f.Name)
		case o.differential && !isQuestion && !slices.Contains(differentialFlags, f.Name):
			err = fmt.Errorf("--%s has no effect with --differential", f.Name)
		case isQuestion && !o.differential:
			err = fmt.Errorf("--%s needs --differential", f.Name)
		}
	})
	return err
}

func (o *conformOptions) run(cmd *cobra.Command, args []string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	var page bytes.Buffer
	var err error
	switch {
	case o.compare:
		err = o.compareReports(&page, args)
	case o.differential:
		err = o.differ(ctx, &page, args)
	default:
		err = o.judge(ctx, cmd, &page, args)
	}
	out := terminal.Lines{Out: cmd.OutOrStdout()} // implementations may print anything
	if _, failed := out.Write(page.Bytes()); failed != nil {
		return failed
	}
	return err
}

// judge judges a command.
func (o *conformOptions) judge(
	ctx context.Context, cmd *cobra.Command, out io.Writer, command []string,
) (err error) {
	o.Command = command
	o.Matrix = map[string]corpus.Matrix{
		"full": corpus.Full, "quick": corpus.Quick, "ends": corpus.Ends,
	}[o.splits]
	o.Cases, err = o.cases()
	if err != nil {
		return err
	}
	known, err := readOptional(o.known)
	if err != nil {
		return err
	}
	o.Known, err = runner.ReadKnown(strings.NewReader(known))
	if err != nil {
		return fmt.Errorf("%s: %w", o.known, err)
	}
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "")
	o.Progress = func(done, total, failed int) {
		progress.What = fmt.Sprintf("checks, %d fail", failed)
		progress.At(done, total)
	}
	report, err := runner.Run(ctx, o.Config)
	progress.End()
	if report == nil {
		return err
	}
	report.All, report.MaxFailures = o.all, o.maxFailures
	err = map[string]func(io.Writer) error{
		"text": report.WriteText, "md": report.WriteMarkdown,
		"json": report.WriteJSON, "junit": report.WriteJUnit,
	}[o.report](out)
	switch {
	case err != nil || report.OK():
		return err
	case report.Judged() == 0:
		return errors.New("nothing could be judged")
	}
	return errFound
}

// compareReports compares the reports in files.
func (o *conformOptions) compareReports(out io.Writer, names []string) error {
	var reports []*runner.Saved
	for _, name := range names {
		text, err := readOptional(name)
		if err != nil {
			return err
		}
		report, err := runner.ReadReport(strings.NewReader(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		reports = append(reports, report)
	}
	return runner.Compare(out, o.report == "md", reports...)
}

// differ asks several commands the same questions, and writes those that they answer differently.
func (o *conformOptions) differ(ctx context.Context, out io.Writer, args []string) error {
	var commands [][]string
	for _, arg := range args {
		commands = append(commands, strings.Fields(arg))
	}
	found, err := runner.Differ(ctx, commands, questions(o.seed, o.questions), o.Config)
	for _, d := range found {
		text, _ := corpus.Bytes(d.Text).MarshalJSON() // it always can
		fmt.Fprintf(out, "text: %s\n", text)
		if d.Tools != nil {
			fmt.Fprintf(out, "tools: %s\n", d.Tools)
		}
		options, _ := json.Marshal(d.Options) // booleans and integers: no error
		if string(options) != "{}" {
			fmt.Fprintf(out, "options: %s\n", options)
		}
		for i, answer := range d.Answers {
			fmt.Fprintf(out, "  %s: %s\n", args[i], strings.Join(answer, "; "))
		}
		fmt.Fprintln(out)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Differences: %d in %d questions.\n", len(found), o.questions)
	if len(found) > 0 {
		return errFound
	}
	return nil
}

// questions yields n messages with calls, damaged ones among them, that package fuzz makes for the
// tools of the corpus. The same seed gives the same questions.
func questions(seed uint64, n int) iter.Seq[runner.Question] {
	var tools []json.RawMessage
	for _, c := range corpus.Cases() {
		if c.Op == corpus.Parse && c.Level == corpus.Core {
			tools = append(tools, c.Tools)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0x5eed))
	return func(yield func(runner.Question) bool) {
		for range n {
			q := runner.Question{Tools: tools[random.IntN(len(tools))]}
			setup := fuzz.Wired
			if q.Tools != nil {
				setup.Catalog, _ = sig.Compile(q.Tools) // without one, calls are of any tool
			}
			q.Options.Strict = random.IntN(5) == 0
			q.Options.StopAfterMalformed = random.IntN(3) == 0
			q.Options.AcceptAtEnd = random.IntN(3) == 0
			q.Text = string(setup.Message(random))
			if !yield(q) {
				return
			}
		}
	}
}
