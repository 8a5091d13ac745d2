package middleware

import "github.com/callwire/callwire/internal/rawjson"

// geminiTool returns a Gemini declaration as a tool. One without a schema takes no
// arguments.
func geminiTool(declaration []byte) []byte {
	o := rawjson.ParseObject(declaration)
	if o.Has("parameters") || o.Has("parametersJsonSchema") {
		return declaration
	}
	return o.Set("parameters", []byte(`{"type":"object","properties":{}}`)).Append(nil)
}

// geminiParts returns the elements of a list of parts; the API also takes a single
// part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return rawjson.ParseArray(value)
}
