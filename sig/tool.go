package sig

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Tool is one tool of a catalogue. It is also the typed form of what Compile
// takes, where Args does not matter. Its JSON is MCP's.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"inputSchema,omitempty"` // JSON Schema of the arguments, as it is written

	// What is told of a tool besides, where package manual explains it: examples
	// of its arguments, JSON objects; a longer text on how to use it; and whether
	// its signature is left out until the model asks. No reader of calls needs it.
	InputExamples []json.RawMessage `json:"inputExamples,omitempty"`
	Skill         string            `json:"skill,omitempty"`
	Lazy          bool              `json:"lazy,omitempty"`

	// Args is the compiled Schema, a type that allows objects; nil where nothing
	// is said about the arguments.
	Args *Type `json:"-"`
}

// maxName is the length of a name, in bytes, that every reader accepts.
const maxName = 256

// callable reports whether a call can have the name.
func callable(name string) bool {
	return len(name) <= maxName && lexeme.IsName(name) && utf8.ValidString(name)
}
