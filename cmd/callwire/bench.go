package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// The figures in BENCHMARKS.md, measured anew:
//
//go:generate go run . bench tokens --into BENCHMARKS.md
//go:generate go run . bench speed --into BENCHMARKS.md --chart internal/bench/speed.svg
//go:generate go run . bench memory --into BENCHMARKS.md
//go:generate go run . bench live --demo --report ../../callwire-demo --chart internal/bench/live.svg

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the format: tokens, speed, memory, and models that use it",
		Long: `bench measures what the format promises: on this machine; for tokens, on your own
tools and calls; and with live and agent, on the models of an endpoint of yours.`,
		Example: `  callwire bench tokens
  callwire bench tokens --tools tools.json --calls calls.jsonl
  callwire bench speed --quick
  callwire bench memory
  callwire bench live --demo`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("bench measures tokens, speed, memory, live or agent, and writes a report, not %q; see callwire bench --help", args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newBenchTokens(), newBenchSpeed(), newBenchMemory(), newBenchDrift(), newBenchLive(), newBenchAgent(), newBenchReport())
	return cmd
}

// findings is how a benchmark shows what it has found. It is the flags for that.
type findings struct {
	asJSON   bool
	markdown bool
	into     string
}

func (f *findings) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.asJSON, "json", "j", false, "print one JSON object")
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print Markdown")
	cmd.Flags().StringVar(&f.into, "into", "", "write it in brief, as Markdown, into this `file`, between its lines <!-- callwire bench "+cmd.Name()+" --> and <!-- end -->")
	if err := cmd.MarkFlagFilename("into", "md"); err != nil {
		panic(err) // the flag exists
	}
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "into")
}

// check says what is wrong with the place that the report is to go to, before
// anybody has measured for a minute in vain.
func (f *findings) check(cmd *cobra.Command) error {
	if f.into == "" {
		return nil
	}
	_, err := f.inserted(cmd.CommandPath(), nil)
	return err
}

// show shows a report: as JSON, in full, or in brief.
func (f *findings) show(cmd *cobra.Command, report any, full, brief *page.Page) error {
	if f.into != "" {
		return f.insert(cmd.CommandPath(), brief)
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
		full.WriteMarkdown(out)
	default:
		full.WriteText(out, terminal.ScreenOf(cmd.OutOrStdout(), terminal.ColorNever).Width)
	}
	return out.Flush()
}

// insert writes the page into the file, in the place that is marked for it.
func (f *findings) insert(mark string, p *page.Page) error {
	var text bytes.Buffer
	if err := p.WriteMarkdown(&text); err != nil {
		return err
	}
	file, err := f.inserted(mark, text.Bytes())
	if err != nil {
		return err
	}
	return writeTo(f.into, file)
}

// inserted returns the file with text in the place that is marked for it.
func (f *findings) inserted(mark string, text []byte) ([]byte, error) {
	file, err := os.ReadFile(f.into)
	if err != nil {
		return nil, fileError(f.into, err)
	}
	if file, err = page.Insert(file, mark, text); err != nil {
		return nil, fmt.Errorf("%s: %w", f.into, err)
	}
	return file, nil
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
