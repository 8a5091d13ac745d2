package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/parse"
)

func newBenchTokens() *cobra.Command {
	var o tokensOptions
	cmd := &cobra.Command{
		Use:  "tokens",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.tools, "tools", "t", "", "count these tools, a JSON `file` of any common shape")
	f.StringVar(&o.calls, "calls", "", "and these calls of them, a `file` of JSON or JSON Lines")
	enumVar(f, &o.vocabulary, "vocabulary", tokens.Vocabularies[0], "the vocabulary of the tables",
		tokens.Vocabularies...)
	f.StringVar(&o.tags.Open, "open", "", "compare with this opening `tag`")
	f.StringVar(&o.tags.Close, "close", "", "and this closing `tag`")
	cmd.MarkFlagsRequiredTogether("open", "close")
	cmd.MarkFlagsRequiredTogether("tools", "calls")
	o.findings.register(cmd)
	return cmd
}

// tokensOptions are the flags of bench tokens.
type tokensOptions struct {
	findings     findings
	tools, calls string
	vocabulary   string
	tags         parse.Tags
}

func (o *tokensOptions) run(cmd *cobra.Command) error {
	suite, err := o.suite(cmd)
	if err != nil {
		return err
	}
	if _, err := parse.Message(suite.Catalog, "", &parse.Options{Tags: o.tags}); err != nil {
		return fmt.Errorf("--open and --close: %w", err)
	}
	report, err := tokens.Measure(suite, o.tags)
	if err != nil {
		if o.calls != "" {
			err = fmt.Errorf("%s: %w", o.calls, err)
		}
		return err
	}
	return o.findings.show(cmd, report, report.Page(o.vocabulary))
}

// suite returns the user's tools and calls, or the published ones.
func (o *tokensOptions) suite(cmd *cobra.Command) (bench.Suite, error) {
	if o.tools == "" {
		return bench.Published()
	}
	catalog, err := (&settings{tools: o.tools}).someTools(cmd)
	if err != nil {
		return bench.Suite{}, err
	}
	text, err := readOptional(o.calls)
	if err != nil {
		return bench.Suite{}, err
	}
	calls, err := bench.ReadCalls([]byte(text))
	if err != nil {
		return bench.Suite{}, fmt.Errorf("%s: %w", o.calls, err)
	}
	return bench.Suite{Catalog: catalog, Calls: calls}, nil
}
