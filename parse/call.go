package parse

import (
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Call is a complete call.
type Call struct {
	ID    string          // that of the format if it has one, otherwise call-1, call-2, …
	Name  string          // of the tool
	Input json.RawMessage // the arguments: one JSON object without whitespace

	Issues []Issue // what does not fit the schema, in the order of their offsets

	// AfterMalformed reports that a malformed call came earlier in the message, or a quote that
	// does not end. Only Options.AllowAfterMalformed lets such a call through.
	AfterMalformed bool
}

// Issue is something in a call that does not fit the schema of its tool, or that was repaired.
type Issue struct {
	Code   lexer.Code
	Path   string    // of the value or property: a, a.b, rows[0].k; the name of a repair
	Offset int       // in the message, in bytes
	Type   *sig.Type // that the value should have, if the code is about types
}

// Error returns the code, the path and the offset.
func (i Issue) Error() string {
	if i.Path == "" {
		return fmt.Sprintf("%s at byte %d", i.Code, i.Offset)
	}
	return fmt.Sprintf("%s at byte %d, argument %s", i.Code, i.Offset, i.Path)
}

// Error is a malformed call, or a call that cannot be written. Its code is stable; its text is for
// people and models.
type Error = lexer.Error
