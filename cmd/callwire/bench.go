package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// BENCHMARKS.md names the commands that its figures come from; go generate runs them.
//
//go:generate go run . bench tokens --into BENCHMARKS.md
//go:generate sh -c "go test -run ^$ -bench . -benchtime 100ms -count 6 ./internal/bench | go run . bench speed --into BENCHMARKS.md"
//go:generate go run . bench live --demo --chart internal/bench/live.svg

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the format: tokens, speed, memory, and models that use it",
		Long: `bench measures what the format promises: tokens, on your own tools and calls if you
like; speed and memory; and with live, how well the models of an endpoint call tools.`,
		Example: `  callwire bench tokens
  callwire bench tokens --tools tools.json --calls calls.jsonl
  callwire bench live --demo`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("bench measures tokens, speed or live, and writes a report, "+
					"not %q; see callwire bench --help", args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newBenchTokens(), newBenchSpeed(), newBenchLive(), newBenchReport())
	return cmd
}

// findings are the flags for how a benchmark shows its report.
type findings struct {
	asJSON   bool
	markdown bool
	into     string
}

func (f *findings) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.asJSON, "json", "j", false, "print one JSON object")
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print Markdown")
	cmd.Flags().StringVar(&f.into, "into", "",
		"write Markdown into this `file`, between its lines "+
			"<!-- callwire bench "+cmd.Name()+" --> and <!-- end -->")
	if err := cmd.MarkFlagFilename("into", "md"); err != nil {
		panic(err) // the flag exists
	}
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "into")
}

// show shows a report.
func (f *findings) show(cmd *cobra.Command, report any, page *bench.Page) error {
	if f.into != "" {
		return f.insert(cmd.CommandPath(), page)
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case f.asJSON:
		enc := jsonl.NewEncoder(out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(report); err != nil {
			return err
		}
	case f.markdown:
		page.WriteMarkdown(out)
	default:
		page.WriteText(out, terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorNever).Width)
	}
	return out.Flush()
}

// insert writes the page into the file, in the place that is marked for it.
func (f *findings) insert(mark string, p *bench.Page) error {
	file, err := os.ReadFile(f.into)
	if err != nil {
		return fileError(f.into, err)
	}
	var text bytes.Buffer
	p.WriteMarkdown(&text)
	file, err = bench.Insert(file, mark, text.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", f.into, err)
	}
	return writeTo(f.into, file)
}

// writeTo writes a file.
func writeTo(name string, data []byte) error {
	err := os.WriteFile(name, data, 0o666)
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot write %s: %w", name, path.Err)
	}
	return err
}

// benchCommand is how the input of bench speed is made.
const benchCommand = `go test -run '^$' -bench . -benchtime 100ms -count 6 ` +
	"\\\n      ./cmd/callwire/internal/bench"

func newBenchSpeed() *cobra.Command {
	var findings findings
	cmd := &cobra.Command{
		Use:     "speed [FILE]",
		Aliases: []string{"memory"},
		Short:   "Make tables of speed and memory from the output of go test",
		Long: `speed reads the output of the benchmarks in the source of callwire, from a file or
standard input, and makes tables of it: how fast calls, text and long arguments are
read, compared with encoding/json for the same native calls and with jumps by
bytes.IndexByte; how often that allocates; and how many bytes a decoder holds.
Benchmarks that ran several times count by their medians.

Exit codes: 0 when all is done, 2 when the input has no benchmark, or the command
line is wrong.`,
		Example: "  " + benchCommand + " |\n      callwire bench speed",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, isFile := cmd.InOrStdin().(*os.File)
			if len(args) == 0 && isFile && term.IsTerminal(int(f.Fd())) {
				return errors.New("bench speed reads the output of go test -bench; " +
					"see callwire bench speed --help")
			}
			in, err := openInput(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			speed, err := bench.ReadSpeed(io.LimitReader(in, 64<<20))
			if err != nil {
				return err
			}
			return findings.show(cmd, speed, speed.Page())
		},
	}
	findings.register(cmd)
	return cmd
}
