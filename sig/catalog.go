package sig

import (
	"encoding/json"
	"errors"
)

// Catalog is a compiled set of tools. It does not change after Compile and is
// safe for concurrent use.
type Catalog struct {
	tools    []*Tool
	byName   map[string]*Tool
	problems []Problem
}

// Compile compiles tools.
func Compile(tools any) (*Catalog, error) {
	var raw []byte
	switch v := tools.(type) {
	case []byte:
		raw = v
	case json.RawMessage:
		raw = v
	case string:
		raw = []byte(v)
	default:
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	var list []*Tool
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("sig: not a list of tools")
	}
	c := &Catalog{tools: list, byName: map[string]*Tool{}}
	for _, t := range list {
		c.byName[t.Name] = t
	}
	return c, nil
}

// Lookup returns the tool of that name, or nil.
func (c *Catalog) Lookup(name []byte) *Tool {
	if c == nil {
		return nil
	}
	return c.byName[string(name)]
}

// Tools returns the tools in source order.
func (c *Catalog) Tools() []*Tool {
	if c == nil {
		return nil
	}
	return c.tools
}

// Len returns the number of tools.
func (c *Catalog) Len() int { return len(c.Tools()) }

// Problems returns what was dirty in the tools, in source order.
func (c *Catalog) Problems() []Problem {
	if c == nil {
		return nil
	}
	return c.problems
}
