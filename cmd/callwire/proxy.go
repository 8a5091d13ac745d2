package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/proxy"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/next/yaml"
	"github.com/callwire/callwire/stream"
	"github.com/callwire/callwire/stream/middleware"
)

func newProxy() *cobra.Command {
	o := proxy.Default()
	choice, form, engine, color, retries := "instruct", "instruct", "none", terminal.ColorAuto, 0
	var words wording
	header, format, rescue, strip := "", "wire", "", "none"
	cmd := &cobra.Command{
		Use:   "proxy --upstream URL",
		Short: "Bring the format to a program in any language, with a local proxy",
		Long: `proxy stands between a program and a model: the program declares tools and gets
native tool calls; the model reads about the tools in text and writes calls in its
text. It rewrites …/chat/completions (OpenAI and compatible servers), …/responses
(OpenAI), …/messages (Anthropic, Bedrock and Vertex), :generateContent (Gemini) and
/api/chat (Ollama), streamed or not, and passes on everything else.

Give the program http://127.0.0.1:8787/v1 as its base URL (Anthropic's clients:
http://127.0.0.1:8787) and leave its key where it is: keys are passed on and never
printed. A path that the upstream's URL ends with is not repeated, so /v1 may be
in both or in one of them.

GET /healthz answers "ok" without asking the upstream; GET /metrics has counters for
Prometheus. Pages of other hosts are refused. The first interrupt or SIGTERM lets
running answers finish, for at most --grace; the second ends the program.

The log on standard error has warnings and failures, without conversations and
keys. --debug adds a line for each request, with the tokens (o200k) before and after,
and shows the conversation as the model sees it and each call.

--constrain sends the upstream a grammar of what the model may write: then no call
can miss the format or the types of its tool, and a required call is always made.
callwire grammar prints such grammars.

--protocol is for models that know another format of calls. --rescue is for servers
that call tools natively, but leave some calls in the text, in the format of the
model: requests stay as they are, and those calls become native ones.

An answer may take any time: it is cut off if the upstream sends nothing for --wait.
A client has 10 seconds for the header of a request and 5 minutes for its body.

Exit codes: 0 when it was stopped, 1 when answers had to be cut off for that,
2 when the command line is wrong or it cannot listen.`,
		Example: `  callwire proxy --upstream https://api.openai.com
  callwire proxy --upstream http://127.0.0.1:11434 --debug
  callwire proxy --upstream http://127.0.0.1:8080 --constrain llama.cpp
  callwire proxy --upstream http://127.0.0.1:8000 --rescue hermes,qwen3-coder
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 python3 agent.py
  curl http://127.0.0.1:8787/healthz`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			for flag, value := range map[string]struct {
				is string
				to *bool
			}{"tool-choice": {choice, &o.Rewriting.KeepToolChoice}, "response-format": {form, &o.Rewriting.KeepFormat}} {
				if value.is != "instruct" && value.is != "native" {
					return fmt.Errorf("--%s is instruct or native, not %q", flag, value.is)
				}
				*value.to = value.is == "native"
			}
			strips := map[string]stream.Strip{"none": stream.StripNone, "leading": stream.StripLeading, "all": stream.StripAll}
			kind, known := strips[strip]
			if !known {
				return fmt.Errorf("--strip is none, leading or all, not %q", strip)
			}
			o.Rewriting.Strip = kind
			if o.Rewriting.LiveAfter == 0 {
				o.Rewriting.LiveAfter = 1 // 0 stands for the default
			}
			if o.Rewriting.Retries = retries; retries == 0 {
				o.Rewriting.Retries = -1
			} else if retries < 0 {
				return errors.New("--retries is not negative")
			}
			var err error
			if engine != "none" {
				o.Rewriting.Constrain = engine
				engines := middleware.Engines()
				if !slices.Contains(engines, engine) {
					return fmt.Errorf("--constrain: an engine is one of none, %s, not %q", strings.Join(engines, ", "), engine)
				}
			}
			if header != "" {
				data, err := os.ReadFile(header)
				if err != nil {
					return fileError(header, err)
				}
				words.Header = string(data)
			}
			words.format = format
			if o.Rewriting.Manual, err = words.options(); err != nil {
				return err
			}
			if err := speak(&o.Rewriting, rescue); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // the second signal is not ours
			o.Count = countTokens
			o.Out, o.Screen = cmd.ErrOrStderr(), terminal.ScreenOf(cmd.ErrOrStderr(), color)
			if err := o.Run(ctx); !errors.Is(err, proxy.ErrCutOff) {
				return err
			}
			return errFound
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Upstream, "upstream", "", "the `URL` of the model's endpoint")
	f.StringVar(&o.Listen, "listen", o.Listen, "the `address` of the proxy; port 0 is any free one")
	f.BoolVar(&o.Public, "public", false, "listen where others can connect, too")
	f.BoolVarP(&o.Debug, "debug", "v", false, "show what was rewritten")
	f.Var(&color, "color", "when to use color in what is shown: `auto|always|never`")
	f.StringVar(&format, "protocol", format, "the format of calls that models are told and read in: `"+strings.Join(protocol.Formats(), "|")+"`")
	f.StringVar(&rescue, "rescue", "", "send requests as they are, and take calls out of the text that the upstream has left there, in the formats `NAME,NAME…`")
	f.IntVar(&retries, "retries", 1, "answer a message with a malformed call, or without one that is required, to the model, up to `N` times, if no call of it was delivered")
	f.BoolVar(&o.Rewriting.AllowAfterMalformed, "continue-after-malformed", false, "deliver calls after a malformed one, too")
	f.BoolVar(&o.Rewriting.Strict, "strict", false, "deliver no call that does not fit its schema")
	f.StringVar(&choice, "tool-choice", choice, "what to do with a request that requires a call: instruct the model in text, or leave the request native: `instruct|native`")
	f.StringVar(&engine, "constrain", engine, "put a grammar into each request of chat completions, for the engine that the upstream is, or into a custom tool of OpenAI: `none|llama.cpp|localai|vllm|vllm-tag|sglang|sglang-tag|fireworks|openai-custom-tool`")
	f.StringVar(&form, "response-format", form, "the same for a request with tools that asks for JSON: `instruct|native`")
	f.BoolVar(&o.Rewriting.StopSequence, "stop-sequence", false, "end answers of chat completions where a model invents a result; some models refuse stop sequences")
	f.BoolVar(&o.Rewriting.KeepUserText, "keep-user-text", false, "do not neutralize tags in what users say")
	f.IntVar(&o.Rewriting.LiveAfter, "live-after", middleware.DefaultLiveAfter, "stream arguments as they arrive once they have `N` bytes, and check shorter calls as a whole first; -1 checks all")
	f.BoolVar(&o.Rewriting.ShowMalformed, "show-malformed", false, "deliver a malformed call as text with what is wrong with it, in place of a short note")
	f.StringVar(&strip, "strip", strip, "leave text out: what stands before the first call of a message, which is all of a message without one, or all: `none|leading|all`")
	f.BoolVar(&o.Rewriting.Repair, "repair", true, "accept likely mistakes in calls that can have only one meaning")
	f.BoolVar(&o.Rewriting.AllowInCode, "calls-in-code", false, "read calls in Markdown code, too")
	f.BoolVar(&o.Rewriting.InReasoning, "in-reasoning", false, "read each message as one that begins inside reasoning, up to the tag that closes it, such as </think>: for models whose template opens it in the prompt")
	f.BoolVar(&o.Rewriting.AllowUnclosed, "accept-at-end", false, "take a call whose close tag a stop sequence has swallowed")
	f.Int64Var(&o.MaxBody, "max-body", o.MaxBody, "refuse requests of more than `N` bytes")
	f.Int64Var(&o.Rewriting.MaxResponse, "max-answer", middleware.DefaultMaxResponse, "break off an answer of which an event, or the whole if it is no stream, has more than `N` bytes")
	words.registerNotation(cmd)
	words.registerTags(cmd)
	f.StringVar(&header, "header", "", "a `file` with a header in the place of the default one")
	words.registerManual(cmd)
	words.registerLazy(cmd)
	f.DurationVar(&o.Wait, "wait", o.Wait, "the longest `time` that the upstream may say nothing, before its answer or within it")
	f.DurationVar(&o.Grace, "grace", o.Grace, "the `time` that running answers have to end")
	return cmd
}

// speak sets the formats that calls are taken out of text in, if there are any.
func speak(o *middleware.Options, rescue string) error {
	switch {
	case rescue == "":
		return nil
	case o.Manual.Protocol != nil:
		return errors.New("--protocol tells models of tools, --rescue leaves that to the upstream: give one of them")
	}
	var leaks []*format.Format
	for name := range strings.SplitSeq(rescue, ",") {
		name = strings.TrimSpace(name)
		_, err := protocol.Format(name)
		if err != nil {
			return fmt.Errorf("--rescue: %w", err)
		}
		leaks = append(leaks, format.Lookup(name, yaml.XML))
	}
	o.Rescue = format.Any(leaks[0], leaks[1:]...)
	return nil
}

// countTokens returns the number of tokens of text in o200k, or 0 if the vocabulary
// cannot be read.
func countTokens(text string) int {
	count, err := tokens.Counter("o200k_base")
	if err != nil {
		return 0
	}
	return count(text)
}
