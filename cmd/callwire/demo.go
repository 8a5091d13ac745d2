package main

import (
	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/demo"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func newDemo() *cobra.Command {
	var asJSON, fast bool
	var color terminal.ColorMode
	return describe(&cobra.Command{
		Use: "demo", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				return demo.Lines(cmd.OutOrStdout())
			}
			return demo.Page(cmd.OutOrStdout(), terminal.ScreenOf(cmd.OutOrStdout(), color), fast)
		},
	}, flags{"json": &asJSON, "fast": &fast, "color": colors(&color)})
}
