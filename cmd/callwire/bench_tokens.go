package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/lexer"
)

func newBenchTokens() *cobra.Command {
	o := tokensOptions{vocabulary: tokens.Vocabularies[0], prices: tokens.DefaultPrices}
	cmd := &cobra.Command{
		Use:   "tokens",
		Short: "Count what calls and tools cost in tokens, beside other notations",
		Long: `tokens counts the tokens of calls in the wire format and in five other notations:
native JSON as APIs return it, the bare JSON object, JSON in <tool_call> tags, XML
and Python calls. It says which part of the saving is only the envelope, what the
manual costs beside JSON definitions, in which conversations it pays for itself,
and what other tags would save.

Without --tools and --calls it counts the published benchmark of the format, 19
calls of 13 tools. The calls are a JSON array or JSON Lines:

  {"name":"getWeather","input":{"location":"New York","units":"metric"}}

"arguments" works in place of "input", and both may be JSON text in a string. Every
call is written, read back and compared before it is counted. Vocabularies are part
of the program: nothing is downloaded.

The default prices have ratios that are common, in US dollars for a million tokens.
Only the ratios matter. A cache price that is not given follows the input price:
1.25 times as much to write, a tenth to read.

Exit codes: 0 when all is done, 2 when the command line is wrong, a file cannot
be read, or a call cannot be written.`,
		Example: `  callwire bench tokens
  callwire bench tokens --tools tools.json --calls calls.jsonl
  callwire bench tokens --open '((' --close '))'
  callwire bench tokens --price-input 1 --price-output 8 --json`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.tools, "tools", "t", "", "count these tools, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK")
	f.StringVar(&o.calls, "calls", "", "and these calls of them, a `file` of JSON or JSON Lines")
	f.StringVar(&o.vocabulary, "vocabulary", o.vocabulary, "the vocabulary of the tables: `"+strings.Join(tokens.Vocabularies, "|")+"`")
	f.StringVar(&o.tags.Open, "open", "", "try this `tag` that opens a call")
	f.StringVar(&o.tags.Close, "close", "", "with this `tag` that closes it")
	f.Float64Var(&o.prices.Input, "price-input", o.prices.Input, "the `price` of tokens that the model reads")
	f.Float64Var(&o.prices.Output, "price-output", o.prices.Output, "the `price` of tokens that the model writes")
	f.Float64Var(&o.prices.CacheWrite, "price-cache-write", o.prices.CacheWrite, "the `price` of tokens that go to the cache of prompts")
	f.Float64Var(&o.prices.CacheRead, "price-cache-read", o.prices.CacheRead, "the `price` of tokens that come from it")
	o.findings.register(cmd)
	return cmd
}

// tokensOptions are the flags of bench tokens.
type tokensOptions struct {
	findings     findings
	tools, calls string
	vocabulary   string
	tags         lexer.Delims
	prices       tokens.Prices
}

func (o *tokensOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if err := o.findings.check(cmd); err != nil {
		return err
	}
	suite, err := o.suite(cmd)
	if err != nil {
		return err
	}
	report, err := tokens.Measure(suite, tokens.Options{Tags: o.tags, Prices: o.prices})
	if err != nil {
		if o.calls != "" {
			err = fmt.Errorf("%s: %w", o.calls, err)
		}
		return err
	}
	return o.findings.show(cmd, report, report.Page(o.vocabulary), report.Brief(o.vocabulary))
}

// check says what is wrong with the flags.
func (o *tokensOptions) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if !slices.Contains(tokens.Vocabularies, o.vocabulary) {
		return fmt.Errorf("--vocabulary is %s, not %q", strings.Join(tokens.Vocabularies, " or "), o.vocabulary)
	}
	if changed("open") != changed("close") {
		return errors.New("--open and --close belong together: give both tags")
	}
	if changed("open") {
		if err := o.tags.Validate(); err != nil {
			return fmt.Errorf("--open and --close: %w", err)
		}
	}
	if changed("tools") != changed("calls") {
		return errors.New("--tools and --calls belong together: give the tools and calls of them")
	}
	if changed("price-input") && !changed("price-cache-write") {
		o.prices.CacheWrite = 1.25 * o.prices.Input
	}
	if changed("price-input") && !changed("price-cache-read") {
		o.prices.CacheRead = 0.1 * o.prices.Input
	}
	for _, name := range []string{"price-input", "price-output", "price-cache-write", "price-cache-read"} {
		if price, _ := cmd.Flags().GetFloat64(name); !(price > 0 && price <= 1e9) {
			return fmt.Errorf("--%s must be more than 0, found %v", name, price)
		}
	}
	return nil
}

// suite returns the user's tools and calls, or the published ones.
func (o *tokensOptions) suite(cmd *cobra.Command) (bench.Suite, error) {
	if o.tools == "" {
		return bench.Published()
	}
	lang := language{tools: o.tools}
	catalog, err := lang.catalog(cmd, cmd.ErrOrStderr())
	if err != nil {
		return bench.Suite{}, err
	}
	text, err := os.ReadFile(o.calls)
	if err != nil {
		return bench.Suite{}, fileError(o.calls, err)
	}
	calls, err := bench.ReadCalls(text)
	if err != nil {
		return bench.Suite{}, fmt.Errorf("%s: %w", o.calls, err)
	}
	return bench.Suite{Catalog: catalog, Calls: calls}, nil
}
