package tokens

import (
	"encoding/json"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// Form is a notation for calls.
type Form string

// The forms that calls are counted in.
const (
	Wire   Form = "wire"   // <call>getTime timezone=Asia/Tokyo</call>
	Native Form = "native" // {"type":"tool_use","id":"toolu_01ABCDEFG","name":"getTime","input":{"timezone":"Asia/Tokyo"}}
	Bare   Form = "bare"   // {"name":"getTime","arguments":{"timezone":"Asia/Tokyo"}}
	Hermes Form = "hermes" // <tool_call>, a line {"name": "getTime", "arguments": {"timezone": "Asia/Tokyo"}}, </tool_call>
	XML    Form = "xml"    // <getTime><timezone>Asia/Tokyo</timezone></getTime>
	Python Form = "python" // [getTime(timezone="Asia/Tokyo")]
)

// Forms are all of them; others are those that the wire format is held against.
var (
	Forms  = append([]Form{Wire}, others...)
	others = []Form{Native, Bare, Hermes, XML, Python}
)

// writers write a call in a form. Input is one JSON object.
var writers = map[Form]func(name string, input json.RawMessage) (string, error){
	Native: func(name string, input json.RawMessage) (string, error) {
		return writeJSON(struct {
			Type  string          `json:"type"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		}{"tool_use", "toolu_01ABCDEFG", name, input})
	},
	Bare: func(name string, input json.RawMessage) (string, error) {
		return writeJSON(struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{name, input})
	},
	Hermes: writeHermes,
	XML:    writeXML,
	Python: writePython,
}

// write writes a call in a form other than Wire.
func (f Form) write(c bench.Call) (string, error) { return writers[f](c.Name, c.Input) }

// envelope writes the call without arguments.
func (f Form) envelope(c bench.Call) (string, error) {
	return writers[f](c.Name, json.RawMessage("{}"))
}
