package sig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
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

// Compile compiles tools into a catalog. The tools are
//
//   - a []Tool, a []*Tool, a Tool or a *Tool;
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
	b := builder{Catalog{byName: make(map[string]*Tool)}}
	var typed []*Tool
	switch v := tools.(type) {
	case []Tool:
		for i := range v {
			typed = append(typed, &v[i])
		}
	case []*Tool:
		typed = v
	case Tool:
		typed = []*Tool{&v}
	case *Tool:
		typed = []*Tool{v}
	default:
		src, err := textOf(tools)
		if err == nil {
			err = b.addText(src)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, t := range typed {
		b.addTyped(t)
	}
	return &b.Catalog, nil
}

// With returns a catalog of the tools of c followed by these, with the problems of
// all. It shares what is already compiled, and takes time linear in the number of
// tools.
func (c *Catalog) With(tools ...Tool) *Catalog {
	b := builder{Catalog{tools: c.Tools(), byName: make(map[string]*Tool), problems: c.Problems()}}
	if c != nil {
		b.unlisted = c.unlisted
	}
	for _, t := range b.tools {
		b.byName[t.Name] = t
	}
	for i := range tools {
		b.addTyped(&tools[i])
	}
	return &b.Catalog
}

// Memo holds what other packages derive from the catalog, by keys of their own types, so that it
// lives as long as the catalog.
func (c *Catalog) Memo() *sync.Map {
	if c == nil {
		return &noCatalog.memo
	}
	return &c.memo
}

// noCatalog is used for nil.
var noCatalog Catalog

// textOf returns the JSON text of tools, in memory that the caller owns.
func textOf(tools any) ([]byte, error) {
	switch v := tools.(type) {
	case []byte:
		return bytes.Clone(v), nil
	case json.RawMessage:
		return bytes.Clone(v), nil
	case string:
		return []byte(v), nil
	}
	src, err := marshal(tools)
	if err != nil {
		return nil, fmt.Errorf("sig: tools of type %T: %w", tools, err)
	}
	return src, nil
}

// marshal is json.Marshal, to which a method of v that panics is an error.
func marshal(v any) (src []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its JSON: panic: %v", p)
		}
	}()
	return json.Marshal(v)
}

// builder is a catalog to which tools are added.
type builder struct{ Catalog }

const wantTools = "expected a list of objects with name and inputSchema, as in MCP, " +
	"or the form that OpenAI, Anthropic or the AI SDK take"

var errShape = errors.New("sig: tools have no known shape: " + wantTools)

func (b *builder) addText(src []byte) error {
	doc, err := decode(src)
	if err != nil {
		return fmt.Errorf("sig: tools are not JSON: %w; %s", err, wantTools)
	}
	list, ok := findTools(doc.root)
	if !ok {
		return errShape
	}
	outside := doc.repeated // repeated keys that are not in a schema
	for _, f := range list {
		var inside []*value
		inside, outside = split(outside, f.schema)
		if !f.tool.is(Object) {
			found := f.tool.kind.String()
			b.problem(&f.Tool, invalidTool, "a tool must be an object, found "+found+": skipped")
			continue
		}
		if f.schema != nil {
			f.Schema = slices.Clip(f.schema.raw)
		}
		b.add(&f.Tool, f.schema, inside)
	}
	for _, v := range outside {
		b.problem(new(Tool), repeatedKey,
			fmt.Sprintf("the key at %s is repeated: the last value counts", v.pointer(doc.root)))
	}
	return nil
}

// split separates the values inside v from the others of a list in source order.
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
		b.problem(new(Tool), invalidTool, "a tool must not be nil: skipped")
		return
	}
	t := *source
	t.Args = nil
	t.Schema = bytes.Clone(source.Schema)
	t.InputExamples = slices.Clone(source.InputExamples)
	for i, e := range t.InputExamples {
		t.InputExamples[i] = bytes.Clone(e)
	}
	doc, err := new(document), error(nil)
	if len(t.Schema) > 0 {
		doc, err = decode(t.Schema)
	}
	if err == nil {
		b.add(&t, doc.root, doc.repeated)
	} else if b.accepts(&t) {
		b.problem(&t, invalidSchema,
			"the schema is not JSON, so the arguments are untyped: "+err.Error())
	}
}

// add adds a tool with that schema, nil for none. repeated are the repeated keys in it.
func (b *builder) add(t *Tool, schema *value, repeated []*value) {
	if !b.accepts(t) {
		return
	}
	b.problems = append(b.problems, compileTool(t, schema, repeated)...)
	for i, e := range t.InputExamples {
		if !t.Args.Accepts(e) {
			b.problem(t, badExample, fmt.Sprintf("inputExamples[%d] does not fit the schema", i))
		}
	}
}

// accepts adds a tool, not yet compiled, unless its name is missing or already taken.
func (b *builder) accepts(t *Tool) bool {
	switch {
	case t.Name == "":
		b.problem(t, invalidTool, "a tool must have a name: skipped")
		return false
	case b.byName[t.Name] != nil:
		b.problem(t, duplicateTool, "an earlier tool has the same name: this one is skipped")
		return false
	case !callable(t.Name):
		b.problem(t, badName, "no call can have this name: it must start with a letter, _, $, @ or "+
			"a non-ASCII character, continue with those, digits and - . / : and have at most 256 bytes")
	}
	b.byName[t.Name] = t
	b.tools = append(b.tools, t)
	return true
}

func (b *builder) problem(t *Tool, code, message string) {
	b.problems = append(b.problems, Problem{Tool: t.Name, Code: code, Message: message})
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
func (c *Catalog) Tools() []*Tool {
	if c == nil {
		return nil
	}
	return c.tools[:len(c.tools):len(c.tools)]
}

// Len returns the number of tools.
func (c *Catalog) Len() int { return len(c.Tools()) }

// Problems returns what was dirty in the tools and how it was read, tool by tool
// in source order. The slice belongs to the catalog.
func (c *Catalog) Problems() []Problem {
	if c == nil {
		return nil
	}
	return c.problems[:len(c.problems):len(c.problems)]
}
