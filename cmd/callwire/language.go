package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// language is what parse and format must know alike: the tools, how calls are
// set off from text, and how large they may be.
type language struct {
	tools  string
	delims lexer.Delims
	limits lexer.Limits
}

// registerTools adds the flag that names the tools.
func (l *language) registerTools(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&l.tools, "tools", "t", "", "type arguments by the tools in this JSON `file` (MCP, OpenAI, Anthropic and AI SDK shapes); without it everything is untyped")
	if err := cmd.MarkFlagFilename("tools", "json"); err != nil {
		panic(err) // the flag exists
	}
}

// registerFraming adds the flags for tags and limits.
func (l *language) registerFraming(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.delims.Open, "open", lexer.DefaultDelims.Open, "the `tag` that opens a call")
	f.StringVar(&l.delims.Close, "close", lexer.DefaultDelims.Close, "the `tag` that closes a call")
	f.IntVar(&l.limits.Bytes, "max-bytes", lexer.DefaultLimits.Bytes, "most bytes `N` of one call, both tags included")
	f.IntVar(&l.limits.Depth, "max-depth", lexer.DefaultLimits.Depth, "deepest nesting `N` of arguments")
	f.IntVar(&l.limits.Arguments, "max-arguments", lexer.DefaultLimits.Arguments, "most arguments `N` of one call")
	f.IntVar(&l.limits.Name, "max-name", lexer.DefaultLimits.Name, "most bytes `N` of a tool's name")
}

// check says what is wrong with the flags of cmd.
func (l *language) check(cmd *cobra.Command) error {
	f := cmd.Flags()
	if f.Changed("open") != f.Changed("close") {
		return errors.New("--open and --close belong together: give both tags")
	}
	if err := l.delims.Validate(); err != nil {
		return fmt.Errorf("--open and --close: %w", err)
	}
	for _, name := range [...]string{"max-bytes", "max-depth", "max-arguments", "max-name"} {
		if n, err := f.GetInt(name); err != nil || n < 1 {
			return fmt.Errorf("--%s must be at least 1, found %d", name, n)
		}
	}
	return nil
}

// catalog compiles the tools; nil if there are none. What is dirty in them is
// counted on notes.
func (l *language) catalog(notes io.Writer) (*sig.Catalog, error) {
	if l.tools == "" {
		return nil, nil
	}
	data, err := os.ReadFile(l.tools)
	if err != nil {
		return nil, fileError(l.tools, err)
	}
	catalog, err := sig.Compile(withoutMark(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.tools, err)
	}
	if n := len(catalog.Problems()); n > 0 {
		fmt.Fprintf(notes, "callwire: %s: %s in the schemas, read as well as could be; parse --debug lists them\n", l.tools, count(n, "problem"))
	}
	return catalog, nil
}

// count returns "1 call" or "2 calls".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
