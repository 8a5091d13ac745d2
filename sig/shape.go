package sig

// The shapes that tools come in. They differ in names and wrappers only:
//
//	MCP                {"name", "description", "inputSchema"}
//	Anthropic          {"name", "description", "input_schema"}
//	OpenAI responses   {"type": "function", "name", "description", "parameters"}
//	OpenAI chat        {"type": "function", "function": {"name", "description", "parameters"}}
//	AI SDK             {"<name>": {"description", "inputSchema" or "parameters"}, …}
//
// A list may stand in {"tools": …} and that in {"result": …}; a schema may
// stand in {"jsonSchema": …}.
var (
	listKeys          = [...]string{"result", "tools"}
	toolWrappers      = [...]string{"function"}
	schemaKeys        = [...]string{"inputSchema", "input_schema", "parameters"}
	schemaWrapperKeys = [...]string{"jsonSchema"}
)

// found is a tool as it was found in the source.
type found struct {
	name                       string
	tool                       *value
	title, description, schema *value
}

// findTools returns the tools in v; ok is false if v is of no known shape.
func findTools(v *value) (tools []found, ok bool) {
	for _, key := range listKeys {
		if list := v.get(key); list.is(Array|Object) && !isTool(list) {
			v = list
		}
	}
	switch {
	case v.kind == Array:
		for _, e := range v.elements {
			tools = append(tools, unwrap("", e))
			ok = ok || isTool(e)
		}
		return tools, ok || len(tools) == 0
	case v.kind != Object:
		return nil, false
	case isTool(v):
		return []found{unwrap("", v)}, true
	}
	for _, m := range v.members {
		tools = append(tools, unwrap(m.key, m.value))
		ok = ok || isKeyedTool(m.value)
	}
	return tools, ok || len(tools) == 0
}

// isTool reports whether v is a tool that says its name.
func isTool(v *value) bool {
	return v.get("name").is(String) || unwrapTool(v).get("name").is(String)
}

// isKeyedTool reports whether v is a tool whose name is its key.
func isKeyedTool(v *value) bool {
	_, has := schemaOf(v)
	return has || v.get("description").is(String)
}

func unwrapTool(v *value) *value {
	for _, key := range toolWrappers {
		if inner := v.get(key); inner.is(Object) {
			return inner
		}
	}
	return v
}

// unwrap returns the tool that v is; its own name counts more than its key.
func unwrap(key string, v *value) found {
	inner := unwrapTool(v)
	f := found{
		name:        key,
		tool:        v,
		title:       inner.get("title"),
		description: inner.get("description"),
	}
	if name := inner.get("name"); name.is(String) {
		f.name = name.text
	} else if name := v.get("name"); name.is(String) {
		f.name = name.text
	}
	f.schema, _ = schemaOf(inner)
	return f
}

// schemaOf returns the schema in v, nil if it has none.
func schemaOf(v *value) (schema *value, has bool) {
	for _, key := range schemaKeys {
		if schema = v.get(key); schema == nil {
			continue
		}
		for _, wrapper := range schemaWrapperKeys {
			if inner := schema.get(wrapper); inner.is(Object) {
				return inner, true
			}
		}
		return schema, true
	}
	return nil, false
}
