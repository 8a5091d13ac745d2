package sig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Catalog is a compiled set of tools. It does not change after Compile, so it
// is safe for concurrent use. A nil *Catalog has no tools.
type Catalog struct {
	tools    []*Tool
	table    table
	names    map[string]bool // while compiling
	problems []Problem
}

// Compile makes a catalogue of tools, which are
//
//   - a []Tool, a []*Tool, a Tool or a *Tool;
//   - JSON text, as []byte, json.RawMessage or string: a list of tools in the
//     shape of MCP, OpenAI, Anthropic or the AI SDK, one such tool, or MCP's
//     answer to tools/list;
//   - any other value that encoding/json encodes as such a text. (A Go map is
//     encoded in the order of its keys; only JSON text keeps the order of
//     properties.)
//
// It refuses only what is not JSON or in no such shape. Dirty tools and
// schemas are read as well as can be, and reported in Problems. Compile copies
// what it keeps, and takes time and memory linear in the size of tools,
// whatever is in them.
func Compile(tools any) (*Catalog, error) {
	c := &Catalog{names: make(map[string]bool)}
	switch v := tools.(type) {
	case []Tool:
		for i := range v {
			c.addTyped(&v[i])
		}
	case []*Tool:
		for _, t := range v {
			c.addTyped(t)
		}
	case Tool:
		c.addTyped(&v)
	case *Tool:
		c.addTyped(v)
	default:
		if err := c.addJSON(tools); err != nil {
			return nil, err
		}
	}
	c.table, c.names = newTable(c.tools), nil
	return c, nil
}

var errShape = errors.New("sig: the JSON is in no known shape of tools: expected a list of objects with name and inputSchema, as MCP has it, or what OpenAI, Anthropic or the AI SDK take")

func (c *Catalog) addJSON(tools any) error {
	var src []byte
	switch v := tools.(type) {
	case []byte:
		src = bytes.Clone(v)
	case json.RawMessage:
		src = bytes.Clone(v)
	case string:
		src = []byte(v)
	default:
		var err error
		if src, err = json.Marshal(v); err != nil {
			return fmt.Errorf("sig: tools of type %T: %w", tools, err)
		}
	}
	doc, err := decode(src)
	if err != nil {
		return fmt.Errorf("sig: tools are not JSON: %w", err)
	}
	list, ok := findTools(doc.root)
	if !ok {
		return errShape
	}
	repeated := doc.repeated
	for _, f := range list {
		t := &Tool{Name: f.name}
		if f.title.is(String) {
			t.Title = f.title.text
		}
		if f.description.is(String) {
			t.Description = f.description.text
		}
		if !f.tool.is(Object) {
			c.problem(t, InvalidTool, "a tool must be an object, found "+f.tool.kind.String()+": left out")
			continue
		}
		if !c.add(t) {
			continue
		}
		var inside []*value
		if f.schema != nil {
			t.Schema = f.schema.raw[:len(f.schema.raw):len(f.schema.raw)]
			inside, repeated = within(f.schema, repeated)
		}
		c.problems = append(c.problems, compileTool(t, f.schema, inside)...)
	}
	return nil
}

// within splits off the values that stand in v. Both lists and the calls of
// within are in the order of the source.
func within(v *value, list []*value) (inside, after []*value) {
	for len(list) > 0 && list[0].start < v.start {
		list = list[1:]
	}
	n := 0
	for n < len(list) && list[n].start < v.start+len(v.raw) {
		n++
	}
	return list[:n], list[n:]
}

func (c *Catalog) addTyped(source *Tool) {
	if source == nil {
		c.problem(&Tool{}, InvalidTool, "a tool must not be nil: left out")
		return
	}
	t := &Tool{Name: source.Name, Title: source.Title, Description: source.Description, Schema: bytes.Clone(source.Schema)}
	if !c.add(t) {
		return
	}
	if len(t.Schema) == 0 {
		c.problems = append(c.problems, compileTool(t, nil, nil)...)
		return
	}
	doc, err := decode(t.Schema)
	if err != nil {
		c.problem(t, InvalidSchema, "the schema is not JSON, so the arguments are untyped: "+err.Error())
		return
	}
	c.problems = append(c.problems, compileTool(t, doc.root, doc.repeated)...)
}

// add appends a tool unless it has no name or that of an earlier one.
func (c *Catalog) add(t *Tool) bool {
	if t.Name == "" {
		c.problem(t, InvalidTool, "a tool must have a name: left out")
		return false
	}
	if c.names[t.Name] {
		c.problem(t, DuplicateTool, "an earlier tool has the same name: this one is left out")
		return false
	}
	c.names[t.Name] = true
	if !callable(t.Name) {
		c.problem(t, BadName, "no call can have this name: it must start with a letter, _, $, @ or a non-ASCII character, go on with those, digits and - . / : and have at most 256 bytes")
	}
	c.tools = append(c.tools, t)
	return true
}

func (c *Catalog) problem(t *Tool, code, message string) {
	c.problems = append(c.problems, Problem{Tool: t.Name, Code: code, Message: message})
}

// Lookup returns the tool of that name, nil if there is none. It takes
// constant time and does not allocate.
func (c *Catalog) Lookup(name []byte) *Tool {
	if c == nil {
		return nil
	}
	return c.table.lookup(name)
}

// Tools returns the tools in the order of the source. The slice belongs to the
// catalogue.
func (c *Catalog) Tools() []*Tool {
	if c == nil {
		return nil
	}
	return c.tools[:len(c.tools):len(c.tools)]
}

// Len returns the number of tools.
func (c *Catalog) Len() int { return len(c.Tools()) }

// Problems returns what was dirty in the tools and how it was read, tool by
// tool in the order of the source. The slice belongs to the catalogue.
func (c *Catalog) Problems() []Problem {
	if c == nil {
		return nil
	}
	return c.problems[:len(c.problems):len(c.problems)]
}
