package main

import (
	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/serve"
)

func newServe() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Answer a conformance runner on standard input and output",
		Long: `serve speaks the protocol of the conformance runner, so that callwire can be
tested like any other implementation: one line of JSON in for each request, one
line of JSON out for each answer, at once and in order.

  -> {"cmd":"hello","protocol":2}
  <- {"protocol":2,"name":"callwire","spec":"1.0","ops":["parse",…],…}
  -> {"seq":1,"op":"parse","tools":[…],"options":{"strict":true},"text":"…"}
  <- {"seq":1,"events":[…]}
  -> {"seq":2,"op":"feed","id":"a","tools":[…],"text":"hi <ca"}
  <- {"seq":2,"events":[{"type":"text-start"},{"type":"text-delta",…}]}
  -> {"cmd":"bye"}

The README of the corpus describes all requests and answers. Events are those of
"callwire parse --json"; of feed and close those of "callwire parse --follow --json".

Exit codes: 0 at the end of input or after bye, 2 when a pipe breaks.`,
		Example: "  echo '{\"seq\":1,\"op\":\"parse\",\"text\":\"<call>t a=1</call>\"}' | " +
			"callwire serve",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve.New(cmd.InOrStdin(), cmd.OutOrStdout(), release()).Serve()
		},
	}
}
