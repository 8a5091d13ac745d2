package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/parse"
)

// BENCHMARKS.md names the commands that its figures come from; go generate runs them.
//
//go:generate go run . bench tokens --into BENCHMARKS.md
//go:generate sh -c "go test -run ^$ -bench . -benchtime 100ms -count 6 ./internal/bench | go run . bench speed --into BENCHMARKS.md"
//go:generate go run . bench live --demo --chart internal/bench/live.svg

func newBench() *cobra.Command {
	cmd := describe(&cobra.Command{Use: "bench", Args: cobra.ArbitraryArgs, RunE: runParent})
	cmd.AddCommand(newBenchTokens(), newBenchSpeed(), newBenchLive(), newBenchReport())
	return cmd
}

// pageFlags are the flags for how a benchmark shows its report.
type pageFlags struct {
	asJSON, markdown bool
	into             string
}

// describe gives a command of a benchmark its page and flags, these among them.
func (f *pageFlags) describe(cmd *cobra.Command, own flags) *cobra.Command {
	cmd = describe(cmd, own, flags{
		"json": &f.asJSON, "markdown": &f.markdown, "into": &f.into,
	})
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "into")
	return cmd
}

// show shows a report, whose page is Markdown or text.
func (f *pageFlags) show(
	cmd *cobra.Command, report any, pageOf func(markdown bool) string,
) error {
	page := pageOf(f.markdown || f.into != "")
	if f.into != "" {
		file, err := readOptional(f.into)
		if err != nil {
			return err
		}
		file, err = bench.Insert(file, page, cmd.CommandPath())
		if err != nil {
			return fmt.Errorf("%s: %w", f.into, err)
		}
		return writeTo(f.into, []byte(file))
	}
	return output(cmd, func(out *bufio.Writer) error {
		if !f.asJSON {
			_, err := out.WriteString(page)
			return err
		}
		enc := jsonl.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	})
}

func newBenchSpeed() *cobra.Command {
	var view pageFlags
	return view.describe(&cobra.Command{
		Use:     "speed [FILE]",
		Aliases: []string{"memory"},
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := openInput(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			speed, err := bench.ReadSpeed(io.LimitReader(in, 64<<20))
			if err != nil {
				return err
			}
			return view.show(cmd, speed, speed.Page)
		},
	}, nil)
}

func newBenchTokens() *cobra.Command {
	var (
		view                     pageFlags
		tools, calls, vocabulary string
		tags                     parse.Tags
	)
	cmd := view.describe(&cobra.Command{
		Use:  "tokens",
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			suite, err := readSuite(cmd, tools, calls)
			if err != nil {
				return err
			}
			if _, err := protocol.Format(wireShape, tags); err != nil {
				return fmt.Errorf("--open and --close: %w", err)
			}
			report, err := tokens.Measure(suite, tags)
			if err != nil {
				return fmt.Errorf("%s: %w", calls, err)
			}
			return view.show(cmd, report, func(markdown bool) string {
				return report.Page(vocabulary, markdown)
			})
		},
	}, flags{
		"tools":      &tools,
		"calls":      &calls,
		"vocabulary": oneOf(&vocabulary, tokens.Vocabularies...),
		"open":       &tags.Open,
		"close":      &tags.Close,
	})
	cmd.MarkFlagsRequiredTogether("tools", "calls")
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
