package manual

import (
	"bytes"
	"encoding/json"

	"github.com/callwire/callwire/internal/rawjson"
)

// inputOf returns arguments as the text of a JSON object.
func inputOf(input json.RawMessage) []byte {
	text := bytes.TrimSpace(input)
	if rawjson.IsString(text) && json.Valid(text) {
		text = bytes.TrimSpace([]byte(rawjson.Unquote(text)))
		if len(text) > 0 {
			return text
		}
	}
	if rawjson.IsNull(text) {
		return []byte("{}")
	}
	return text
}

// isObject reports whether arguments are a JSON object.
func isObject(input json.RawMessage) bool {
	text := inputOf(input)
	return len(text) > 0 && text[0] == '{' && json.Valid(text)
}

// inputObject returns the arguments of a call as compact JSON.
func (p *Part) inputObject() []byte { return rawjson.Compact(inputOf(p.Input)) }

// isResult reports whether the part answers a call.
func (p *Part) isResult() bool { return p.Kind == Result || p.Kind == Feedback }

// hasCacheMark reports whether the prompt cache is to end with this part.
func (p *Part) hasCacheMark() bool { return rawjson.ParseObject(p.Raw).Has("cache_control") }
