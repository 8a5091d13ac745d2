package live

import (
	"bytes"
	_ "embed" // of our cases
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/sig"
)

// Groups of cases.
const (
	Single     = "single"     // one call
	Parallel   = "parallel"   // several calls
	Irrelevant = "irrelevant" // no tool fits
)

// Case is something to ask a model for, and what it should call.
type Case struct {
	ID       string
	Group    string
	System   string // besides what explains the tools
	Messages []endpoint.Message
	Catalog  *sig.Catalog
	Want     score.Want

	// Answer are the wanted calls as they were written down, for those who play.
	Answer []score.Call
}

// Scenes returns the cases as a program plays them.
func Scenes(cases []Case) []actor.Scene {
	scenes := make([]actor.Scene, len(cases))
	for i, c := range cases {
		scenes[i] = actor.Scene{Prompt: c.Messages[len(c.Messages)-1].Text, Catalog: c.Catalog, Last: "I can say that without a tool."}
		if len(c.Answer) > 0 {
			scenes[i].Steps = [][]score.Call{c.Answer}
		}
	}
	return scenes
}

//go:embed cases.json
var ours []byte

// Cases returns our cases, of the tools of the published benchmark.
func Cases(catalog *sig.Catalog) ([]Case, error) { return ReadCases(ours, catalog) }

// ReadCases reads cases: a JSON array of them, or one after another, as in JSON
// Lines. A case is
//
//	{"id":"weather/oslo","prompt":"How warm is it in Oslo?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with "want" empty where no tool fits. "system" is a system text, "tools" are
// those of this case alone. Of a wanted call, "or" are other values that are as
// good, by argument, "optional" the arguments that may be left out, "free" those
// of which the value is the model's choice, and "set" the arrays of which the
// order means nothing. The error names the case.
func ReadCases(text []byte, catalog *sig.Catalog) ([]Case, error) {
	type file struct {
		ID     string            `json:"id"`
		System string            `json:"system"`
		Prompt string            `json:"prompt"`
		Tools  json.RawMessage   `json:"tools"`
		Want   *[]score.Expected `json:"want"`
	}
	var given []file
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	for {
		var value json.RawMessage
		if err := d.Decode(&value); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("no JSON after %d bytes: %w", d.InputOffset(), err)
		}
		var several []file
		if value[0] == '[' {
			if err := strictly(value, &several); err != nil {
				return nil, err
			}
		} else {
			several = make([]file, 1)
			if err := strictly(value, &several[0]); err != nil {
				return nil, fmt.Errorf("case %d: %w", len(given)+1, err)
			}
		}
		given = append(given, several...)
	}
	if len(given) == 0 {
		return nil, errors.New("no case")
	}
	seen := make(map[string]bool)
	cases := make([]Case, len(given))
	for i, g := range given {
		c := Case{ID: g.ID, System: g.System, Catalog: catalog, Messages: []endpoint.Message{{Role: "user", Text: g.Prompt}}}
		switch {
		case g.ID == "":
			return nil, fmt.Errorf("case %d has no id", i+1)
		case seen[g.ID]:
			return nil, fmt.Errorf("case %s is there twice", g.ID)
		case g.Prompt == "":
			return nil, fmt.Errorf("case %s has no prompt", g.ID)
		case g.Want == nil:
			return nil, fmt.Errorf("case %s does not say what it wants; write \"want\":[] where no tool fits", g.ID)
		}
		seen[g.ID] = true
		if g.Tools != nil {
			var err error
			if c.Catalog, err = sig.Compile(g.Tools); err != nil {
				return nil, fmt.Errorf("case %s: %w", g.ID, err)
			}
		}
		c.Want.Loose = score.Soft
		for _, e := range *g.Want {
			call, err := e.Want()
			if err == nil && c.Catalog.Lookup([]byte(e.Name)) == nil {
				err = fmt.Errorf("there is no tool %q", e.Name)
			}
			if err != nil {
				return nil, fmt.Errorf("case %s: %w", g.ID, err)
			}
			c.Want.Calls = append(c.Want.Calls, call)
			var compact bytes.Buffer
			json.Compact(&compact, e.Input) // it has been read already
			c.Answer = append(c.Answer, score.Call{Name: e.Name, Input: compact.Bytes()})
		}
		c.Group = GroupOf(len(c.Want.Calls))
		cases[i] = c
	}
	return cases, nil
}

// GroupOf returns the group of a case that wants so many calls.
func GroupOf(calls int) string {
	switch calls {
	case 0:
		return Irrelevant
	case 1:
		return Single
	}
	return Parallel
}

// strictly decodes JSON and takes no member that means nothing.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
