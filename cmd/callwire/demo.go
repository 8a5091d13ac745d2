package main

import (
	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/demo"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func newDemo() *cobra.Command {
	var asJSON, fast bool
	var color terminal.ColorMode
	cmd := &cobra.Command{
		Use: "demo", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				return demo.Lines(cmd.OutOrStdout())
			}
			return demo.Page(cmd.OutOrStdout(), terminal.ScreenOf(cmd.OutOrStdout(), color), fast)
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&asJSON, "json", "j", false, "print JSON Lines")
	f.BoolVar(&fast, "fast", false, "do not wait between the words that the model writes")
	colorVar(f, &color)
	return cmd
}
