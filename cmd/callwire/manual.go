package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// manualOptions are the flags of manual.
type manualOptions struct {
	settings
	system, header string // files
	model          string // a file of tools as the model should see them
	search         string
	load           []string
	schemas        bool
	random, asJSON bool
}

func newManual() *cobra.Command {
	m := &manualOptions{}
	return describe(&cobra.Command{Use: "manual", Args: nothing, RunE: m.run}, m.flags(), flags{
		"random":  &m.random,
		"load":    &m.load,
		"search":  &m.search,
		"schemas": &m.schemas,
		"model":   &m.model,
		"header":  &m.header,
		"system":  &m.system,
		"json":    &m.asJSON,
	})
}

// run prints the manual, or what the loader answers.
func (m *manualOptions) run(cmd *cobra.Command, args []string) error {
	system, err := readOptional(m.system)
	if err != nil {
		return err
	}
	o, err := m.options()
	if err != nil {
		return err
	}
	catalog, err := m.someTools(cmd)
	if err != nil {
		return err
	}
	if m.model != "" {
		o.Model, err = (&settings{tools: m.model}).someTools(cmd)
		if err != nil {
			return err
		}
	}
	made, err := manual.New(catalog, &o)
	if made == nil {
		return err
	} else if err != nil { // the budget cannot be kept
		note(cmd.ErrOrStderr(), "%s", err)
	}
	message := manual.Message{Role: manual.System, Parts: []manual.Part{{Text: system}}}
	messages := manual.AddPrompt([]manual.Message{message}, made.String(), o.PromptFirst)
	text := messages[0].Parts[0].Text
	shown, err := made.MarshalJSON()
	if err != nil {
		return err
	}
	if dropped := made.Omitted(); o.Budget > 0 && dropped != nil {
		note(cmd.ErrOrStderr(), "--budget leaves out %s", strings.Join(dropped, ", "))
	}
	shown = rawjson.ParseObject(shown).With("text", text).Append(nil)
	if cmd.Flags().Changed("load") || cmd.Flags().Changed("search") {
		// Marshaling strings never fails.
		input, _ := json.Marshal(map[string]any{"names": m.load, "query": m.search})
		text = made.Load(input)
		shown = rawjson.Make("text", text).Append(nil)
	}
	return output(cmd, func(out *bufio.Writer) error {
		if m.asJSON {
			return jsonl.NewEncoder(out).Encode(json.RawMessage(shown))
		}
		_, err := fmt.Fprintln(out, text)
		return err
	})
}

// options returns the options of package manual.
func (m *manualOptions) options() (o manual.Options, err error) {
	m.Header, err = readOptional(m.header)
	if err != nil {
		return o, err
	}
	if m.random {
		tags := manual.RandomTags()
		m.Open, m.Close = tags.Open, tags.Close
	}
	err = m.settle()
	m.manual.Lazy.Schemas = m.schemas
	return m.manual, err
}
