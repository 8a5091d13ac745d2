package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// settings are what flags of several commands set: the tools, the format of calls, and how tools
// are explained. A command adds the groups of flags that it needs.
type settings struct {
	corpus.Wording
	tools     string // a file
	sample    bool   // read the text and the tools that are part of the program
	protocol  string // the name of the format
	limits    parse.Limits
	placement string
	budget    int
	hideNames bool
	quiet     bool // don't report problems of the tools

	// settle sets these.
	format *parse.Format  // with the tags of the flags
	manual manual.Options // how tools are explained
}

// toolsFlag adds the flag that names the tools.
func (s *settings) toolsFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&s.tools, "tools", "t", "",
		"the tools, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK")
	if err := cmd.MarkFlagFilename("tools", "json"); err != nil {
		panic(err) // the flag exists
	}
}

// lazyFlags adds the flags for tools that are explained on demand.
func (s *settings) lazyFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&s.Lazy, "lazy", nil,
		"explain these `tools`, or with * all, only when the model asks")
	f.StringVar(&s.Loader, "loader", "__load_tool_schema__",
		"the `name` of the tool with which it asks")
}

// sampleFlag adds the flag by which a command can be tried without a file.
func (s *settings) sampleFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.sample, "sample", false,
		"read the sample text and tools in this program")
}

// protocolFlag adds the flag that names the format of calls.
func (s *settings) protocolFlag(cmd *cobra.Command) {
	enumVar(cmd.Flags(), &s.protocol, "protocol", "wire", "the format of the calls",
		protocol.Formats()...)
}

// tagFlags adds the flags for the tags around a call. They must be used together.
func (s *settings) tagFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Open, "open", "",
		"the `tag` that opens a call, instead of the format's own")
	cmd.Flags().StringVar(&s.Close, "close", "", "the `tag` that closes a call")
	cmd.MarkFlagsRequiredTogether("open", "close")
}

// framingFlags adds the flags for tags and limits.
func (s *settings) framingFlags(cmd *cobra.Command) {
	s.tagFlags(cmd)
	f, d := cmd.Flags(), lexer.Limits{}.OrDefault()
	countVar(f, &s.limits.Bytes, "max-bytes", 1, d.Bytes,
		"at most `N` bytes in a call, both tags included")
	countVar(f, &s.limits.Depth, "max-depth", 1, d.Depth,
		"at most `N` levels of nested arguments")
	countVar(f, &s.limits.Arguments, "max-arguments", 1, d.Arguments,
		"at most `N` arguments in a call")
	countVar(f, &s.limits.Name, "max-name", 1, d.Name, "at most `N` bytes in the name of a tool")
}

// notationFlags adds the flags for how tools are written down.
func (s *settings) notationFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	enumVar(f, &s.Style, "style", "compact", "notation of signatures", "compact", "classic")
	enumVar(f, &s.Syntax, "syntax", "wire", "how arguments are written", "wire", "json")
	enumVar(f, &s.Fallback, "fallback", "complex", "how to announce tools that key=value cannot "+
		"carry; complex is in JSON", "complex", "error", "force")
	f.IntVar(&s.Description, "description", sig.DefaultDescription,
		"at most `N` characters of a tool's description; -1 for none")
	enumVar(f, &s.Parameters, "parameters", "full", "descriptions and limits of parameters",
		"full", "off")
	f.BoolVar(&s.HideDefaults, "hide-defaults", false, "leave out default values")
}

// manualFlags adds the flags for what the manual of the tools is like.
func (s *settings) manualFlags(cmd *cobra.Command) {
	s.notationFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&s.hideNames, "hide-names", false,
		"do not list the names of lazy tools; the model searches for them")
	enumVar(f, &s.placement, "placement", "last", "where the manual is in the system text",
		"last", "first")
	countVar(f, &s.budget, "budget", 0, 0,
		"drop descriptions to stay within `N` tokens, of four bytes each; 0 means no limit")
}

