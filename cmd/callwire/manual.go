package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/manual"
)

// manualOptions are the flags of manual.
type manualOptions struct {
	words          wording
	system, header string // files
	model          string // a file of tools as the model should see them
	search         string
	load           []string
	schemas        bool
	random, asJSON bool
}

func newManual() *cobra.Command {
	m := &manualOptions{}
	cmd := &cobra.Command{
		Use:   "manual",
		Short: "Print the prompt that explains tools to a model",
		Long: `manual prints what to put into the system prompt: how calls are written, with an
example or two of the given tools, the rules that models tend to break, and the
signature of each tool. Every example reads back and fits its schema, and no
description can end a line or look like a call.

With --system the text of a file is printed with the manual after it, or before it
with --placement first. With --json the output is one object: "text", its parts, and
the tags, which --random makes differently each time. A --budget that the names of tools and
parameters alone exceed is reported on standard error.

Tools with "lazy": true in their file, and those that --lazy names, appear only by
name and description, or with --hide-names not at all; a tool with which the model
asks for more, or searches, is added. --load and --search print what that tool
answers, with the "inputExamples" and the "skill" of the tools in the file. --model
names the tools as the model should see them, if these differ from those that are
called.

Exit codes: 0 when all is done, 2 when the command line is wrong, a file cannot
be read, or --fallback error meets a tool that key=value cannot carry.`,
		Example: `  callwire manual --tools tools.json
  callwire manual --tools tools.json --system prompt.txt --parameters full
  callwire manual --tools tools.json --lazy archive,purge --budget 500
  callwire manual --tools tools.json --load archive
  callwire manual --tools tools.json --protocol hermes`,
		Args: nothing,
		RunE: m.run,
	}
	m.words.register(cmd)
	m.words.registerProtocol(cmd)
	m.words.registerTags(cmd)
	f := cmd.Flags()
	f.BoolVar(&m.random, "random", false, "use tags with random characters in them")
	m.words.registerLazy(cmd)
	f.StringSliceVar(&m.load, "load", nil,
		"print what that tool answers when asked for these `tools`")
	f.StringVar(&m.search, "search", "",
		"print what it answers to this `query`: words, or a regular expression between slashes")
	f.BoolVar(&m.schemas, "schemas", false, "print JSON Schemas instead of signatures")
	f.StringVar(&m.model, "model", "", "announce tools as this JSON `file` has them, if it does")
	f.StringVar(&m.header, "header", "", "print the text of this `file` instead of the header")
	f.StringVar(&m.system, "system", "", "print the text of this `file` with the manual in it")
	m.words.registerManual(cmd)
	f.BoolVarP(&m.asJSON, "json", "j", false, "print one JSON object")
	return cmd
}

// run prints the manual, or what the loader answers.
func (m *manualOptions) run(cmd *cobra.Command, args []string) error {
	system, err := readOptional(m.system)
	if err != nil {
		return err
	}
	o, err := m.options(cmd)
	if err != nil {
		return err
	}
	catalog, err := m.words.catalog(cmd)
	if err != nil {
		return err
	}
	if m.model != "" {
		o.Model, err = readCatalog(cmd, cmd.ErrOrStderr(), m.model, protocol.Lazy{})
		if err != nil {
			return err
		}
	}
	var over *manual.BudgetError
	made, err := manual.New(catalog, &o)
	if errors.As(err, &over) {
		note(cmd.ErrOrStderr(), "%s", over)
	} else if err != nil {
		return err
	}
	if cmd.Flags().Changed("load") || cmd.Flags().Changed("search") {
		// Marshaling strings never fails.
		input, _ := json.Marshal(map[string]any{"names": m.load, "query": m.search})
		return printAnswer(cmd.OutOrStdout(), made.Load(input), m.asJSON)
	}
	text := manual.Merge(system, made.String(), o.Placement)
	out := bufio.NewWriter(cmd.OutOrStdout())
	if m.asJSON {
		jsonl.NewEncoder(out).Encode(manualOf(text, o, made.Parts()))
	} else {
		fmt.Fprintln(out, text)
	}
	return out.Flush()
}

// options returns the options of package manual.
func (m *manualOptions) options(cmd *cobra.Command) (o manual.Options, err error) {
	m.words.Header, err = readOptional(m.header)
	if err == nil {
		o, err = m.words.options()
	}
	o.Lazy.Schemas = m.schemas
	if err != nil || !m.random {
		return o, err
	}
	f, err := protocol.Tagged(o.Format, manual.RandomTags())
	if err != nil {
		return o, fmt.Errorf("--random: %w", err)
	}
	o.Format = f
	return o, err
}

// readOptional returns the text of a file, or "" if it has no name.
func readOptional(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fileError(name, err)
	}
	return string(data), nil
}

// printAnswer prints what the loader answers.
func printAnswer(to io.Writer, text string, asJSON bool) error {
	out := bufio.NewWriter(to)
	if asJSON {
		jsonl.NewEncoder(out).Encode(map[string]string{"text": text})
	} else {
		fmt.Fprintln(out, text)
	}
	return out.Flush()
}

// manualJSON is what manual prints as JSON.
type manualJSON struct {
	Text       string   `json:"text"`
	Open       string   `json:"open"`
	Close      string   `json:"close"`
	Header     string   `json:"header,omitempty"`
	Intro      string   `json:"intro,omitempty"`
	Examples   []string `json:"examples"`
	Rules      []string `json:"rules"`
	Legend     string   `json:"legend,omitempty"`
	Signatures []string `json:"signatures"`
	Loading    string   `json:"loading,omitempty"`
	Deferred   []string `json:"deferred,omitempty"`
}

func manualOf(text string, o manual.Options, p manual.Parts) manualJSON {
	tags := o.Format.Call
	m := manualJSON{
		Text: text, Open: tags.Open, Close: tags.Close, Header: o.Header,
		Examples: p.Examples, Rules: p.Rules, Signatures: p.Signatures,
		Loading: p.Loading, Deferred: p.Deferred,
	}
	if o.Header == "" {
		m.Intro, m.Legend = p.Intro, p.Legend
	}
	return m
}
