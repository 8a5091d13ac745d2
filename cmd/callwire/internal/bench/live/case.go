package live

import (
	_ "embed" // of our cases and tasks
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/sig"
)

// Case is something to ask a model for: one message with certain calls, or a task in a world.
type Case struct {
	ID      string
	Group   string // single, parallel, irrelevant or task
	System  string // besides the prompt that explains the tools
	Prompt  string
	Catalog *sig.Catalog

	Want []Expected // of a message
	Task *Task      // nil for a message

	// Solution is what a model calls that does it right, message by message, and Last is its last
	// text.
	Solution [][]bench.Call
	Last     string
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

// ReadCases reads cases from a JSON array or JSON Lines. A case is
//
//	{"id":"oslo","prompt":"Is it warm?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with an empty "want" if no tool fits. "system" is a system text, "tools" are those of this case
// alone; see Expected for the members of a call. The error names the case.
func ReadCases(text []byte, catalog *sig.Catalog) ([]Case, error) {
	type file struct {
		ID, System, Prompt string
		Tools              json.RawMessage
		Want               *[]Expected
	}
	return readCases(text, func(f file) (Case, error) {
		c := Case{ID: f.ID, System: f.System, Prompt: f.Prompt, Catalog: catalog}
		c.Last = "I can say that without a tool."
		if c.System == "" {
			c.System = systemOfMessages
		}
		if f.Want == nil {
			return c, errors.New(`it has no "want"; write "want":[] if no tool fits`)
		}
		var err error
		if f.Tools != nil {
			c.Catalog, err = sig.Compile(f.Tools)
		}
		if err == nil {
			err = c.expect(*f.Want)
		}
		return c, err
	})
}

// expect sets the wanted calls.
func (c *Case) expect(want []Expected) error {
	var calls []bench.Call
	for i := range want {
		e := &want[i]
		if c.Catalog.Lookup([]byte(e.Name)) == nil {
			return fmt.Errorf("there is no tool %q", e.Name)
		}
		if err := e.check(); err != nil {
			return err
		}
		input, err := bench.JSON(e.Input)
		if err != nil {
			return err
		}
		calls = append(calls, bench.Call{Name: e.Name, Input: input})
	}
	c.Want, c.Group = want, "irrelevant"
	if len(calls) > 0 {
		c.Solution, c.Group = [][]bench.Call{calls}, "single"
	}
	if len(calls) > 1 {
		c.Group = "parallel"
	}
	return nil
}

// ReadTasks reads tasks from a JSON array or JSON Lines, in the form of tasks.json.
func ReadTasks(text []byte) ([]Case, error) {
	type tool struct {
		sig.Tool
		Does Action
	}
	type file struct {
		ID, Prompt, Last string
		Tools            []tool
		World, Goal      World
		Solution         [][]bench.Call
	}
	return readCases(text, func(f file) (c Case, err error) {
		c = Case{ID: f.ID, Group: "task", System: systemOfTasks, Prompt: f.Prompt}
		c.Task = &Task{World: f.World, Goal: f.Goal, actions: map[string]Action{}}
		c.Solution, c.Last = f.Solution, f.Last
		if len(f.Tools) == 0 || len(f.Goal) == 0 {
			return c, errors.New("it has no tools or no goal")
		}
		tools := make([]sig.Tool, len(f.Tools))
		for i, t := range f.Tools {
			tools[i], c.Task.actions[t.Name] = t.Tool, t.Does
		}
		c.Catalog, err = sig.Compile(tools)
		return c, err
	})
}

// readCases reads values and makes cases of them.
func readCases[T any](text []byte, makeCase func(T) (Case, error)) (cases []Case, err error) {
	files, err := bench.ReadValues[T](text)
	if err != nil {
		return nil, fmt.Errorf("case %w", err)
	}
	known := map[string]bool{"": true}
	for i, f := range files {
		c, err := makeCase(f)
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
