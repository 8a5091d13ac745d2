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

	tools map[string]taskTool // nil for a message
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

// caseFile is a case in a file.
type caseFile struct {
	ID, System, Prompt, Last string
	Tools                    json.RawMessage
	Want                     *[]Expected
	Solution                 [][]bench.Call
}

// ReadCases reads cases from a JSON array or JSON Lines. A case is
//
//	{"id":"oslo","prompt":"Warm?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with an empty "want" if no tool fits. "system" is a system text, "tools" are those of this case
// alone; see Expected for the members of a call. The error names the case.
func ReadCases(text []byte, catalog *sig.Catalog) ([]Case, error) {
	return readCases(text, func(f *caseFile) (Case, error) {
		c, calls, err := f.read(catalog, systemOfMessages)
		c.Last = "I can say that without a tool."
		switch len(calls) {
		case 0:
			c.Group = "irrelevant"
			return c, err
		case 1:
			c.Group = "single"
		default:
			c.Group = "parallel"
		}
		c.Solution = [][]bench.Call{calls}
		return c, err
	})
}

// ReadTasks reads tasks from a JSON array or JSON Lines, in the form of tasks.json.
func ReadTasks(text []byte) ([]Case, error) {
	return readCases(text, func(f *caseFile) (Case, error) {
		c, calls, err := f.read(nil, systemOfTasks)
		c.Group, c.Solution, c.Last = "task", f.Solution, f.Last
		if err == nil && len(calls) == 0 {
			err = errors.New("it wants no call")
		}
		if err == nil {
			c.tools, err = readTools(f.Tools, c.Catalog)
		}
		return c, err
	})
}

// readCases reads values and makes cases of them.
func readCases(text []byte, read func(*caseFile) (Case, error)) (cases []Case, err error) {
	files, err := bench.ReadValues[caseFile](text)
	if err != nil {
		return nil, fmt.Errorf("case %w", err)
	}
	known := map[string]bool{"": true}
	for i := range files {
		c, err := read(&files[i])
		switch {
		case known[c.ID]:
			return nil, fmt.Errorf("case %d: its id %q is empty or appears twice", i+1, c.ID)
		case c.Prompt == "":
			return nil, fmt.Errorf("case %s has no prompt", c.ID)
		case err != nil:
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		known[c.ID] = true
		cases = append(cases, c)
	}
	return cases, nil
}

// read returns what messages and tasks have in common, and the wanted calls.
func (f *caseFile) read(
	catalog *sig.Catalog, system string,
) (c Case, calls []bench.Call, err error) {
	c = Case{
		ID: f.ID, Prompt: f.Prompt, System: cmp.Or(f.System, system), Catalog: catalog,
	}
	if f.Want == nil {
		return c, nil, errors.New(`it has no "want"; write "want":[] if no tool fits`)
	}
	c.Want = *f.Want
	if f.Tools != nil {
		c.Catalog, err = sig.Compile(f.Tools)
	}
	for i := range c.Want {
		var call bench.Call
		if err == nil {
			call, err = c.Want[i].call(c.Catalog)
		}
		calls = append(calls, call)
	}
	return c, calls, err
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
