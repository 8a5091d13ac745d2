package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/speed"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func newBenchSpeed() *cobra.Command {
	var (
		o         speed.Options
		findings  findings
		benchstat bool
		chart     string
	)
	cmd := &cobra.Command{
		Use:   "speed",
		Short: "Time reading against encoding/json and against doing nothing",
		Long: `speed times how fast calls, text and long arguments are read, in chunks of 1 to
4096 bytes: against encoding/json on the equivalent native calls, against jumps
with bytes.IndexByte, and against a call for each chunk that does nothing. All of
them take turns in this process; ratios are medians, with their quartiles. It says
how the time for one string grows with its length.

It takes a minute or two on a quiet machine. Built with GOEXPERIMENT=jsonv2 it
measures encoding/json/v2 as well.

Exit codes: 0 when all is done, 2 when the command line is wrong or a file cannot
be written.`,
		Example: `  callwire bench speed --quick
  callwire bench speed --run 'string-code-*'
  callwire bench speed --chart speed.svg
  callwire bench speed --benchstat >speed.txt
  benchstat -col /reader speed.txt
  GOEXPERIMENT=jsonv2 go run ./cmd/callwire bench speed`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("rounds") && (o.Rounds < 1 || o.Rounds > 10_000) {
				return fmt.Errorf("--rounds must be 1 to 10000, found %d", o.Rounds)
			}
			if err := findings.check(cmd); err != nil {
				return err
			}
			if chart != "" {
				if _, err := os.Stat(filepath.Dir(chart)); err != nil {
					return fmt.Errorf("--chart: there is no folder %s", filepath.Dir(chart))
				}
			}
			progress := terminal.NewProgress(cmd.ErrOrStderr(), "rounds", 0)
			o.Progress = progress.At
			report, err := speed.Measure(o)
			progress.End()
			if err != nil {
				return err
			}
			if chart != "" {
				var b bytes.Buffer
				if err := report.WriteChart(&b); err != nil {
					return err
				}
				if err := writeTo(chart, b.Bytes()); err != nil {
					return err
				}
			}
			if benchstat {
				return report.WriteBenchstat(cmd.OutOrStdout())
			}
			return findings.show(cmd, report, report.Page(), report.Brief())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Quick, "quick", false, "measure for seconds, not minutes: short strings, few rounds")
	f.StringVar(&o.Run, "run", "", "measure only the texts with a name that matches this `glob`: calls, transcript, prose, html, string-*")
	f.IntVar(&o.Rounds, "rounds", 0, "measure everything `N` times (default 15, or 5 with --quick)")
	f.StringVar(&chart, "chart", "", "draw a chart into this `file`, an SVG for light and dark pages")
	findings.register(cmd)
	f.BoolVar(&benchstat, "benchstat", false, "print each measurement as a line of Go's benchmarks")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "into", "benchstat")
	return cmd
}
