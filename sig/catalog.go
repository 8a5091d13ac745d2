package sig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Catalog is a compiled set of tools. It does not change after Compile, so it
// is safe for concurrent use. A nil *Catalog has no tools.
type Catalog struct {
	tools    []*Tool
	byName   map[string]*Tool
	problems []Problem

	unlisted *Tool // what Lookup returns for every other name; nil: nothing
	memo     sync.Map
}

// AnyTool is a catalog in which every name is a tool with untyped arguments. It lists
// none. Pass it where the tools are not known, or not to be checked.
var AnyTool = &Catalog{unlisted: new(Tool)}

// noCatalog is used for nil.
var noCatalog Catalog

func (c *Catalog) orNone() *Catalog {
	if c == nil {
		return &noCatalog
	}
	return c
}

// Compile compiles tools into a catalog. The tools are
//
//   - a []Tool or a []*Tool;
//   - JSON text, as []byte, json.RawMessage or string: a list of tools in the
//     shape of MCP, OpenAI, Anthropic or the AI SDK, one such tool, or MCP's
//     answer to tools/list;
//   - any other value that encoding/json encodes as such text. (A Go map is
//     encoded in the order of its keys; only JSON text keeps the order of
//     properties.)
//
// It refuses only what is not JSON or has none of these shapes. Dirty tools and
// schemas are read as best it can, and reported in Problems. Compile copies
// what it keeps, and takes time and memory linear in the size of tools.
func Compile(tools any) (*Catalog, error) {
	c := &Catalog{byName: make(map[string]*Tool)}
	var text []byte
	switch v := tools.(type) {
	case []Tool:
		for i := range v {
			c.addTyped(&v[i])
		}
		return c, nil
	case []*Tool:
		for _, t := range v {
			c.addTyped(t)
		}
		return c, nil
	case []byte:
		text = bytes.Clone(v)
	case json.RawMessage:
		text = bytes.Clone(v)
	case string:
		text = []byte(v)
	default:
		var err error
		text, err = json.Marshal(tools)
		if err != nil {
			return nil, fmt.Errorf("sig: tools of type %T: %w", tools, err)
		}
	}
	if err := c.addText(text); err != nil {
		return nil, err
	}
	return c, nil
}

// With returns a catalog of the tools of c followed by these, with the problems of
// all. It shares what is already compiled, and takes time linear in the number of
// tools.
func (c *Catalog) With(tools ...Tool) *Catalog {
	all := &Catalog{
		tools: c.Tools(), byName: make(map[string]*Tool), problems: c.Problems(),
		unlisted: c.orNone().unlisted,
	}
	for _, t := range all.tools {
		all.byName[t.Name] = t
	}
	for i := range tools {
		all.addTyped(&tools[i])
	}
	return all
}

// Memo holds what other packages derive from the catalog, by keys of their own types, so that it
// lives as long as the catalog.
func (c *Catalog) Memo() *sync.Map { return &c.orNone().memo }

const wantTools = "expected a list of objects with name and inputSchema, as in MCP, " +
	"or the form that OpenAI, Anthropic or the AI SDK take"

// addText adds tools in JSON. The text belongs to the catalog.
func (c *Catalog) addText(text []byte) error {
	root, err := decode(text, maxDepth)
	if err != nil {
		return fmt.Errorf("sig: tools are not JSON: %w; %s", err, wantTools)
	}
	list, ok := findTools(root)
	if !ok {
		return errors.New("sig: tools have no known shape: " + wantTools)
	}
	for _, f := range list {
		if !f.source.is(Object) {
			c.problem(f.Name, "invalid-tool",
				"a tool must be an object, found "+f.source.kind.String()+": skipped")
			continue
		}
		if f.schema != nil {
			f.Schema = slices.Clip(f.schema.raw)
		}
		c.add(f.Tool, f.schema)
	}
	c.reportRepeated(root, root)
	return nil
}

// reportRepeated reports the repeated keys in v that are not in a schema.
func (c *Catalog) reportRepeated(root, v *value) {
	if v.schema != nil {
		return
	}
	if v.repeated {
		c.problem("", "repeated-key",
			fmt.Sprintf("the key at %s is repeated: the last value counts", v.pointer(root)))
	}
	for _, b := range v.below {
		c.reportRepeated(root, b)
	}
}

// addTyped adds a copy of a tool.
func (c *Catalog) addTyped(source *Tool) {
	if source == nil {
		c.problem("", "invalid-tool", "a tool must not be nil: skipped")
		return
	}
	t := *source
	t.Args = nil
	t.Schema = bytes.Clone(source.Schema)
	t.InputExamples = slices.Clone(source.InputExamples)
	for i, e := range t.InputExamples {
		t.InputExamples[i] = bytes.Clone(e)
	}
	if len(t.Schema) == 0 {
		c.add(&t, nil)
		return
	}
	schema, err := decode(t.Schema, maxDepth)
	if err == nil {
		c.add(&t, schema)
	} else if c.accepts(&t) {
		c.problem(t.Name, "invalid-schema",
			"the schema is not JSON, so the arguments are untyped: "+err.Error())
	}
}

// add adds a tool with that schema, nil for none.
func (c *Catalog) add(t *Tool, schema *value) {
	if !c.accepts(t) {
		return
	}
	c.problems = append(c.problems, compileTool(t, schema)...)
	for i, e := range t.InputExamples {
		if !t.Args.Accepts(e) {
			c.problem(t.Name, "bad-example",
				fmt.Sprintf("inputExamples[%d] does not fit the schema", i))
		}
	}
}

// accepts adds a tool, not yet compiled, unless its name is missing or already taken.
func (c *Catalog) accepts(t *Tool) bool {
	switch {
	case t.Name == "":
		c.problem("", "invalid-tool", "a tool must have a name: skipped")
		return false
	case c.byName[t.Name] != nil:
		c.problem(t.Name, "duplicate-tool",
			"an earlier tool has the same name: this one is skipped")
		return false
	case !t.Callable():
		c.problem(t.Name, "bad-name",
			"no call can have this name: it must start with a letter, _, $, @ or a non-ASCII "+
				"character, continue with those, digits and - . / : and have at most 256 bytes")
	}
	c.byName[t.Name] = t
	c.tools = append(c.tools, t)
	return true
}

func (c *Catalog) problem(tool, code, message string) {
	c.problems = append(c.problems, Problem{Tool: tool, Code: code, Message: message})
}

// Lookup returns the tool with that name, or nil. For [AnyTool] it returns a tool
// without a name and a schema. It takes constant time and does not allocate.
func (c *Catalog) Lookup(name []byte) *Tool {
	if c == nil {
		return nil
	}
	if t := c.byName[string(name)]; t != nil {
		return t
	}
	return c.unlisted
}

// Tools returns the tools in source order. The slice belongs to the catalog.
func (c *Catalog) Tools() []*Tool { return slices.Clip(c.orNone().tools) }

// Problems returns what was dirty in the tools and how it was read, tool by tool
// in source order. The slice belongs to the catalog.
func (c *Catalog) Problems() []Problem { return slices.Clip(c.orNone().problems) }
