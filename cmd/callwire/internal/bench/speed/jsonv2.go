//go:build goexperiment.jsonv2

package speed

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// readJSONv2 is readJSON by the second version of encoding/json, whose decoder
// can be used again.
var readJSONv2 = func(pieces [][]byte, size int) (calls, argumentBytes int) {
	type raw struct {
		Type  string         `json:"type"`
		Text  jsontext.Value `json:"text"`
		ID    string         `json:"id"`
		Name  string         `json:"name"`
		Input jsontext.Value `json:"input"`
	}
	d := jsontext.NewDecoder(bytes.NewReader(nil))
	for _, m := range pieces {
		if size == whole {
			var b raw
			if json.Unmarshal(m, &b) != nil {
				return 0, 0
			}
			calls++
			argumentBytes += len(b.Input)
			continue
		}
		for d.Reset(&dribble{m, size}); ; {
			var b raw
			if json.UnmarshalDecode(d, &b) != nil {
				break
			}
			if b.Type == "tool_use" {
				calls++
				argumentBytes += len(b.Input)
			}
		}
	}
	return calls, argumentBytes
}
