package middleware

import "bytes"

// geminiTool returns a Gemini declaration as a tool. Its schema is JSON Schema with
// types in capitals, or plain JSON Schema.
func geminiTool(declaration []byte) []byte {
	o := readObject(nil, declaration)
	tool := object{{"name", orEmpty(o.get("name"))}, {"description", orEmpty(o.get("description"))}}
	for _, key := range [...]string{"lazy", "defer_loading", "skill"} {
		if o.has(key) {
			tool = append(tool, member{key, o.get(key)})
		}
	}
	switch {
	case o.has("parametersJsonSchema"):
		tool = append(tool, member{"parameters", o.get("parametersJsonSchema")})
	case o.has("parameters"):
		tool = append(tool, member{"parameters", geminiSchema(o.get("parameters"))})
	default:
		tool = append(tool, member{"parameters", []byte(`{"type":"object","properties":{}}`)})
	}
	return tool.appendTo(nil)
}

// geminiSchema returns a schema with its types in lower case.
func geminiSchema(raw []byte) []byte {
	switch {
	case len(raw) > 0 && raw[0] == '[':
		list := readArray(nil, raw)
		for i := range list {
			list[i] = geminiSchema(list[i])
		}
		return appendArray(nil, list)
	case len(raw) == 0 || raw[0] != '{':
		return raw
	}
	o := readObject(nil, raw)
	for i, m := range o {
		switch m.key {
		case "type":
			if isString(m.value) {
				o[i].value = bytes.ToLower(m.value)
			}
		case "properties", "$defs", "defs":
			properties := readObject(nil, orObject(m.value))
			for k := range properties {
				properties[k].value = geminiSchema(properties[k].value)
			}
			o[i].value = properties.appendTo(nil)
		case "items", "anyOf", "allOf", "oneOf", "prefixItems", "additionalProperties":
			o[i].value = geminiSchema(m.value)
		}
	}
	return o.appendTo(nil)
}

// geminiParts returns the elements of a list of parts; the API also takes a single
// part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return readArrayOf(value)
}
