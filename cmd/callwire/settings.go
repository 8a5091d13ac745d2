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
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// settings are what flags of several commands set: the tools, the format of calls, and how tools
// are explained.
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

// flags are the flags of several commands.
func (s *settings) flags() flags {
	s.Loader, s.Description = "__load_tool_schema__", sig.DefaultDescription
	s.limits = s.limits.OrDefault()
	return flags{
		"tools":  &s.tools,
		"sample": &s.sample,
		"quiet":  &s.quiet,

		"protocol":      oneOf(&s.protocol, protocol.Formats()...),
		"open":          &s.Open,
		"close":         &s.Close,
		"max-bytes":     atLeast(1, &s.limits.Bytes),
		"max-depth":     atLeast(1, &s.limits.Depth),
		"max-arguments": atLeast(1, &s.limits.Arguments),
		"max-name":      atLeast(1, &s.limits.Name),

		"style":         oneOf(&s.Style, "compact", "classic"),
		"syntax":        oneOf(&s.Syntax, "wire", "json"),
		"fallback":      oneOf(&s.Fallback, "complex", "error", "force"),
		"description":   &s.Description,
		"parameters":    oneOf(&s.Parameters, "full", "off"),
		"hide-defaults": &s.HideDefaults,

		"lazy":       &s.Lazy,
		"loader":     &s.Loader,
		"hide-names": &s.hideNames,
		"placement":  oneOf(&s.placement, "last", "first"),
		"budget":     atLeast(0, &s.budget),
	}
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
	if err == nil {
		err = checkTools(s.format, catalog)
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

// checkTools refuses to read a format without the tools after which its tags are named.
func checkTools(f *parse.Format, catalog *sig.Catalog) error {
	if catalog == nil && f.NeedsTools() {
		return fmt.Errorf("tags of %s are named after tools; name their file: "+
			"--tools tools.json", f)
	}
	return nil
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
	case len(catalog.Tools()) > 0:
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
