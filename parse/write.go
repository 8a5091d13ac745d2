package parse

import (
	"encoding/json"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// FormatOptions configure how calls are written. The zero FormatOptions write the canonical form
// of the wire format.
type FormatOptions struct {
	Format *Format // nil means the wire format
	Tags   Tags    // around a call, instead of those of the format
	Limits Limits  // of the reader

	JSON    bool // write the arguments as one JSON object even in the wire format
	Repair  bool // quote or refuse what a reader with Options.Repair may take for a mistake
	Visible bool // escape invisible characters, where the format has escapes
	Index   int  // the calls of the conversation so far, for formats that count them in their IDs
}

func (o *FormatOptions) engine() *engine.WriteOptions {
	if o == nil {
		return nil
	}
	w := engine.WriteOptions(*o)
	return &w
}

// FormatCall returns the text of one call, such that it reads back as the same call under the same
// catalog. Input is one JSON object; its digits, and the order of its keys, are kept. A call that
// would not read back is refused: the error is then an [*Error], at an offset in input. So is a
// value that contains a call where the format has no quotes to hide it.
//
// Two things read back as what they mean. A required property that is missing and may be null is
// null. With [Options].Repair, a null for an optional property that allows none is left out.
func FormatCall(
	catalog *sig.Catalog, name string, input json.RawMessage, o *FormatOptions,
) (string, error) {
	out, err := AppendCall(nil, catalog, name, input, o)
	return string(out), err
}

// AppendCall appends what [FormatCall] returns to dst. If it fails, it returns dst as it was.
func AppendCall(
	dst []byte, catalog *sig.Catalog, name string, input json.RawMessage, o *FormatOptions,
) ([]byte, error) {
	return engine.AppendCall(dst, catalog, engine.Written{Name: name, Input: input}, o.engine())
}

// AppendCalls appends several calls, with the tags around them if the format has such. It uses
// their ID, Name and Input. If it fails, it returns dst as it was.
func AppendCalls(
	dst []byte, catalog *sig.Catalog, calls []Call, o *FormatOptions,
) ([]byte, error) {
	list := make([]engine.Written, len(calls))
	for i := range calls {
		list[i] = engine.Written{ID: calls[i].ID, Name: calls[i].Name, Input: calls[i].Input}
	}
	return engine.AppendCalls(dst, catalog, list, o.engine())
}

// Coerce converts the arguments of a native call to the types of the schema: JSON text in a string
// where an array or object is wanted (also for input as a whole), a literal in a string, a literal
// where a string is wanted, one value where an array is wanted. It leaves out a null for an
// optional argument that allows none. What fits stays as it is.
//
// It returns the arguments without whitespace, and what it changed or what does not fit, at offsets
// in input. The error is an [*Error]: the tool is unknown, or input is not one JSON object.
func Coerce(
	catalog *sig.Catalog, name string, input json.RawMessage,
) (json.RawMessage, []Issue, error) {
	out, issues, code, at := engine.Coerce(catalog, name, input)
	if code != "" {
		of := input
		if code == lexer.UnknownTool {
			of = []byte(name)
		}
		found := lexeme.Excerpt(of[min(at, len(of)):])
		return nil, nil, &Error{Code: code, Offset: at, Tool: name, Found: found}
	}
	return out, issuesOf(issues), nil
}
