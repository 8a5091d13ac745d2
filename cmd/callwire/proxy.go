package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
	o := &p.Rewriting
	o.Retries, o.Repair, o.LiveAfter, o.MaxResponse = 1, true, 1<<10, 32<<20
	instruct := []string{"instruct", "native"}
	cmd := describe(&cobra.Command{
		Use: "proxy --upstream URL", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd) },
	}, p.flags(), flags{
		"upstream": &p.Upstream,
		"listen":   &p.Listen,
		"public":   &p.Public,
		"debug":    &p.Debug,
		"color":    colors(&p.color),

		"rescue":          &p.rescue,
		"constrain":       oneOf(&p.constrain, append([]string{"none"}, engines.Names...)...),
		"retries":         atLeast(0, &o.Retries),
		"tool-choice":     oneOf(&p.toolChoice, instruct...),
		"response-format": oneOf(&p.answerFormat, instruct...),
		"strip":           oneOf(&p.strips, "none", "leading", "all"),
		"stop-sequence":   &o.StopSequence,
		"keep-user-text":  &p.keepUserText,
		"header":          &p.header,

		"repair":                &o.Repair,
		"allow-after-malformed": &o.AllowAfterMalformed,
		"allow-in-code":         &o.AllowInCode,
		"allow-unclosed":        &o.AllowUnclosed,
		"strict":                &o.Strict,
		"show-malformed":        &o.ShowMalformed,
		"in-reasoning":          &p.inReasoning,

		"live-after": &o.LiveAfter,
		"max-body":   &p.MaxBody,
		"max-answer": &o.MaxResponse,
		"wait":       &p.Wait,
		"grace":      &p.Grace,
	})
	f := cmd.Flags()
	oldName(f, "repair", "no-salvage", true)
	oldName(f, "allow-after-malformed", "continue-after-malformed", false)
	oldName(f, "allow-in-code", "calls-in-code", false)
	oldName(f, "allow-unclosed", "accept-at-end", false)
	f.Bool("split-deltas", false, "") // calls always come in pieces now
	f.Lookup("split-deltas").Hidden = true
	return cmd
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
