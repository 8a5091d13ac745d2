package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/proxy"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/stream/middleware"
)

// proxying is the command line of callwire proxy.
type proxying struct {
	proxy.Options
	words                                       wording
	toolChoice, answerFormat, constrain, strips string
	header, rescue                              string
	retries                                     int
	keepUserText                                bool
	color                                       terminal.ColorMode
}

func newProxy() *cobra.Command {
	p := &proxying{Options: proxy.Default()}
	cmd := &cobra.Command{
		Use:   "proxy --upstream URL",
		Short: "Bring the format to a program in any language, with a local proxy",
		Long: `proxy sits between a program and a model. The program declares tools and gets
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
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd) },
	}
	p.register(cmd)
	return cmd
}

// register defines the flags.
func (p *proxying) register(cmd *cobra.Command) {
	f, o := cmd.Flags(), &p.Rewriting
	f.StringVar(&p.Upstream, "upstream", "", "the `URL` of the model's endpoint")
	f.StringVar(&p.Listen, "listen", p.Listen, "the `address` of the proxy; port 0 is any free one")
	f.BoolVar(&p.Public, "public", false, "listen where others can connect, too")
	f.BoolVarP(&p.Debug, "debug", "v", false, "show what was rewritten")
	colorVar(f, &p.color)
	enumVar(f, &p.words.format, "protocol", "wire", "the format in which models write calls",
		protocol.Formats()...)
	f.StringVar(&p.rescue, "rescue", "", "send requests unchanged, and take calls out of the text "+
		"that the upstream has left there, in the formats `NAME,NAME…`")
	f.IntVar(&p.retries, "retries", 1, "answer a message with a malformed call, or without one "+
		"that is required, to the model, up to `N` times, if no call of it was delivered")
	f.BoolVar(&o.Repair, "repair", true,
		"accept likely mistakes in calls that can have only one meaning")
	f.BoolVar(&o.AllowAfterMalformed, "allow-after-malformed", false,
		"deliver calls after a malformed one, too")
	f.BoolVar(&o.AllowInCode, "allow-in-code", false, "deliver calls in Markdown code, too")
	f.BoolVar(&o.AllowUnclosed, "allow-unclosed", false,
		"deliver a call whose closing tag a stop sequence has swallowed")
	oldName(f, "repair", "no-salvage", true)
	oldName(f, "allow-after-malformed", "continue-after-malformed", false)
	oldName(f, "allow-in-code", "calls-in-code", false)
	oldName(f, "allow-unclosed", "accept-at-end", false)
	f.Bool("split-deltas", false, "") // calls always come in pieces now
	f.Lookup("split-deltas").Hidden = true
	f.BoolVar(&o.Strict, "strict", false, "deliver no call that does not fit its schema")
	f.BoolVar(&o.ShowMalformed, "show-malformed", false,
		"deliver a malformed call as text with its error, instead of a short note")
	enumVar(f, &p.toolChoice, "tool-choice", "instruct", "what to do with a request that requires "+
		"a call: instruct the model in text, or leave the request native", "instruct", "native")
	enumVar(f, &p.answerFormat, "response-format", "instruct",
		"the same for a request with tools that asks for JSON", "instruct", "native")
	engines := append([]string{"none"}, middleware.Engines()...)
	enumVar(f, &p.constrain, "constrain", "none", "put a grammar into each request of chat "+
		"completions, for the engine that the upstream is, or into a custom tool of OpenAI",
		engines...)
	enumVar(f, &p.strips, "strip", "none", "leave text out: what comes before the first call of a "+
		"message, which is all of a message without one, or all", "none", "leading", "all")
	f.BoolVar(&o.StopSequence, "stop-sequence", false, "end answers of chat completions where a "+
		"model invents a result; some models refuse stop sequences")
	f.BoolVar(&p.keepUserText, "keep-user-text", false, "do not neutralize tags in what users say")
	f.IntVar(&o.LiveAfter, "live-after", 1<<10, "stream arguments as they arrive once they have "+
		"`N` bytes, and check shorter calls as a whole first; -1 checks all")
	f.BoolVar(&o.InReasoning, "in-reasoning", false, "read each message as one that begins inside "+
		"reasoning, up to the tag that closes it, such as </think>: for models whose template "+
		"opens it in the prompt")
	f.Int64Var(&p.MaxBody, "max-body", p.MaxBody, "refuse requests of more than `N` bytes")
	f.Int64Var(&o.MaxResponse, "max-answer", 32<<20, "cut off an answer with an event of more "+
		"than `N` bytes, or of more bytes in all if it is not a stream")
	p.words.registerNotation(cmd)
	p.words.registerTags(cmd)
	f.StringVar(&p.header, "header", "", "a `file` with a header in the place of the default one")
	p.words.registerManual(cmd)
	p.words.registerLazy(cmd)
	f.DurationVar(&p.Wait, "wait", p.Wait,
		"the longest `time` that the upstream may be silent, before its answer or within it")
	f.DurationVar(&p.Grace, "grace", p.Grace, "the `time` that running answers have to end")
}

// run runs the proxy until it is interrupted.
func (p *proxying) run(cmd *cobra.Command) error {
	err := p.settle()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program
	p.Count = countTokens
	p.Out, p.Screen = cmd.ErrOrStderr(), terminal.ScreenOf(cmd.ErrOrStderr(), p.color)
	err = p.Run(ctx)
	if errors.Is(err, proxy.ErrCutOff) {
		return errFound
	}
	return err
}

// settle turns flags into options.
func (p *proxying) settle() (err error) {
	o := &p.Rewriting
	o.KeepToolChoice, o.KeepFormat = p.toolChoice == "native", p.answerFormat == "native"
	o.StripLeading, o.StripAll = p.strips == "leading", p.strips == "all"
	if p.constrain != "none" {
		o.Constrain = p.constrain
	}
	if o.LiveAfter == 0 {
		o.LiveAfter = 1 // 0 means the default
	}
	o.Retries = p.retries
	switch {
	case p.retries < 0:
		return errors.New("--retries is not negative")
	case p.retries == 0:
		o.Retries = -1 // never
	}
	if p.header != "" {
		data, err := os.ReadFile(p.header)
		if err != nil {
			return fileError(p.header, err)
		}
		p.words.Header = string(data)
	}
	o.Manual, err = p.words.options()
	if err != nil {
		return err
	}
	o.Manual.KeepUserText = p.keepUserText
	return speak(o, p.rescue)
}

// speak sets the formats that calls are taken out of text in, if there are any.
func speak(o *middleware.Options, rescue string) error {
	switch {
	case rescue == "":
		return nil
	case o.Manual.Format != nil && o.Manual.Format.Name != wireShape:
		return errors.New("--protocol explains tools to the model, --rescue leaves that to the " +
			"upstream: give one of them")
	}
	var leaks []*format.Format
	for name := range strings.SplitSeq(rescue, ",") {
		f, err := protocol.Format(strings.TrimSpace(name))
		if err != nil {
			return fmt.Errorf("--rescue: %w", err)
		}
		leaks = append(leaks, f)
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
