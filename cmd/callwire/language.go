package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// language has what parse and format share: the tools, the tags of calls, and their limits.
type language struct {
	tools  string
	sample bool // read the text and the tools that are part of the program
	lazy   protocol.Lazy
	name   string // of the protocol
	format *parse.Format
	tags   parse.Tags // of the flags; format has them
	limits parse.Limits
}

// registerTools adds the flag that names the tools.
func (l *language) registerTools(cmd *cobra.Command) {
	toolsVar(cmd, &l.tools, "type arguments by the tools in this JSON `file` (MCP, OpenAI, "+
		"Anthropic and AI SDK shapes); without it everything is untyped")
	registerLazy(cmd, &l.lazy.Names, &l.lazy.Loader)
}

// registerSample adds the flag by which a command can be tried without a file.
func (l *language) registerSample(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.sample, "sample", false,
		"read the sample text and tools in this program")
}

// input opens what args name, or the sample.
func (l *language) input(cmd *cobra.Command, args []string) (io.ReadCloser, error) {
	if !l.sample {
		return openInput(cmd, args)
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("--sample replaces %s; leave one of them out", args[0])
	}
	text, _ := corpus.Sample()
	return io.NopCloser(bytes.NewReader(text)), nil
}

// registerProtocol adds the flag that names the format.
func (l *language) registerProtocol(cmd *cobra.Command) {
	enumVar(cmd.Flags(), &l.name, "protocol", "wire", "the format of the calls",
		protocol.Formats()...)
}

// registerFraming adds the flags for tags and limits.
func (l *language) registerFraming(cmd *cobra.Command) {
	f := cmd.Flags()
	tagsVar(cmd, &l.tags.Open, &l.tags.Close)
	f.IntVar(&l.limits.Bytes, "max-bytes", lexer.DefaultLimits.Bytes,
		"at most `N` bytes in a call, both tags included")
	f.IntVar(&l.limits.Depth, "max-depth", lexer.DefaultLimits.Depth,
		"at most `N` levels of nested arguments")
	f.IntVar(&l.limits.Arguments, "max-arguments", lexer.DefaultLimits.Arguments,
		"at most `N` arguments in a call")
	f.IntVar(&l.limits.Name, "max-name", lexer.DefaultLimits.Name,
		"at most `N` bytes in the name of a tool")
}

// check reports flags that do not fit, and sets the format.
func (l *language) check(cmd *cobra.Command) error {
	f := cmd.Flags()
	format, err := protocol.Format(l.name)
	if err != nil {
		return fmt.Errorf("--protocol: %w", err)
	}
	l.format = format
	if f.Changed("open") {
		l.format, err = protocol.Tagged(format, l.tags)
	}
	if err != nil {
		return fmt.Errorf("--open and --close: %w", err)
	}
	for _, name := range [...]string{"max-bytes", "max-depth", "max-arguments", "max-name"} {
		if n, err := f.GetInt(name); err != nil || n < 1 {
			return fmt.Errorf("--%s must be at least 1, found %d", name, n)
		}
	}
	return nil
}

// catalog compiles the tools, and adds the loader if some are lazy. It is nil without tools. It
// reports problems on notes.
func (l *language) catalog(cmd *cobra.Command, notes io.Writer) (*sig.Catalog, error) {
	if l.tools == "" && l.sample {
		_, tools := corpus.Sample()
		return sig.Compile(tools)
	}
	if l.tools == "" {
		return nil, nil
	}
	if err := checkInputs(l.tools, cmd.Flags().Args()); err != nil {
		return nil, err
	}
	return readCatalog(cmd, notes, l.tools, l.lazy)
}
