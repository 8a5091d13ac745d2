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
	Title       string          `json:"title,omitempty"`
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

// callable reports whether a call can have the name.
func callable(name string) bool {
	return len(name) <= maxName && lexeme.IsName(name) && utf8.ValidString(name)
}
