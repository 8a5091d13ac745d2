package live

import (
	"bytes"
	_ "embed" // of our cases and tasks
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Groups of cases.
const (
	single     = "single"     // one call
	parallel   = "parallel"   // several calls
	irrelevant = "irrelevant" // no tool fits
	inWorld    = "task"       // several messages
)

// Case is something to ask a model for: one message with certain calls, or a task in a world.
type Case struct {
	ID      string
	Group   string
	System  string // besides the prompt that explains the tools
	Prompt  string
	Catalog *sig.Catalog

	Want []Expected // of a message
	Task *Task      // nil for a message

	// Solution is what a model calls that does it right, message by message, and Last is what it
	// says in the end.
	Solution [][]Call
	Last     string

	schemas schemas
}

var (
	//go:embed cases.json
	ourCases []byte
	//go:embed tasks.json
	ourTasks []byte
)

// Cases returns our cases, which use the tools of the published benchmark.
func Cases(catalog *sig.Catalog) ([]Case, error) { return ReadCases(ourCases, catalog) }

// Tasks returns our tasks.
func Tasks() ([]Case, error) { return ReadTasks(ourTasks) }

const (
	systemOfMessages = "You are a helpful assistant. Use a tool where one fits the request; where none does, answer in words."
	systemOfTasks    = "You work for the user by calling tools. Go on until all is done, without asking back; then say in one sentence that it is."
)

// ReadCases reads cases: a JSON array, or JSON Lines. A case is
//
//	{"id":"weather/oslo","prompt":"How warm is it in Oslo?","want":[{"name":"getWeather","input":{"location":"Oslo"}}]}
//
// with an empty "want" if no tool fits. "system" is a system text, "tools" are those of this case
// alone; see Expected for the members of a call. The error names the case.
func ReadCases(text []byte, catalog *sig.Catalog) ([]Case, error) {
	type file struct {
		ID     string          `json:"id"`
		System string          `json:"system"`
		Prompt string          `json:"prompt"`
		Tools  json.RawMessage `json:"tools"`
		Want   *[]Expected     `json:"want"`
	}
	files, err := readAll[file](text)
	if err != nil {
		return nil, err
	}
	var cases []Case
	seen := map[string]bool{}
	for i, f := range files {
		c := Case{ID: f.ID, System: f.System, Prompt: f.Prompt, Catalog: catalog, Last: "I can say that without a tool."}
		if c.System == "" {
			c.System = systemOfMessages
		}
		if err := c.name(i, seen); err != nil {
			return nil, err
		}
		if f.Want == nil {
			return nil, fmt.Errorf(`case %s has no "want"; write "want":[] if no tool fits`, c.ID)
		}
		if f.Tools != nil {
			if c.Catalog, err = sig.Compile(f.Tools); err != nil {
				return nil, fmt.Errorf("case %s: %w", c.ID, err)
			}
		}
		if err := c.expect(*f.Want); err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		if len(cases) > 0 && cases[i-1].Catalog == c.Catalog {
			c.schemas = cases[i-1].schemas
		} else {
			c.schemas = compileSchemas(c.Catalog)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// name checks that the case has a name of its own and a prompt.
func (c *Case) name(i int, seen map[string]bool) error {
	switch {
	case c.ID == "":
		return fmt.Errorf("case %d has no id", i+1)
	case seen[c.ID]:
		return fmt.Errorf("case %s appears twice", c.ID)
	case c.Prompt == "":
		return fmt.Errorf("case %s has no prompt", c.ID)
	}
	seen[c.ID] = true
	return nil
}

// expect sets the wanted calls.
func (c *Case) expect(want []Expected) error {
	var calls []Call
	for i := range want {
		e := &want[i]
		if c.Catalog.Lookup([]byte(e.Name)) == nil {
			return fmt.Errorf("there is no tool %q", e.Name)
		}
		if err := e.prepare(); err != nil {
			return err
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, e.Input); err != nil {
			return err
		}
		calls = append(calls, Call{e.Name, compact.Bytes()})
	}
	c.Want, c.Group = want, irrelevant
	if len(calls) > 0 {
		c.Solution, c.Group = [][]Call{calls}, single
	}
	if len(calls) > 1 {
		c.Group = parallel
	}
	return nil
}

// ReadTasks reads tasks: a JSON array, or JSON Lines, in the form of tasks.json.
func ReadTasks(text []byte) ([]Case, error) {
	type tool struct {
		sig.Tool
		Does Action `json:"does"`
	}
	type file struct {
		ID       string   `json:"id"`
		Prompt   string   `json:"prompt"`
		Tools    []tool   `json:"tools"`
		World    World    `json:"world"`
		Goal     Goal     `json:"goal"`
		Solution [][]Call `json:"solution"`
		Last     string   `json:"last"`
	}
	files, err := readAll[file](text)
	if err != nil {
		return nil, err
	}
	var cases []Case
	seen := map[string]bool{}
	for i, f := range files {
		task := &Task{World: f.World, Goal: f.Goal, actions: map[string]Action{}}
		c := Case{ID: f.ID, Group: inWorld, System: systemOfTasks, Prompt: f.Prompt, Task: task, Solution: f.Solution, Last: f.Last}
		if err := c.name(i, seen); err != nil {
			return nil, err
		}
		if len(f.Tools) == 0 || len(f.Goal) == 0 {
			return nil, fmt.Errorf("case %s has no tools or no goal", c.ID)
		}
		tools := make([]sig.Tool, len(f.Tools))
		for j, t := range f.Tools {
			tools[j], task.actions[t.Name] = t.Tool, t.Does
		}
		if c.Catalog, err = sig.Compile(tools); err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		c.schemas = compileSchemas(c.Catalog)
		cases = append(cases, c)
	}
	return cases, nil
}

// readAll decodes values that follow each other, or arrays of them.
func readAll[T any](text []byte) (all []T, err error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	for {
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("invalid JSON after %d bytes: %w", d.InputOffset(), err)
		}
		some := make([]T, 1)
		strict := json.NewDecoder(bytes.NewReader(value))
		strict.UseNumber()
		strict.DisallowUnknownFields()
		if value[0] == '[' {
			err = strict.Decode(&some)
		} else {
			err = strict.Decode(&some[0])
		}
		if err != nil {
			return nil, fmt.Errorf("case %d: %s", len(all)+1, strings.TrimPrefix(err.Error(), "json: "))
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return nil, errors.New("no case")
	}
	return all, nil
}
