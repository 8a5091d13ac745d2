package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// wording is how manual, sig and history put tools into words, as flags and
// requests name it.
type wording struct {
	protocol.Wording
	tools string
}

// register adds the flags for it and for the tools.
func (w *wording) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&w.tools, "tools", "t", "", "the tools, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK")
	if err := cmd.MarkFlagFilename("tools", "json"); err != nil {
		panic(err) // the flag exists
	}
	w.registerNotation(cmd)
}

// registerNotation adds the flags for how tools are written down.
func (w *wording) registerNotation(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.Style, "style", "compact", "notation of signatures: `compact` or classic")
	f.StringVar(&w.Syntax, "syntax", "wire", "how arguments are written: `wire` or json")
	f.StringVar(&w.Fallback, "fallback", "complex", "for tools that key=value cannot carry: `complex` (these in JSON), error or force")
	f.IntVar(&w.Description, "description", sig.DefaultDescription, "most characters `N` of a tool's description; -1 for none")
	f.StringVar(&w.Parameters, "parameters", "off", "descriptions of parameters: `off`, short or full")
	f.BoolVar(&w.HideDefaults, "hide-defaults", false, "leave default values out")
}

// registerTags adds the flags for the tags of calls.
func (w *wording) registerTags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.Open, "open", lexer.DefaultDelims.Open, "the `tag` that opens a call")
	cmd.Flags().StringVar(&w.Close, "close", lexer.DefaultDelims.Close, "the `tag` that closes a call")
}

// options returns the options of package manual. The error is for people.
func (w *wording) options() (o manual.Options, err error) {
	choose := func(what, value string, names ...string) int {
		i := slices.Index(names, value)
		if value == "" {
			i = 0
		}
		if i < 0 && err == nil {
			err = fmt.Errorf("%s is %s, found %q", what, strings.Join(names, " or "), value)
		}
		return max(i, 0)
	}
	o.Signatures = sig.SignatureOptions{
		Style:        sig.Style(choose("style", w.Style, "compact", "classic")),
		Description:  w.Description,
		Parameters:   sig.Detail(choose("parameters", w.Parameters, "off", "short", "full")),
		HideDefaults: w.HideDefaults,
	}
	o.Plan = sig.PlanOptions{
		Syntax:   sig.Syntax(choose("syntax", w.Syntax, "wire", "json")),
		Fallback: sig.Fallback(choose("fallback", w.Fallback, "complex", "error", "force")),
	}
	o.Delims = lexer.Delims{Open: w.Open, Close: w.Close}
	o.Header = w.Header
	o.Lazy.Loader = w.Loader
	if len(w.Lazy) > 0 {
		o.Lazy.Tool = func(t *sig.Tool) bool { return t.Lazy || slices.Contains(w.Lazy, t.Name) }
	}
	if err == nil && o.Delims != (lexer.Delims{}) {
		if err = o.Delims.Validate(); err != nil {
			err = fmt.Errorf("open and close: %w", err)
		}
	}
	return o, err
}

// catalog reads and compiles the tools, with the loader where some are lazy.
func (w *wording) catalog(o manual.Options) (*sig.Catalog, error) {
	if w.tools == "" {
		return nil, errors.New("no tools; name their file: --tools tools.json")
	}
	data, err := os.ReadFile(w.tools)
	if err != nil {
		return nil, fileError(w.tools, err)
	}
	catalog, err := compileWith(withoutMark(data), o.Lazy)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.tools, err)
	}
	for _, name := range w.Lazy {
		if catalog.Lookup([]byte(name)) == nil {
			return nil, fmt.Errorf("--lazy: there is no tool %q in %s", name, w.tools)
		}
	}
	return catalog, nil
}

// readCatalog reads and compiles the tools of a file.
func readCatalog(name string) (*sig.Catalog, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	catalog, err := sig.Compile(withoutMark(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return catalog, nil
}

// compileWith compiles tools, and the loader with them where some are lazy.
func compileWith(data []byte, lazy manual.Lazy) (*sig.Catalog, error) {
	catalog, err := sig.Compile(withoutMark(data))
	if err != nil {
		return nil, err
	}
	tools := make([]sig.Tool, 0, catalog.Len()+1)
	for _, t := range catalog.Tools() {
		tools = append(tools, *t)
	}
	with := lazy.Add(tools)
	if len(with) == len(tools) {
		return catalog, nil
	}
	return sig.Compile(with)
}
