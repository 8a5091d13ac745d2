package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/corpus/runner"
)

func newConform() *cobra.Command {
	o := &conformOptions{report: "text", splits: "full", timeout: runner.DefaultTimeout}
	cmd := &cobra.Command{
		Use:   "conform [flags] -- CMD [ARGS…]|--compare FILE…|--differential CMD…",
		Short: "Judge any implementation of the format with the corpus",
		Long: `conform starts CMD, asks it what the cases of the corpus ask, one line of JSON
for each request, and reports which rules it breaks. Parse cases are read whole
and, if CMD can stream, in chunks, under every cut list of the split matrix. The
README of the corpus describes the cases and the protocol.

Failures are grouped by probable cause, with at most three of each and
--max-failures of all; --all shows every one.
A failure names the case, its rules, the shortest list of cuts that shows it, and
the expected and the actual answer side by side. The list of known failures holds
the headings of failures, one in a line ("stream framing/empty-input"); it must be
exact: what is listed and passes is a failure too.

--check looks only at the messages: whether their members and types are those of
the protocol. Begin with it when you write an adapter.

Progress goes to standard error, as a line every half minute if that is not a
terminal.

Exit codes: 0 when all passes, 1 when something fails or was not run, 2 when the
command line is wrong or nothing could be judged: CMD does not start, does not
answer to hello, or skips everything. After Ctrl-C it reports on what has run.`,
		Example: `  callwire conform -- callwire serve
  callwire conform --check -- python3 mine.py
  callwire conform --level core --run 'framing/*' -- node mine.js
  callwire conform --protocol hermes -- callwire serve
  callwire conform --report json -- ./mine >mine.json
  callwire conform --compare mine.json other.json
  callwire conform --differential 'callwire serve' 'python3 mine.py'
  callwire conform --known-failures known.txt --report junit -- ./mine`,
		Args: o.checkArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.compare {
				return compareReports(cmd.OutOrStdout(), args)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			if o.differential {
				return o.differ(ctx, cmd.OutOrStdout(), args)
			}
			return o.run(ctx, cmd, args)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// register adds the flags.
func (o *conformOptions) register(f *pflag.FlagSet) {
	enumVar(f, &o.selection.level, "level", "", "only the cases of this level", "core", "extended")
	f.StringVar(&o.selection.run, "run", "", "only the cases whose id matches this `glob`")
	f.StringVar(&o.known, "known-failures", "", "the list of known failures, a `file`")
	enumVar(f, &o.report, "report", o.report, "report format", "text", "md", "json", "junit")
	enumVar(f, &o.splits, "splits", o.splits, "the split matrix; quick leaves pairs of cuts out, "+
		"ends is whole and byte by byte", "full", "quick", "ends")
	enumVar(f, &o.selection.protocol, "protocol", "",
		"the cases of another format, not those of the wire format", protocol.Formats()...)
	f.DurationVar(&o.startTimeout, "start-timeout", runner.DefaultStartTimeout,
		"the `time` for the answer to hello")
	f.IntVar(&o.maxLine, "max-line", runner.DefaultMaxLine, "most bytes `N` of one line of output")
	f.DurationVar(&o.timeout, "timeout", o.timeout, "the `time` for one answer")
	f.IntVar(&o.jobs, "jobs", 0, "`N` children at a time (default one for each processor)")
	f.IntVar(&o.maxFailures, "max-failures", 20, "show at most `N` failures")
	f.BoolVar(&o.all, "all", false, "show every failure, not some of each cause")
	f.BoolVar(&o.compare, "compare", false,
		"compare reports, which are files of --report json, in the place of judging CMD")
	f.BoolVar(&o.differential, "differential", false,
		"ask several commands, each one argument, the same questions, and show where they differ")
	f.IntVar(&o.questions, "questions", 3000, "how many questions `N` of --differential")
	f.Uint64Var(&o.seed, "seed", 1, "the `seed` of the questions of --differential")
	f.BoolVar(&o.check, "check", false, "judge only the shape of the messages")
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
	}
	return nil
}

// conformOptions are the flags of conform.
type conformOptions struct {
	selection      selection
	known          string
	report, splits string
	timeout        time.Duration
	startTimeout   time.Duration
	maxLine, jobs  int
	check, all     bool
	maxFailures    int
	compare        bool
	differential   bool
	questions      int
	seed           uint64
}

func (o *conformOptions) run(ctx context.Context, cmd *cobra.Command, command []string) error {
	write := map[string]func(*runner.Report, io.Writer) error{
		"text": (*runner.Report).WriteText, "md": (*runner.Report).WriteMarkdown,
		"json": (*runner.Report).WriteJSON, "junit": (*runner.Report).WriteJUnit,
	}[o.report]
	matrix := map[string]corpus.Matrix{
		"full": corpus.Full, "quick": corpus.Quick, "ends": corpus.Ends,
	}[o.splits]
	if o.maxFailures < 1 {
		return fmt.Errorf("--max-failures is at least 1, not %d", o.maxFailures)
	}
	if o.timeout <= 0 || o.startTimeout <= 0 || o.maxLine <= 0 || o.jobs < 0 {
		return fmt.Errorf("--timeout, --start-timeout, --max-line and --jobs are positive")
	}
	cases, err := o.selection.cases()
	if err != nil {
		return err
	}
	known, err := readKnown(o.known)
	if err != nil {
		return err
	}
	progress, clear := progressOn(cmd.ErrOrStderr())
	report, err := runner.Run(ctx, runner.Config{
		Command: command, Cases: cases, Matrix: matrix, Jobs: o.jobs,
		Timeout: o.timeout, StartTimeout: o.startTimeout, MaxLine: o.maxLine,
		Known: known, Check: o.check, Progress: progress,
	})
	clear()
	if report == nil {
		return err
	}
	report.All, report.MaxFailures = o.all, o.maxFailures
	err = visibly(cmd.OutOrStdout(), func(out io.Writer) error { return write(report, out) })
	if err != nil {
		return err
	}
	switch {
	case report.OK():
		return nil
	case report.Judged() == 0:
		return errors.New("nothing could be judged")
	}
	return errFound
}

// visibly writes a report with invisible characters shown, because implementations may print
// anything.
func visibly(out io.Writer, write func(io.Writer) error) error {
	var page bytes.Buffer
	if err := write(&page); err != nil {
		return err
	}
	_, err := terminal.Lines{Out: out}.Write(page.Bytes())
	return err
}

// differ asks several commands the same questions.
func (o *conformOptions) differ(ctx context.Context, out io.Writer, args []string) error {
	var commands [][]string
	for _, arg := range args {
		commands = append(commands, strings.Fields(arg))
	}
	some := func(yield func(runner.Question) bool) {
		n := 0
		for q := range runner.Questions(o.seed) {
			if n++; n > o.questions || !yield(q) {
				return
			}
		}
	}
	config := runner.Config{Timeout: o.timeout, StartTimeout: o.startTimeout, MaxLine: o.maxLine}
	found, err := runner.Differ(ctx, commands, some, config)
	for _, d := range found {
		writeDifference(terminal.Lines{Out: out}, d, args)
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

// writeDifference writes a question, and how each command answers it.
func writeDifference(out io.Writer, d runner.Difference, commands []string) {
	fmt.Fprintf(out, "text: %s\n", jsonText(d.Text))
	if d.Tools != nil {
		fmt.Fprintf(out, "tools: %s\n", d.Tools)
	}
	options, _ := json.Marshal(d.Options) // booleans and integers: no error
	if string(options) != "{}" {
		fmt.Fprintf(out, "options: %s\n", options)
	}
	for i, answer := range d.Answers {
		fmt.Fprintf(out, "  %s: %s\n", commands[i], strings.Join(answer, "; "))
	}
	fmt.Fprintln(out)
}

// jsonText returns text as JSON, as people read it.
func jsonText(text string) string {
	data, err := corpus.Bytes(text).MarshalJSON()
	if err != nil {
		return text
	}
	return string(data)
}

// compareReports compares the reports in files.
func compareReports(out io.Writer, names []string) error {
	var files []io.Reader
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		files = append(files, f)
	}
	return visibly(out, func(out io.Writer) error { return runner.Compare(out, files...) })
}

func readKnown(name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known, err := runner.ReadKnown(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return known, nil
}

// selection selects cases.
type selection struct {
	level, run, topic, rule string
	protocol                string // the format of the cases; empty for the wire format
}

// cases returns the selected cases. It is an error if there are none.
func (s *selection) cases() ([]corpus.Case, error) {
	if _, err := path.Match(s.run, ""); err != nil {
		return nil, fmt.Errorf("--run %q: %w", s.run, err)
	}
	all := append(corpus.Cases(), corpus.MoreCases()...)
	if s.protocol != "" && s.protocol != protocol.Formats()[0] {
		all = slices.DeleteFunc(corpus.ProtocolCases(),
			func(c corpus.Case) bool { return c.Protocol != s.protocol })
	}
	var found []corpus.Case
	for _, c := range all {
		if s.means(&c) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no case matches; see callwire cases")
	}
	return found, nil
}

func (s *selection) means(c *corpus.Case) bool {
	if s.level != "" && s.level != c.Level || s.topic != "" && s.topic != c.Topic() {
		return false
	}
	if s.run != "" {
		if ok, _ := path.Match(s.run, c.ID); !ok && !strings.HasPrefix(c.ID, s.run+"/") {
			return false
		}
	}
	if s.rule == "" {
		return true
	}
	for _, rule := range c.Rules {
		if ok, _ := path.Match(s.rule, rule); ok {
			return true
		}
	}
	return false
}
