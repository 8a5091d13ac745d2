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
		Use:   "demo",
		Short: "Show the whole round trip of an agent, with a scripted model",
		Long: `demo runs an agent loop and shows each step: what the application sends, what the
model sees, what it writes, and the native tool calls that the application gets.
Between them is the middleware of package stream/middleware, as in callwire proxy.

The model is a script: it needs no key and no network, and writes the same each
time. It calls three tools at once, gets an error, writes a malformed call and
corrects it, and meets a tool result that tries to make it send an email.

--json prints what happens as JSON Lines, for programs.

Exit codes: 0 when all is done, 2 when the command line is wrong.`,
		Example: `  callwire demo
  callwire demo --json | jq -c 'select(.kind == "application-gets")'`,
		Args: nothing,
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
