package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	formats "github.com/callwire/callwire/parse/protocol"
)

func newManual() *cobra.Command {
	var (
		words          wording
		system, header string
		model, search  string
		load           []string
		schemas        bool
		random, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "manual",
		Short: "Print the prompt that explains tools to a model",
		Long: `manual prints what to put into the system prompt: how calls are written, with an
example or two of the given tools, the rules that models tend to break, and the
signature of each tool. Every example reads back and fits its schema, and no
description can end a line or look like a call.

With --system the text of a file is printed with the manual after it, or before it
with --placement first. With --json the output is one object: "text", its parts, and
the tags, which --random makes anew each time. A --budget that the names of tools and
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
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("open") != cmd.Flags().Changed("close") {
				return fmt.Errorf("--open and --close go together: give both tags")
			}
			text := ""
			for _, file := range []struct {
				name string
				text *string
			}{{header, &words.Header}, {system, &text}} {
				if file.name == "" {
					continue
				}
				data, err := os.ReadFile(file.name)
				if err != nil {
					return fileError(file.name, err)
				}
				*file.text = string(data)
			}
			o, err := words.options()
			if err != nil {
				return err
			}
			if random {
				if o.Tags, err = manual.RandomTags(rand.Reader); err != nil {
					return err
				}
			}
			if random && o.Protocol != nil {
				if o.Protocol, err = protocol.Framed(o.Protocol, o.Tags); err != nil {
					return fmt.Errorf("--random: %w", err)
				}
			}
			o.Lazy.Schemas = schemas
			catalog, err := words.catalog(cmd)
			if err != nil {
				return err
			}
			if model != "" {
				if o.Model, err = readCatalog(cmd, cmd.ErrOrStderr(), model, protocol.Lazy{}); err != nil {
					return err
				}
			}
			var over *manual.BudgetError
			m, err := manual.New(catalog, &o)
			if errors.As(err, &over) {
				note(cmd.ErrOrStderr(), "%s", over)
			} else if err != nil {
				return err
			}
			if cmd.Flags().Changed("load") || cmd.Flags().Changed("search") {
				input, _ := json.Marshal(map[string]any{"names": load, "query": search}) // strings always can
				return printAnswer(cmd.OutOrStdout(), m.Load(input), asJSON)
			}
			text = manual.Merge(text, m.String(), o.Placement)
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				jsonl.NewEncoder(out).Encode(manualOf(text, o, m.Parts()))
			} else {
				fmt.Fprintln(out, text)
			}
			return out.Flush()
		},
	}
	words.register(cmd)
	words.registerProtocol(cmd)
	words.registerTags(cmd)
	cmd.Flags().BoolVar(&random, "random", false, "use tags with random characters in them")
	words.registerLazy(cmd)
	cmd.Flags().StringSliceVar(&load, "load", nil, "print what that tool answers when asked for these `tools`")
	cmd.Flags().StringVar(&search, "search", "", "print what it answers to this `query`: words, or a regular expression between slashes")
	cmd.Flags().BoolVar(&schemas, "schemas", false, "print JSON Schemas instead of signatures")
	cmd.Flags().StringVar(&model, "model", "", "announce tools as this JSON `file` has them, if it does")
	cmd.Flags().StringVar(&header, "header", "", "print the text of this `file` instead of the header")
	cmd.Flags().StringVar(&system, "system", "", "print the text of this `file` with the manual in it")
	words.registerManual(cmd)
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "print one JSON object")
	return cmd
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
	d := o.Tags.OrDefault()
	if p, ok := o.Protocol.(formats.Protocol); ok {
		d = lexer.Delims{Open: p.Frame.Open, Close: p.Frame.Close}
	}
	m := manualJSON{
		Text: text, Open: d.Open, Close: d.Close, Header: o.Header,
		Examples: p.Examples, Rules: p.Rules, Signatures: p.Signatures, Loading: p.Loading, Deferred: p.Deferred,
	}
	if o.Header == "" {
		m.Intro, m.Legend = p.Intro, p.Legend
	}
	return m
}
