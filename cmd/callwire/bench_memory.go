package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/memory"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func newBenchMemory() *cobra.Command {
	o := memory.Options{Decoders: 10_000}
	var findings findings
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Weigh decoders, idle and inside a call, one and ten thousand",
		Long: `memory says how many bytes a decoder holds while it is idle and inside a call, what
many of them take that read at the same time, and how often reading allocates.

Exit codes: 0 when all is done, 2 when the command line is wrong.`,
		Example: `  callwire bench memory
  callwire bench memory --decoders 100000`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Decoders < 1 || o.Decoders > 1_000_000 {
				return fmt.Errorf("--decoders must be 1 to 1000000, found %d", o.Decoders)
			}
			if err := findings.check(cmd); err != nil {
				return err
			}
			progress := terminal.NewProgress(cmd.ErrOrStderr(), "bytes for each decoder", 0)
			o.Progress = progress.At
			report, err := memory.Measure(o)
			progress.End()
			if err != nil {
				return err
			}
			return findings.show(cmd, report, report.Page(), report.Brief())
		},
	}
	cmd.Flags().IntVar(&o.Decoders, "decoders", o.Decoders, "how many `N` read at the same time")
	findings.register(cmd)
	return cmd
}
