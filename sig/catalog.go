package sig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
)

// Catalog is a compiled set of tools. It does not change after Compile, so it
// is safe for concurrent use. A nil *Catalog has no tools.
type Catalog struct {
	tools    []*Tool
	byName   map[string]*Tool
	index    index // of the same, faster where it can be
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
	b := builder{Catalog{byName: make(map[string]*Tool)}}
	defer b.indexTools()
	switch v := tools.(type) {
	case []Tool:
		for i := range v {
			b.addTyped(&v[i])
		}
	case []*Tool:
		for _, t := range v {
			b.addTyped(t)
		}
	case Tool:
		b.addTyped(&v)
	case *Tool:
		b.addTyped(v)
	default:
		src, err := textOf(tools)
		if err != nil {
			return nil, err
		}
		if err := b.addText(src); err != nil {
			return nil, err
		}
	}
	return &b.Catalog, nil
}

// With returns the catalogue with further tools after its own, and with the problems
// of all. It shares what is compiled, and takes time linear in the number of tools.
func (c *Catalog) With(tools ...Tool) *Catalog {
	b := builder{Catalog{tools: c.Tools(), byName: make(map[string]*Tool), problems: c.Problems()}}
	for _, t := range b.tools {
		b.byName[t.Name] = t
	}
	for i := range tools {
		b.addTyped(&tools[i])
	}
	b.indexTools()
	return &b.Catalog
}

// textOf returns the JSON text of tools, in memory that is nobody else's.
func textOf(tools any) ([]byte, error) {
	switch v := tools.(type) {
	case []byte:
		return bytes.Clone(v), nil
	case json.RawMessage:
		return bytes.Clone(v), nil
	case string:
		return []byte(v), nil
	}
	src, err := json.Marshal(tools)
	if err != nil {
		return nil, fmt.Errorf("sig: tools of type %T: %w", tools, err)
	}
	return src, nil
}

// builder is a catalogue to which tools are added.
type builder struct{ Catalog }

var errShape = errors.New("sig: tools are JSON of no known shape: expected a list of objects with name and inputSchema, as in MCP, or what OpenAI, Anthropic or the AI SDK take")

func (b *builder) addText(src []byte) error {
	doc, err := decode(src)
	if err != nil {
		return fmt.Errorf("sig: tools are not JSON: %w", err)
	}
	list, ok := findTools(doc.root)
	if !ok {
		return errShape
	}
	outside := doc.repeated // repeated keys that are not in a schema
	for _, f := range list {
		var inside []*value
		inside, outside = split(outside, f.schema)
		t := &Tool{Name: f.name, Title: f.title, Description: f.description, InputExamples: f.examples, Skill: f.skill, Lazy: f.lazy}
		switch {
		case !f.tool.is(Object):
			b.problem(t, InvalidTool, "a tool must be an object, found "+f.tool.kind.String()+": left out")
		case b.add(t):
			if f.schema != nil {
				t.Schema = f.schema.raw[:len(f.schema.raw):len(f.schema.raw)]
			}
			b.problems = append(b.problems, compileTool(t, f.schema, inside)...)
		}
	}
	for _, v := range outside {
		b.problem(new(Tool), RepeatedKey, fmt.Sprintf("the key at %s is repeated: the last value stands", v.pointer(doc.root)))
	}
	return nil
}

// split takes the values that stand in v out of a list in the order of the
// source.
func split(list []*value, v *value) (inside, outside []*value) {
	if v == nil || len(list) == 0 {
		return nil, list
	}
	from := sort.Search(len(list), func(i int) bool { return list[i].start >= v.start })
	to := sort.Search(len(list), func(i int) bool { return list[i].start >= v.start+len(v.raw) })
	return list[from:to], append(list[:from:from], list[to:]...)
}

func (b *builder) addTyped(source *Tool) {
	if source == nil {
		b.problem(new(Tool), InvalidTool, "a tool must not be nil: left out")
		return
	}
	t := &Tool{
		Name:        source.Name,
		Title:       source.Title,
		Description: source.Description,
		Schema:      bytes.Clone(source.Schema),
		Skill:       source.Skill,
		Lazy:        source.Lazy,
	}
	for _, e := range source.InputExamples {
		t.InputExamples = append(t.InputExamples, bytes.Clone(e))
	}
	if !b.add(t) {
		return
	}
	doc := new(document)
	if len(t.Schema) > 0 {
		var err error
		if doc, err = decode(t.Schema); err != nil {
			b.problem(t, InvalidSchema, "the schema is not JSON, so the arguments are untyped: "+err.Error())
			return
		}
	}
	b.problems = append(b.problems, compileTool(t, doc.root, doc.repeated)...)
}

// add adds a tool, not yet compiled, unless it has no name or an earlier one.
func (b *builder) add(t *Tool) bool {
	switch {
	case t.Name == "":
		b.problem(t, InvalidTool, "a tool must have a name: left out")
		return false
	case b.byName[t.Name] != nil:
		b.problem(t, DuplicateTool, "an earlier tool has the same name: this one is left out")
		return false
	case !callable(t.Name):
		b.problem(t, BadName, "no call can have this name: it must start with a letter, _, $, @ or a non-ASCII character, go on with those, digits and - . / : and have at most 256 bytes")
	}
	b.byName[t.Name] = t
	b.tools = append(b.tools, t)
	return true
}

func (b *builder) indexTools() { b.index = newIndex(b.tools) }

func (b *builder) problem(t *Tool, code, message string) {
	b.problems = append(b.problems, Problem{Tool: t.Name, Code: code, Message: message})
}

// Lookup returns the tool of that name, nil if there is none. It takes
// constant time and does not allocate.
func (c *Catalog) Lookup(name []byte) *Tool {
	if c == nil {
		return nil
	}
	if len(c.index.slots) > 0 {
		return c.index.find(name)
	}
	return c.byName[string(name)]
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
