package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/proxy"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/engines"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
)

// proxyOptions are the flags of proxy.
type proxyOptions struct {
	proxy.Options
	settings
	toolChoice, answerFormat, constrain, strips string
	header, rescue                              string
	keepUserText, inReasoning                   bool
	color                                       terminal.ColorMode
}

func newProxy() *cobra.Command {
	p := &proxyOptions{Options: proxy.Default()}
	cmd := &cobra.Command{
		Use: "proxy --upstream URL", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd) },
	}
	p.register(cmd)
	return cmd
}

// register defines the flags.
func (p *proxyOptions) register(cmd *cobra.Command) {
	f, o := cmd.Flags(), &p.Rewriting
	f.StringVar(&p.Upstream, "upstream", "", "the `URL` of the model's endpoint")
	f.StringVar(&p.Listen, "listen", p.Listen, "the `address` of the proxy; port 0 is any free one")
	f.BoolVar(&p.Public, "public", false, "listen where others can connect, too")
	f.BoolVarP(&p.Debug, "debug", "v", false, "show what was rewritten")
	colorVar(f, &p.color)
	p.protocolFlag(cmd)
	f.StringVar(&p.rescue, "rescue", "", "send requests unchanged, and take calls out of the text "+
		"that the upstream has left there, in the formats `NAME,NAME…`")
	countVar(f, &o.Retries, "retries", 0, 1, "answer a message with a malformed call, or without "+
		"one that is required, to the model, up to `N` times, if no call of it was delivered")
	p.callFlags(f)
	enumVar(f, &p.toolChoice, "tool-choice", "instruct", "what to do with a request that requires "+
		"a call: instruct the model in text, or leave the request native", "instruct", "native")
	enumVar(f, &p.answerFormat, "response-format", "instruct",
		"the same for a request with tools that asks for JSON", "instruct", "native")
	enumVar(f, &p.constrain, "constrain", "none", "put a grammar into each request of chat "+
		"completions, for the engine that the upstream is, or into a custom tool of OpenAI",
		append([]string{"none"}, engines.Names...)...)
	enumVar(f, &p.strips, "strip", "none", "leave text out: what comes before the first call of a "+
		"message, which is all of a message without one, or all", "none", "leading", "all")
	f.BoolVar(&o.StopSequence, "stop-sequence", false, "end answers of chat completions where a "+
		"model invents a result; some models refuse stop sequences")
	f.BoolVar(&p.keepUserText, "keep-user-text", false, "do not neutralize tags in what users say")
	f.IntVar(&o.LiveAfter, "live-after", 1<<10, "stream arguments as they arrive once they have "+
		"`N` bytes, and check shorter calls as a whole first; -1 checks all")
	f.BoolVar(&p.inReasoning, "in-reasoning", false, "read each message as one that begins inside "+
		"reasoning, up to the tag that closes it, such as </think>: for models whose template "+
		"opens it in the prompt")
	f.Int64Var(&p.MaxBody, "max-body", p.MaxBody, "refuse requests of more than `N` bytes")
	f.Int64Var(&o.MaxResponse, "max-answer", 32<<20, "cut off an answer with an event of more "+
		"than `N` bytes, or of more bytes in all if it is not a stream")
	p.tagFlags(cmd)
	f.StringVar(&p.header, "header", "", "a `file` with a header in the place of the default one")
	p.manualFlags(cmd)
	p.lazyFlags(cmd)
	f.DurationVar(&p.Wait, "wait", p.Wait,
		"the longest `time` that the upstream may be silent, before its answer or within it")
	f.DurationVar(&p.Grace, "grace", p.Grace, "the `time` that running answers have to end")
}

// callFlags defines the flags for which calls are delivered.
func (p *proxyOptions) callFlags(f *pflag.FlagSet) {
	o := &p.Rewriting
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
}

// run runs the proxy until it is interrupted.
func (p *proxyOptions) run(cmd *cobra.Command) error {
	err := p.options()
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	p.Out, p.Screen = cmd.ErrOrStderr(), terminal.ScreenOf(cmd.ErrOrStderr(), p.color)
	err = p.Run(ctx)
	if errors.Is(err, proxy.ErrCutOff) {
		return errFound
	}
	return err
}

// options turns flags into options.
func (p *proxyOptions) options() (err error) {
	o := &p.Rewriting
	o.KeepToolChoice, o.KeepFormat = p.toolChoice == "native", p.answerFormat == "native"
	o.StripLeading, o.StripAll = p.strips == "leading", p.strips == "all"
	if p.constrain != "none" {
		o.Constrain = p.constrain
	}
	if p.inReasoning {
		o.Reasoning = parse.StartedReasoning
	}
	if o.LiveAfter == 0 {
		o.LiveAfter = 1 // 0 means the default
	}
	if o.Retries == 0 {
		o.Retries = -1 // never
	}
	p.Header, err = readOptional(p.header)
	if err != nil {
		return err
	}
	if err := p.settle(); err != nil {
		return err
	}
	o.Manual = p.manual
	o.Manual.KeepUserText = p.keepUserText
	if p.rescue == "" {
		return nil
	}
	if p.protocol != wireShape {
		return errors.New("--protocol explains tools to the model, --rescue leaves that to the " +
			"upstream: give one of them")
	}
	o.Rescue, err = formatsOf(p.rescue)
	return err
}

// formatsOf returns a format that reads all of those in a list.
func formatsOf(list string) (*parse.Format, error) {
	var leaks []*parse.Format
	for name := range strings.SplitSeq(list, ",") {
		f, err := protocol.Format(strings.TrimSpace(name), parse.Tags{})
		if err != nil {
			return nil, fmt.Errorf("--rescue: %w", err)
		}
		leaks = append(leaks, f)
	}
	return format.Any(leaks[0], leaks[1:]...), nil
}
