package agent

import (
	"bytes"
	_ "embed" // of our tasks
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/sig"
)

// Task is something to do in a world.
type Task struct {
	ID      string
	Prompt  string
	Catalog *sig.Catalog
	Actions map[string]Action // what the tools do
	World   World             // at the beginning
	Goal    Goal

	// Solution are the calls, message by message, of one who does it well, and
	// Last is what that one says in the end.
	Solution [][]score.Call
	Last     string

	schemas score.Schemas
}

//go:embed tasks.json
var ours []byte

// Tasks returns our tasks.
func Tasks() ([]Task, error) { return ReadTasks(ours) }

// ReadTasks reads a JSON array of tasks. The form is that of tasks.json. The error
// names the task.
func ReadTasks(text []byte) ([]Task, error) {
	type tool struct {
		sig.Tool
		Does Action `json:"does"`
	}
	type file struct {
		ID       string           `json:"id"`
		Prompt   string           `json:"prompt"`
		Tools    []tool           `json:"tools"`
		World    map[string][]Row `json:"world"`
		Goal     Goal             `json:"goal"`
		Solution [][]score.Call   `json:"solution"`
		Last     string           `json:"last"`
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	d.UseNumber()
	d.DisallowUnknownFields()
	var given []file
	if err := d.Decode(&given); err != nil {
		return nil, errors.New("it is no list of tasks: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if len(given) == 0 {
		return nil, errors.New("no task")
	}
	seen := make(map[string]bool)
	tasks := make([]Task, len(given))
	for i, g := range given {
		switch {
		case g.ID == "":
			return nil, fmt.Errorf("task %d has no id", i+1)
		case seen[g.ID]:
			return nil, fmt.Errorf("task %s is there twice", g.ID)
		case g.Prompt == "" || len(g.Tools) == 0 || len(g.Goal) == 0:
			return nil, fmt.Errorf("task %s has no prompt, no tools or no goal", g.ID)
		}
		seen[g.ID] = true
		t := Task{ID: g.ID, Prompt: g.Prompt, Goal: g.Goal, World: World{Tables: g.World}, Solution: g.Solution, Last: g.Last, Actions: make(map[string]Action)}
		tools := make([]sig.Tool, len(g.Tools))
		for j, one := range g.Tools {
			tools[j] = one.Tool
			t.Actions[one.Name] = one.Does
		}
		var err error
		if t.Catalog, err = sig.Compile(tools); err != nil {
			return nil, fmt.Errorf("task %s: %w", g.ID, err)
		}
		t.schemas = score.CompileSchemas(t.Catalog)
		tasks[i] = t
	}
	return tasks, nil
}

// Scenes returns the tasks as a program plays them.
func Scenes(tasks []Task) []actor.Scene {
	scenes := make([]actor.Scene, len(tasks))
	for i, t := range tasks {
		scenes[i] = actor.Scene{Prompt: t.Prompt, Catalog: t.Catalog, Steps: t.Solution, Last: t.Last}
	}
	return scenes
}

// call runs a tool in a world.
func (t Task) call(w *World, c score.Call) (string, error) {
	d := json.NewDecoder(bytes.NewReader(c.Input))
	d.UseNumber()
	var input map[string]any
	if err := d.Decode(&input); err != nil {
		return "", failed("the arguments are no JSON object")
	}
	if !t.schemas.Valid(c) {
		return "", failed("the arguments are not valid by the schema of %s", c.Name)
	}
	return w.call(c.Name, t.Actions[c.Name], input)
}
