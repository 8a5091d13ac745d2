package main

import (
	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/serve"
)

func newServe() *cobra.Command {
	return describe(&cobra.Command{
		Use: "serve", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve.New(cmd.InOrStdin(), cmd.OutOrStdout(), release()).Serve()
		},
	})
}
