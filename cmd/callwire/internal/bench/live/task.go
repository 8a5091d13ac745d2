package live

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

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

// readTools reads what the tools of a task do. The catalog has these tools.
func readTools(text []byte, catalog *sig.Catalog) (map[string]taskTool, error) {
	list, err := bench.ReadValues[taskTool](text)
	tools := map[string]taskTool{}
	for _, t := range list {
		for i := range t.Answers {
			t.Answers[i].Name = t.Name
			_, wrong := t.Answers[i].call(catalog)
			err = cmp.Or(err, wrong) // the first one
		}
		tools[t.Name] = t
	}
	return tools, err
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
