package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/parse"
)

// BENCHMARKS.md names the commands that its figures come from; go generate runs them.
//
//go:generate go run . bench tokens --into BENCHMARKS.md
//go:generate sh -c "go test -run ^$ -bench . -benchtime 100ms -count 6 ./internal/bench | go run . bench speed --into BENCHMARKS.md"
//go:generate go run . bench live --demo --chart internal/bench/live.svg

func newBench() *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Args: cobra.ArbitraryArgs, RunE: runParent}
	cmd.AddCommand(newBenchTokens(), newBenchSpeed(), newBenchLive(), newBenchReport())
	return cmd
}

// pageFlags are the flags for how a benchmark shows its report.
type pageFlags struct {
	asJSON bool
	into   string
}

func (f *pageFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.asJSON, "json", "j", false, "print one JSON object")
	cmd.Flags().Bool("markdown", true, "the report is Markdown")
	cmd.Flags().StringVar(&f.into, "into", "",
		"write Markdown into this `file`, between its lines "+
			"<!-- callwire bench "+cmd.Name()+" --> and <!-- end -->")
	cmd.Flags().Lookup("markdown").Hidden = true // an old flag: there was another form
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "into")
}

// show shows a report.
func (f *pageFlags) show(cmd *cobra.Command, report any, page string) error {
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
	cmd := &cobra.Command{
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
			return view.show(cmd, speed, speed.Page())
		},
	}
	view.register(cmd)
	return cmd
}

func newBenchTokens() *cobra.Command {
	var (
		view                     pageFlags
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
			return view.show(cmd, report, report.Page(vocabulary))
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
	view.register(cmd)
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