// settle sets the format, and how tools are explained.
func (s *settings) settle() (err error) {
	s.format, err = protocol.Format(s.protocol, parse.Tags{Open: s.Open, Close: s.Close})
	if err != nil {
		return fmt.Errorf("--open and --close: %w", err)
	}
	s.manual, err = protocol.Wording(&s.Wording, s.format)
	s.manual.PromptFirst = s.placement == "first"
	s.manual.Budget, s.manual.Lazy.HideNames = s.budget, s.hideNames
	return err
}

// open settles the format, compiles the tools, and opens what args name, or the sample.
func (s *settings) open(
	cmd *cobra.Command, args []string,
) (catalog *sig.Catalog, in io.ReadCloser, err error) {
	err = s.settle()
	if err == nil {
		catalog, err = s.catalog(cmd)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case s.sample && len(args) > 0:
		return nil, nil, fmt.Errorf("--sample replaces %s; leave one of them out", args[0])
	case s.sample:
		text, _ := corpus.Sample()
		return catalog, io.NopCloser(bytes.NewReader(text)), nil
	}
	in, err = openInput(cmd, args)
	return catalog, in, err
}

// catalog returns the tools by which a text is read, nil if there are none.
func (s *settings) catalog(cmd *cobra.Command) (*sig.Catalog, error) {
	args := cmd.Flags().Args()
	switch {
	case s.tools == "" && s.sample:
		_, tools := corpus.Sample()
		return sig.Compile(tools)
	case s.tools == "":
		return nil, nil
	case s.tools == "-" && (len(args) == 0 || args[0] == "-"):
		return nil, errors.New("standard input is already used for the tools: " +
			"name a file for the text")
	}
	return s.someTools(cmd)
}

// errNoTools is the error of a command that needs tools.
var errNoTools = errors.New("no tools; name their file: --tools tools.json")

// someTools returns the tools; having none is an error. It adds the loader if some are lazy, and
// reports problems on standard error.
func (s *settings) someTools(cmd *cobra.Command) (*sig.Catalog, error) {
	if s.tools == "" {
		return nil, errNoTools
	}
	catalog, err := readTools(cmd, s.tools)
	if err != nil {
		return nil, err
	}
	for _, tool := range s.Lazy {
		if tool != protocol.AllTools && catalog.Lookup([]byte(tool)) == nil {
			return nil, fmt.Errorf("--lazy: there is no tool %q in %s", tool, s.tools)
		}
	}
	if !s.quiet {
		noteProblems(cmd.ErrOrStderr(), s.tools, catalog.Problems())
	}
	m, err := manual.New(catalog, &manual.Options{Lazy: s.manual.Lazy})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.tools, err)
	}
	return m.Catalog(), nil
}

// readTools reads and compiles the tools of a file, or of standard input for "-".
func readTools(cmd *cobra.Command, name string) (*sig.Catalog, error) {
	data, err := readInput(cmd, []string{name})
	if err != nil {
		return nil, err
	}
	name = inputName(name)
	catalog, err := sig.Compile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	problems := catalog.Problems()
	switch {
	case catalog.Len() > 0:
		return catalog, nil
	case len(problems) > 0:
		return nil, fmt.Errorf("%s has no tool that can be read: %s: %s",
			name, problems[0].Code, problems[0].Message)
	}
	return nil, fmt.Errorf("%s has no tools", name)
}

// noteProblems names the first few tools that are lost, and counts the other problems.
func noteProblems(notes io.Writer, name string, problems []sig.Problem) {
	named, rest := 0, 0
	for _, p := range problems {
		if isError(p) && named < 5 {
			named++
			note(notes, "%s: tool %q: %s", name, p.Tool, p.Message)
		} else {
			rest++
		}
	}
	if rest > 0 {
		note(notes, "%s: %s in the schemas, read as far as possible; "+
			"callwire sig --lint lists them", name, terminal.Count(rest, "problem"))
	}
}
