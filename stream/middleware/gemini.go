package middleware

import (
	"bytes"

	"github.com/callwire/callwire/internal/rawjson"
)

// geminiTool returns a Gemini declaration as a tool. Its schema is JSON Schema with
// types in capitals, or plain JSON Schema.
func geminiTool(declaration []byte) []byte {
	o := rawjson.ParseObject(declaration)
	tool := members("name", orEmpty(o.Get("name")), "description", orEmpty(o.Get("description")))
	for _, key := range [...]string{"lazy", "defer_loading", "skill"} {
		if o.Has(key) {
			tool = append(tool, field(key, o.Get(key)))
		}
	}
	switch {
	case o.Has("parametersJsonSchema"):
		tool = append(tool, field("parameters", o.Get("parametersJsonSchema")))
	case o.Has("parameters"):
		tool = append(tool, field("parameters", geminiSchema(o.Get("parameters"))))
	default:
		tool = append(tool, field("parameters", []byte(`{"type":"object","properties":{}}`)))
	}
	return tool.Append(nil)
}

// geminiSchema returns a schema with its types in lower case.
func geminiSchema(raw []byte) []byte {
	switch {
	case len(raw) > 0 && raw[0] == '[':
		list := rawjson.ParseArray(raw)
		for i := range list {
			list[i] = geminiSchema(list[i])
		}
		return rawjson.AppendArray(nil, list)
	case len(raw) == 0 || raw[0] != '{':
		return raw
	}
	o := rawjson.ParseObject(raw)
	for i, m := range o {
		switch m.Key {
		case "type":
			if rawjson.IsString(m.Value) {
				o[i].Value = bytes.ToLower(m.Value)
			}
		case "properties", "$defs", "defs":
			properties := rawjson.ParseObject(m.Value)
			for k := range properties {
				properties[k].Value = geminiSchema(properties[k].Value)
			}
			o[i].Value = properties.Append(nil)
		case "items", "anyOf", "allOf", "oneOf", "prefixItems", "additionalProperties":
			o[i].Value = geminiSchema(m.Value)
		}
	}
	return o.Append(nil)
}

// geminiParts returns the elements of a list of parts; the API also takes a single
// part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return rawjson.ParseArray(value)
}
