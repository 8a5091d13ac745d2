package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/parse"
)

func newBenchTokens() *cobra.Command {
	var (
		findings                 findings
		tools, calls, vocabulary string
		tags                     parse.Tags
	)
	cmd := &cobra.Command{
		Use:  "tokens",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			suite, err := readSuite(cmd, tools, calls)
			if err != nil {
				return err
			}
			if _, err := parse.Message(suite.Catalog, "", &parse.Options{Tags: tags}); err != nil {
				return fmt.Errorf("--open and --close: %w", err)
			}
			report, err := tokens.Measure(suite, tags)
			if err != nil {
				return fmt.Errorf("%s: %w", calls, err)
			}
			return findings.show(cmd, report, report.Page(vocabulary))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&tools, "tools", "t", "", "count these tools, a JSON `file` of any common shape")
	f.StringVar(&calls, "calls", "", "and these calls of them, a `file` of JSON or JSON Lines")
	enumVar(f, &vocabulary, "vocabulary", tokens.Vocabularies[0], "the vocabulary of the tables",
		tokens.Vocabularies...)
	f.StringVar(&tags.Open, "open", "", "compare with this opening `tag`")
	f.StringVar(&tags.Close, "close", "", "and this closing `tag`")
	cmd.MarkFlagsRequiredTogether("open", "close")
	cmd.MarkFlagsRequiredTogether("tools", "calls")
	findings.register(cmd)
	return cmd
}

// readSuite reads tools, and calls of them if they have a file. Without files it returns the
// published ones.
func readSuite(cmd *cobra.Command, tools, calls string) (s bench.Suite, err error) {
	if tools == "" {
		return bench.Published()
	}
	s.Catalog, err = (&settings{tools: tools}).someTools(cmd)
	if err != nil || calls == "" {
		return s, err
	}
	text, err := readOptional(calls)
	if err != nil {
		return s, err
	}
	s.Calls, err = bench.ReadCalls([]byte(text))
	if err != nil {
		return s, fmt.Errorf("%s: %w", calls, err)
	}
	return s, nil
}
