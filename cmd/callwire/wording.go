package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// wording has the flags for how manual, sig and history describe tools.
type wording struct {
	corpus.Wording
	format    string // of the calls
	tools     string
	placement string
	budget    int
	hideNames bool
}

// register adds the flags for it and for the tools.
func (w *wording) register(cmd *cobra.Command) {
	toolsVar(cmd, &w.tools,
		"the tools, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK")
	w.registerNotation(cmd)
}

// registerNotation adds the flags for how tools are written down.
func (w *wording) registerNotation(cmd *cobra.Command) {
	f := cmd.Flags()
	enumVar(f, &w.Style, "style", "compact", "notation of signatures", "compact", "classic")
	enumVar(f, &w.Syntax, "syntax", "wire", "how arguments are written", "wire", "json")
	enumVar(f, &w.Fallback, "fallback", "complex", "how to announce tools that key=value cannot "+
		"carry; complex: in JSON", "complex", "error", "force")
	f.IntVar(&w.Description, "description", sig.DefaultDescription,
		"at most `N` characters of a tool's description; -1 for none")
	enumVar(f, &w.Parameters, "parameters", "full", "descriptions and limits of parameters",
		"full", "off")
	f.BoolVar(&w.HideDefaults, "hide-defaults", false, "leave out default values")
}

// registerLazy adds the flags for lazy tools.
func (w *wording) registerLazy(cmd *cobra.Command) {
	registerLazy(cmd, &w.Lazy, &w.Loader)
	cmd.Flags().BoolVar(&w.hideNames, "hide-names", false,
		"do not list the names of lazy tools; the model searches for them")
}

// registerManual adds the flags for the place and the length of the manual.
func (w *wording) registerManual(cmd *cobra.Command) {
	f := cmd.Flags()
	enumVar(f, &w.placement, "placement", "last", "where the manual is in the system text",
		"last", "first")
	f.IntVar(&w.budget, "budget", 0,
		"drop descriptions to stay within `N` tokens, of four bytes each; 0 means no limit")
}

// registerTags adds the flags for the tags of calls.
func (w *wording) registerTags(cmd *cobra.Command) {
	tagsVar(cmd, &w.Open, &w.Close)
}

// registerProtocol adds the flag for the format of calls.
func (w *wording) registerProtocol(cmd *cobra.Command) {
	enumVar(cmd.Flags(), &w.format, "protocol", "wire", "the format of the calls",
		protocol.Formats()...)
}

// lazy returns which tools are explained when the model asks.
func (w *wording) lazy() protocol.Lazy { return protocol.Lazy{Names: w.Lazy, Loader: w.Loader} }

// options returns the options of package manual. The error is for people.
func (w *wording) options() (manual.Options, error) {
	o, err := protocol.Wording(&w.Wording, w.format)
	if err != nil {
		return o, err
	}
	if w.placement == "first" {
		o.Placement = manual.First
	}
	if w.budget < 0 {
		return o, fmt.Errorf("--budget is not negative, found %d", w.budget)
	}
	o.Budget, o.Lazy.HideNames = w.budget, w.hideNames
	return o, nil
}

// toolsVar defines the flag that names a file of tools.
func toolsVar(cmd *cobra.Command, to *string, usage string) {
	cmd.Flags().StringVarP(to, "tools", "t", "", usage)
	if err := cmd.MarkFlagFilename("tools", "json"); err != nil {
		panic(err) // the flag exists
	}
}

// tagsVar defines the flags for the tags around a call. They must be used together.
func tagsVar(cmd *cobra.Command, open, close *string) {
	cmd.Flags().StringVar(open, "open", "",
		"the `tag` that opens a call, instead of the format's own")
	cmd.Flags().StringVar(close, "close", "", "the `tag` that closes a call")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("open") != cmd.Flags().Changed("close") {
			return errors.New("--open and --close go together: give both tags")
		}
		return nil
	}
}

// registerLazy adds the flags for them.
func registerLazy(cmd *cobra.Command, names *[]string, loader *string) {
	cmd.Flags().StringSliceVar(names, "lazy", nil,
		"explain these `tools`, or with * all, only when the model asks")
	cmd.Flags().StringVar(loader, "loader", manual.DefaultLoader,
		"the `name` of the tool with which it asks")
}

// catalog reads and compiles the tools, and adds the loader if some are lazy.
func (w *wording) catalog(cmd *cobra.Command) (*sig.Catalog, error) {
	if w.tools == "" {
		return nil, errors.New("no tools; name their file: --tools tools.json")
	}
	return readCatalog(cmd, cmd.ErrOrStderr(), w.tools, w.lazy())
}

// readCatalog reads and compiles the tools of a file, or of standard input for "-". It adds the
// loader if some are lazy, and reports problems on notes.
func readCatalog(
	cmd *cobra.Command, notes io.Writer, name string, lazy protocol.Lazy,
) (*sig.Catalog, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(cmd.InOrStdin())
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fileError(name, err)
	}
	catalog, err := compileWith(data, lazy.Options())
	if err != nil {
		return nil, toolsError(name, err)
	}
	if err := checkTools(name, catalog); err != nil {
		return nil, err
	}
	for _, tool := range lazy.Names {
		if tool != protocol.AllTools && catalog.Lookup([]byte(tool)) == nil {
			return nil, fmt.Errorf("--lazy: there is no tool %q in %s", tool, name)
		}
	}
	noteProblems(notes, name, catalog.Problems())
	return catalog, nil
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

// checkInputs refuses to read both the tools and the text from standard input.
func checkInputs(tools string, args []string) error {
	if tools == "-" && (len(args) == 0 || args[0] == "-") {
		return errors.New("standard input is already used for the tools: name a file for the text")
	}
	return nil
}

// toolsError returns the error for tools that cannot be compiled, without the name of the
// Go package.
func toolsError(name string, err error) error {
	return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "sig: "))
}

// checkTools reports a file without tools.
func checkTools(name string, catalog *sig.Catalog) error {
	if catalog.Len() > 0 {
		return nil
	}
	for _, p := range catalog.Problems() {
		return fmt.Errorf("%s has no tool that can be read: %s: %s", name, p.Code, p.Message)
	}
	return fmt.Errorf("%s has no tools", name)
}

// compileWith compiles tools, and adds the loader if some are lazy.
func compileWith(data []byte, lazy manual.Lazy) (*sig.Catalog, error) {
	catalog, err := sig.Compile(jsonl.WithoutMark(data))
	if err != nil {
		return nil, err
	}
	m, err := manual.New(catalog, &manual.Options{Lazy: lazy})
	if err != nil {
		return nil, err
	}
	return m.Catalog(), nil
}
