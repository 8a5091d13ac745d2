package live

import (
	"cmp"
	_ "embed" // of our cases and tasks
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Case is something to ask a model for: one message with certain calls, or a task of several
// messages, in which certain calls must be made.
type Case struct {
	Kind    string // KindLive or KindAgent
	ID      string
	Group   string // single, parallel, irrelevant or task
	System  string // besides the prompt that explains the tools
	Prompt  string
	Catalog *sig.Catalog
	Want    []Expected // of a task, only calls of tools that act

	// Solution is what a model calls that does it right, message by message, and Last is its last
	// text.
	Solution [][]bench.Call
	Last     string

	tools map[string]taskTool // of a task
}

var (
	// OurCases are our cases, which use the tools of the published benchmark.
	//
	//go:embed cases.json
	OurCases []byte

	// OurTasks are our tasks.
	//
	//go:embed tasks.json
	OurTasks []byte
)

const (
	systemOfMessages = "You are a helpful assistant. Use a tool where one fits the request; " +
		"where none does, answer in words."
	systemOfTasks = "You work for the user by calling tools. Go on until all is done, without " +
		"asking back; then say in one sentence that it is."
)

// ReadCases reads messages or tasks from a JSON array or JSON Lines. A message is
//
//	{"id":"oslo","prompt":"Warm?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with an empty "want" if no tool fits. "system" is a system text, "tools" are those of this case
// alone; see Expected for the members of a call. Tasks are like those of tasks.json. The error
// names the case.
func ReadCases(text []byte, kind string, catalog *sig.Catalog) (cases []Case, err error) {
	files, err := bench.ReadValues[caseFile](text)
	if err != nil {
		return nil, fmt.Errorf("case %w", err)
	}
	known := map[string]bool{"": true}
	for i, f := range files {
		c, err := f.read(kind, catalog)
		switch {
		case known[f.ID]:
			return nil, fmt.Errorf("case %d: its id %q is empty or appears twice", i+1, f.ID)
		case f.Prompt == "":
			return nil, fmt.Errorf("case %s has no prompt", f.ID)
		case err != nil:
			return nil, fmt.Errorf("case %s: %w", f.ID, err)
		}
		known[f.ID] = true
		cases = append(cases, c)
	}
	return cases, nil
}

// caseFile is a case in a file.
type caseFile struct {
	ID       string          `json:"id"`
	System   string          `json:"system"`
	Prompt   string          `json:"prompt"`
	Last     string          `json:"last"`
	Tools    json.RawMessage `json:"tools"`
	Want     *[]Expected     `json:"want"`
	Solution [][]bench.Call  `json:"solution"`
}

func (f *caseFile) read(kind string, catalog *sig.Catalog) (c Case, err error) {
	c = Case{
		Kind: kind, ID: f.ID, Prompt: f.Prompt, Catalog: catalog, Solution: f.Solution,
		System: cmp.Or(f.System, systemOfMessages),
		Last:   cmp.Or(f.Last, "I can say that without a tool."),
	}
	if f.Want == nil {
		return c, errors.New(`it has no "want"; write "want":[] if no tool fits`)
	}
	c.Want = *f.Want
	if f.Tools != nil {
		c.Catalog, err = sig.Compile(f.Tools)
	}
	calls := make([]bench.Call, len(c.Want))
	for i := range c.Want {
		if err == nil {
			calls[i], err = c.Want[i].call(c.Catalog)
		}
	}
	switch {
	case err != nil:
		return c, err
	case kind == KindAgent && len(calls) == 0:
		return c, errors.New("it wants no call")
	case kind == KindAgent:
		c.Group, c.System = "task", cmp.Or(f.System, systemOfTasks)
		c.tools, err = readTools(f.Tools, c.Catalog)
		return c, err
	case len(calls) == 0:
		c.Group = "irrelevant"
		return c, nil
	case len(calls) == 1:
		c.Group = "single"
	default:
		c.Group = "parallel"
	}
	c.Solution = [][]bench.Call{calls}
	return c, nil
}

// valid reports whether a call is of a known tool and fits its schema, as far as package sig knows
// schemas: by types, enums, and required and unknown members.
func (c *Case) valid(call bench.Call) bool {
	if c.Catalog.Lookup([]byte(call.Name)) == nil {
		return false
	}
	_, issues, err := parse.Coerce(c.Catalog, call.Name, call.Input)
	return err == nil && len(issues) == 0
}
