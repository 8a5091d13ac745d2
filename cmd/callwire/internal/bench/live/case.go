package live

import (
	"cmp"
	_ "embed" // of our cases and tasks
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Case is something to ask a model for: one message with certain calls, or a task of several
// messages, in which certain calls must be made.
type Case struct {
	ID     string          `json:"id"`
	System string          `json:"system"` // besides the prompt that explains the tools
	Prompt string          `json:"prompt"`
	Tools  json.RawMessage `json:"tools"` // of this case alone
	Want   []Expected      `json:"want"`  // of a task, only calls of tools that act

	// Solution is what a model calls that does it right, message by message, and Last is its last
	// text.
	Solution [][]bench.Call `json:"solution"`
	Last     string         `json:"last"`

	Kind    string              `json:"-"` // KindLive or KindAgent
	Group   string              `json:"-"` // single, parallel, irrelevant or task
	Catalog *sig.Catalog        `json:"-"`
	tools   map[string]taskTool // what they do in a task
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
// with an empty "want" if no tool fits; see Expected for the members of a call. Tasks are like
// those of tasks.json. The error names the case.
func ReadCases(text []byte, kind string, catalog *sig.Catalog) ([]Case, error) {
	cases, err := bench.ReadValues[Case](text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("case %w", err)
	case len(cases) == 0:
		return nil, errors.New("no cases")
	}
	known := map[string]bool{"": true}
	for i := range cases {
		c := &cases[i]
		c.Kind, c.Catalog = kind, catalog
		err := c.prepare()
		switch {
		case known[c.ID]:
			return nil, fmt.Errorf("case %d: its id %q is empty or appears twice", i+1, c.ID)
		case c.Prompt == "":
			return nil, fmt.Errorf("case %s has no prompt", c.ID)
		case err != nil:
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		known[c.ID] = true
	}
	return cases, nil
}

// prepare checks a case that was read, and completes it.
func (c *Case) prepare() (err error) {
	if c.Want == nil {
		return errors.New(`it has no "want"; write "want":[] if no tool fits`)
	}
	if c.Tools != nil {
		c.Catalog, err = sig.Compile(c.Tools)
	}
	var calls []bench.Call
	for i := range c.Want {
		if err == nil {
			err = c.Want[i].prepare(c.Catalog)
		}
		calls = append(calls, c.Want[i].Call)
	}
	switch {
	case err != nil:
		return err
	case c.Kind == KindAgent && len(calls) == 0:
		return errors.New("it wants no call")
	case c.Kind == KindAgent:
		c.Group, c.System = "task", cmp.Or(c.System, systemOfTasks)
		return c.readTools()
	}
	c.Group = []string{"irrelevant", "single", "parallel"}[min(len(calls), 2)]
	c.System, c.Last = cmp.Or(c.System, systemOfMessages), "I can say that without a tool."
	if len(calls) > 0 {
		c.Solution = [][]bench.Call{calls}
	}
	return nil
}

// valid reports whether a call is of a known tool and fits its schema, as far as package sig knows
// schemas: by types, enums, and required and unknown members.
func (c *Case) valid(call bench.Call) bool {
	_, issues, err := parse.Coerce(c.Catalog, call.Name, call.Input)
	return err == nil && len(issues) == 0
}

// taskTool is what a tool of a task does. A call like one of the answers gets that answer. Another
// one is done if the tool acts, and fails if not.
type taskTool struct {
	sig.Tool
	Answers []struct {
		Expected
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"` // instead of a result
	} `json:"answers"`
	Acts  bool   `json:"acts"`
	Fails int    `json:"fails"` // how many of the first calls fail
	Error string `json:"error"` // of a call that fails
}

// readTools reads what the tools of a task do.
func (c *Case) readTools() error {
	list, err := bench.ReadValues[taskTool](c.Tools)
	c.tools = map[string]taskTool{}
	for _, t := range list {
		for i := range t.Answers {
			t.Answers[i].Name = t.Name
			err = cmp.Or(err, t.Answers[i].prepare(c.Catalog)) // the first one
		}
		c.tools[t.Name] = t
	}
	return err
}

// play is a task that is being worked on.
type play struct {
	*Case
	calls map[string]int // of each tool
	done  []bench.Call   // of tools that act
}

// call does what a tool does and returns what it shows. The error is what the model reads.
func (p *play) call(c bench.Call) (string, error) {
	if !p.valid(c) {
		return "", fmt.Errorf("failed: the arguments are not valid by the schema of %s", c.Name)
	}
	tool := p.tools[c.Name]
	failed := errors.New("failed: " + cmp.Or(tool.Error, "nothing is known of that"))
	p.calls[c.Name]++
	if p.calls[c.Name] <= tool.Fails {
		return "", failed
	}
	for _, a := range tool.Answers {
		switch {
		case !a.matches(c, false):
		case a.Error != "":
			return "", errors.New("failed: " + a.Error)
		default:
			return string(rawjson.Compact(a.Result)), nil
		}
	}
	if !tool.Acts {
		return "", failed
	}
	p.done = append(p.done, c)
	return `{"done":true}`, nil
}

// isSolved reports whether the calls that were done are those that are wanted.
func (p *play) isSolved() bool { return right(p.Want, p.done, false) }
