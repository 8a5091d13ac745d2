package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/stream"
	"github.com/callwire/callwire/stream/middleware"
)

func newProxy() *cobra.Command {
	o := proxyOptions{listen: "127.0.0.1:8787", maxBody: middleware.DefaultMaxRequest, wait: 10 * time.Minute, grace: 10 * time.Second, times: defaultTimes}
	choice, form, engine, color, retries := "instruct", "instruct", middleware.NoEngine.String(), terminal.ColorAuto, 0
	var words wording
	header, format, rescue, strip := "", "wire", "", "none"
	cmd := &cobra.Command{
		Use:   "proxy --upstream URL",
		Short: "Bring the format to a program in any language, with a local proxy",
		Long: `proxy stands between a program and a model: the program declares tools and gets
tool calls as ever, the model is asked in text and answers in text. It rewrites
…/chat/completions (OpenAI and whoever speaks like it), …/responses (OpenAI),
…/messages (Anthropic, Bedrock and Vertex), :generateContent (Gemini) and /api/chat
(Ollama), streamed or not, and passes on everything else.

Give the program http://127.0.0.1:8787/v1 for its base URL (Anthropic's clients:
http://127.0.0.1:8787) and leave its key where it is: keys are passed on and never
printed. A path that the upstream's URL ends with is not repeated, so /v1 may
stand in both or in one of them.

GET /healthz answers "ok" without asking the upstream, GET /metrics counts, as
Prometheus reads it. Web pages of other hosts are refused. The first interrupt or
SIGTERM lets running answers end, for as long as --grace says; the second ends
the program.

--debug shows on standard error what was rewritten: the conversation as the model
sees it, each call, and a line for each request, with the tokens (of o200k) before
and after, or why it was passed on. Of paths, queries and headers it shows what is
known to be harmless, and of the other headers the names.

--constrain tells the upstream by a grammar what a model may write: no call can
then miss the format or the types of its tool, and a call that is required is made.
callwire grammar prints such grammars.

--protocol is for models that know another format of calls. --rescue is for servers
that call tools natively, but leave some calls in the text, in the format of the
model: requests stay as they are, and those calls become native ones.

An answer may take as long as it goes on: it is broken off where the upstream says
nothing for --wait, or the client takes nothing of it for 5 minutes. A client has 10
seconds for the header of a request, and for its body 30 seconds, more only while it
sends at least 1024 bytes a second on average.

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
				to *middleware.ToolChoice
			}{"tool-choice": {choice, &o.rewriting.ToolChoice}, "response-format": {form, &o.rewriting.ResponseFormat}} {
				switch value.is {
				case "instruct":
				case "native":
					*value.to = middleware.Native
				default:
					return fmt.Errorf("--%s is instruct or native, not %q", flag, value.is)
				}
			}
			strips := map[string]stream.Strip{"none": stream.StripNone, "leading": stream.StripLeading, "all": stream.StripAll}
			kind, known := strips[strip]
			if !known {
				return fmt.Errorf("--strip is none, leading or all, not %q", strip)
			}
			o.rewriting.Strip = kind
			if o.rewriting.LiveAfter == 0 {
				o.rewriting.LiveAfter = 1 // 0 stands for the default
			}
			if o.rewriting.Retries = retries; retries == 0 {
				o.rewriting.Retries = -1
			} else if retries < 0 {
				return errors.New("--retries is not negative")
			}
			upstream, err := middleware.ParseEngine(engine)
			if err != nil {
				return fmt.Errorf("--constrain: %w", err)
			}
			if header != "" {
				data, err := os.ReadFile(header)
				if err != nil {
					return fileError(header, err)
				}
				words.Header = string(data)
			}
			if o.rewriting.Manual, err = words.options(); err != nil {
				return err
			}
			if err := o.speak(format, rescue, cmd.Flags().Changed("open") || cmd.Flags().Changed("close")); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // the second signal is not ours
			o.log = newProxyLog(cmd.ErrOrStderr(), terminal.ScreenOf(cmd.ErrOrStderr(), color), o.debug)
			o.constrain(upstream)
			return o.run(ctx)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.upstream, "upstream", "", "the `URL` of the model's endpoint")
	f.StringVar(&o.listen, "listen", o.listen, "the `address` of the proxy; port 0 is any free one")
	f.BoolVar(&o.public, "public", false, "listen where others can connect, too")
	f.BoolVarP(&o.debug, "debug", "v", false, "show what was rewritten")
	f.Var(&color, "color", "when to use color in what is shown: `auto|always|never`")
	f.StringVar(&format, "protocol", format, "the format of calls that models are told and read in: `"+strings.Join(protocolNames(), "|")+"`")
	f.StringVar(&rescue, "rescue", "", "send requests as they are, and take calls out of the text that the upstream has left there, in the formats `NAME,NAME…`")
	f.IntVar(&retries, "retries", 1, "answer a message with a malformed call, or without one that is required, to the model, up to `N` times, if no call of it was delivered")
	f.BoolVar(&o.rewriting.ContinueAfterMalformed, "continue-after-malformed", false, "deliver calls after a malformed one, too")
	f.BoolVar(&o.rewriting.Strict, "strict", false, "deliver no call that does not fit its schema")
	f.StringVar(&choice, "tool-choice", choice, "what to do with a request that requires a call: instruct the model in text, or leave the request native: `instruct|native`")
	f.StringVar(&engine, "constrain", engine, "put a grammar into each request of chat completions, for the engine that the upstream is, or into a custom tool of OpenAI: `none|llama.cpp|localai|vllm|vllm-tag|sglang|sglang-tag|fireworks|openai-custom-tool`")
	f.StringVar(&form, "response-format", form, "the same for a request with tools that asks for JSON: `instruct|native`")
	f.BoolVar(&o.rewriting.StopSequence, "stop-sequence", false, "end answers of chat completions where a model invents a result; some models refuse stop sequences")
	f.BoolVar(&o.rewriting.KeepUserText, "keep-user-text", false, "do not neutralise tags in what users say")
	f.IntVar(&o.rewriting.LiveAfter, "live-after", middleware.DefaultLiveAfter, "stream arguments as they arrive once they have `N` bytes, and check shorter calls as a whole first; -1 checks all")
	f.BoolVar(&o.rewriting.SplitDeltas, "split-deltas", false, "stream a call in several pieces, not in one")
	f.StringVar(&strip, "strip", strip, "leave text out: what stands before the first call of a message, which is all of a message without one, or all: `none|leading|all`")
	f.BoolVar(&o.rewriting.NoSalvage, "no-salvage", false, "read calls by the rules alone, and no drift of models")
	f.BoolVar(&o.rewriting.CallsInCode, "calls-in-code", false, "read calls in Markdown code, too")
	f.BoolVar(&o.rewriting.InReasoning, "in-reasoning", false, "read each message as one that begins inside reasoning, up to the tag that closes it, such as </think>: for models whose template opens it in the prompt")
	f.BoolVar(&o.rewriting.AcceptAtEnd, "accept-at-end", false, "take a call whose close tag a stop sequence has swallowed")
	f.Int64Var(&o.maxBody, "max-body", o.maxBody, "refuse requests of more than `N` bytes")
	f.Int64Var(&o.rewriting.MaxResponse, "max-answer", middleware.DefaultMaxResponse, "break off an answer of which an event, or the whole if it is no stream, has more than `N` bytes")
	words.registerNotation(cmd)
	words.registerTags(cmd)
	f.StringVar(&header, "header", "", "a `file` with a header in the place of the default one")
	words.registerManual(cmd)
	words.registerLazy(cmd)
	f.DurationVar(&o.wait, "wait", o.wait, "the longest `time` that the upstream may say nothing, before its answer or within it")
	f.DurationVar(&o.grace, "grace", o.grace, "the `time` that running answers have to end")
	return cmd
}

// proxyOptions are the flags of proxy.
type proxyOptions struct {
	upstream, listen string
	public, debug    bool
	maxBody          int64
	wait, grace      time.Duration
	times            proxyTimes
	rewriting        middleware.Options
	log              *proxyLog
}

// run listens and serves until ctx is done.
func (o *proxyOptions) run(ctx context.Context) error {
	upstream, err := o.check()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another address: --listen 127.0.0.1:0 takes any free port", o.listen, cause(err))
	}
	if isSelf(listener.Addr(), upstream) {
		listener.Close()
		return fmt.Errorf("--upstream %s is the proxy itself; give the URL of the model", safeURL(upstream))
	}
	o.log.say("proxy on http://%s for %s; stop it with Ctrl-C", listener.Addr(), safeURL(upstream))
	if o.public {
		o.log.say("warning: --public lets everybody who reaches %s use the proxy", o.listen)
	}
	if upstream.Scheme == "http" && !isLoopback(upstream.Hostname()) {
		o.log.say("warning: keys travel to %s unencrypted; use https where you can", upstream.Host)
	}
	return o.serve(ctx, listener, newProxyHandler(o, upstream))
}

// check says what is wrong with the flags, and returns the upstream.
func (o *proxyOptions) check() (*url.URL, error) {
	if o.upstream == "" {
		return nil, errors.New("proxy needs the URL of the model, as in --upstream https://api.openai.com")
	}
	upstream, err := url.Parse(o.upstream)
	if err != nil {
		return nil, errors.New("--upstream is no URL; write it like https://api.openai.com") // err may hold a password
	}
	if upstream.Scheme != "http" && upstream.Scheme != "https" || upstream.Host == "" || upstream.RawQuery != "" || upstream.Fragment != "" {
		return nil, fmt.Errorf("--upstream is http:// or https://, a host and perhaps a path, not %s", safeURL(upstream))
	}
	if o.maxBody < 1 || o.rewriting.MaxResponse < 0 || o.wait <= 0 || o.grace < 0 {
		return nil, errors.New("--max-body and --wait are positive; --max-answer and --grace are not negative")
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return nil, fmt.Errorf("--listen is host:port, as in 127.0.0.1:8787, not %q", o.listen)
	}
	if !o.public && !isLoopback(host) {
		return nil, fmt.Errorf("--listen %s can be reached by others; listen on 127.0.0.1, or say --public if you mean it", o.listen)
	}
	return upstream, nil
}

// cause returns the error at the bottom: what is above it repeats addresses.
func cause(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}
