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

  -> {"cmd":"hello","protocol":2,"min":1}
  <- {"protocol":2,"name":"callwire","spec":"1.0","ops":["parse",…],…}
  -> {"seq":1,"op":"parse","tools":[…],"options":{"strict":true},"text":"…"}
  <- {"seq":1,"events":[…]}
  -> {"seq":2,"op":"stream","tools":[…],"text":"…","cuts":[2,3,3]}
  <- {"seq":2,"batches":[[…],[…],[],[…],[…]]}
  -> {"seq":3,"op":"format","tools":[…],"name":"t","input":"{\"a\":1}"}
  <- {"seq":3,"text":"<call>t a=1</call>"}
  -> {"seq":4,"op":"sig","tools":[…]}
  <- {"seq":4,"lines":["t a:int - …"]}
  -> {"seq":5,"op":"manual","tools":[…],"options":{"style":"classic"}}
  <- {"seq":5,"text":"…"}
  -> {"seq":6,"op":"feed","id":"a","tools":[…],"text":"hi <ca"}
  <- {"seq":6,"events":[{"type":"text-start"},{"type":"text-delta",…}]}
  -> {"seq":7,"op":"close","id":"a"}
  <- {"seq":7,"events":[…]}
  -> {"cmd":"bye"}

hello names the highest protocol that the runner speaks, 1 or 2, and the answer
the one that is spoken. Protocol 2 adds feed, close and reset, for any number of
streams at once, and the members delims, protocol and repeat of a request. protocol is
the format of the calls, by its name; it may also stand in the options, those of
manual included.

Events are those of "callwire parse --json"; of stream, feed and close those of
"callwire parse --follow --json", of stream in one batch for each chunk and one
for the end. Cuts are the
byte offsets at which a chunk ends and the next begins. Without tools everything
is untyped; tools of [] know no tool. Text that is not UTF-8 is {"b64":"…"}. A
request that cannot be understood, and a call that the writer refuses, is
answered with {"seq":n,"error":{"code":"…","message":"…"}}; what is not served,
with {"seq":n,"skip":"…"}.

Exit codes: 0 at the end of input or after bye, 2 when a pipe breaks.`,
		Example: `  echo '{"seq":1,"op":"parse","text":"<call>t a=1</call>"}' | callwire serve
  echo '{"seq":1,"op":"stream","text":"<call>t a=1</call>","cuts":[8,13]}' |
      callwire serve`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve.New(cmd.InOrStdin(), cmd.OutOrStdout(), release()).Serve()
		},
	}
}
