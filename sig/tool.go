package sig

import "encoding/json"

// Tool is one tool of a catalogue. It is also the typed form of Compile's
// input, where Args is ignored. It encodes to JSON in MCP's shape.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"inputSchema,omitempty"` // JSON Schema of the arguments, as given

	// Args is the compiled Schema; nil where nothing is said about arguments.
	Args *Type `json:"-"`
}
