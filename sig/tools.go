package sig

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
)

// Tool is one tool of a catalog. It is also a form of input to Compile, which
// ignores Args. Its JSON is that of MCP.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"inputSchema,omitempty"` // of the arguments, as written

	// For the system prompt, see package manual: examples of arguments, each a
	// JSON object; a longer text on how to use the tool; and whether its signature
	// is withheld until the model asks. Parsing does not need them.
	InputExamples []json.RawMessage `json:"inputExamples,omitempty"`
	Skill         string            `json:"skill,omitempty"`
	Lazy          bool              `json:"lazy,omitempty"`

	// Args is the compiled Schema, a type that allows objects; nil if the
	// arguments are untyped.
	Args *Type `json:"-"`
}

// maxName is the longest name, in bytes, that every reader accepts.
const maxName = 256

// Callable reports whether a call can have the name of the tool.
func (t *Tool) Callable() bool {
	return t != nil && len(t.Name) <= maxName && lexeme.IsName(t.Name) && utf8.ValidString(t.Name)
}

// The shapes that tools come in. They differ only in names and wrappers:
//
//	MCP                {"name", "description", "inputSchema"}
//	Anthropic          {"name", "description", "input_schema"}
//	OpenAI responses   {"type": "function", "name", "description", "parameters"}
//	OpenAI chat        {"type": "function", "function": {"name", "description", "parameters"}}
//	Gemini             {"name", "description", "parameters" or "parametersJsonSchema"}
//	AI SDK             {"<name>": {"description", "inputSchema" or "parameters"}, …}
//
// Each may have "inputExamples" (or "input_examples"), a list of arguments or of
// {"input": arguments}; "skill", a text; and "lazy" (or "defer_loading"), true.
// A list may be wrapped in {"tools": …} and that in {"result": …}; a schema may
// be wrapped in {"jsonSchema": …}.
var (
	listKeys   = [...]string{"result", "tools"}
	schemaKeys = [...]string{
		"inputSchema", "input_schema", "parameters", "parametersJsonSchema",
	}
	exampleKeys = [...]string{"inputExamples", "input_examples"}
	lazyKeys    = [...]string{"lazy", "defer_loading"}
)

// found is a tool as it is in the source.
type found struct {
	*Tool
	source *value
	schema *value // nil: none
}

// findTools returns the tools in v; ok is false if v has no known shape.
func findTools(v *value) (tools []*found, ok bool) {
	for _, key := range listKeys {
		if list := v.get(key); list.is(Array|Object) && !isNamedTool(list) && !isKeyedTool(list) {
			v = list
		}
	}
	switch {
	case v.kind == Array:
		for _, e := range v.below {
			tools = append(tools, unwrap("", e))
			ok = ok || isNamedTool(e)
		}
	case v.kind != Object:
		return nil, false
	case isNamedTool(v):
		return []*found{unwrap("", v)}, true
	default:
		for _, m := range v.below {
			tools = append(tools, unwrap(m.token, m))
			ok = ok || isKeyedTool(m)
		}
	}
	return tools, ok || len(tools) == 0
}

// isNamedTool reports whether v is a tool with a name in it.
func isNamedTool(v *value) bool { return unwrapTool(v).get("name").is(String) }

// isKeyedTool reports whether v may be a tool whose name is its key.
func isKeyedTool(v *value) bool {
	return schemaOf(v) != nil || v.get("description").is(String)
}

func unwrapTool(v *value) *value {
	if inner := v.get("function"); inner.is(Object) {
		return inner
	}
	return v
}

// unwrap returns v as a tool. A key, if not empty, is its name.
func unwrap(key string, v *value) *found {
	inner := unwrapTool(v)
	text := func(key string) string { return inner.get(key).str() }
	f := &found{source: v, schema: schemaOf(inner)}
	f.Tool = &Tool{Name: key, Description: text("description"), Skill: text("skill")}
	if key == "" {
		f.Name = text("name")
	}
	for _, key := range lazyKeys { // also next to the function
		f.Lazy = f.Lazy || inner.get(key).isTrue() || v.get(key).isTrue()
	}
	for _, key := range exampleKeys {
		for _, e := range inner.get(key).elements() {
			if input := e.get("input"); input.is(Object) && len(e.below) == 1 {
				e = input
			}
			if e.is(Object) {
				f.InputExamples = append(f.InputExamples, e.raw)
			}
		}
	}
	return f
}

// schemaOf returns the schema in a tool, or nil.
func schemaOf(v *value) *value {
	for _, key := range schemaKeys {
		schema := v.get(key)
		if inner := schema.get("jsonSchema"); inner.is(Object) {
			return inner
		}
		if schema != nil {
			return schema
		}
	}
	return nil
}
