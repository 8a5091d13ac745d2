package engine

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// Coerce converts the JSON arguments of a call to the types of its tool: JSON text in a string
// where an array or object is wanted, also for the arguments as a whole; a literal in a string; a
// literal where a string is wanted; one value where an array is wanted. It leaves out a null for
// an optional property that allows none. What fits stays as it is.
//
// It returns the arguments without whitespace, and what it noticed, at offsets in input. However
// short the input, that can be a thousand issues. If input is not one JSON object, or the catalog
// does not have the tool, it returns the code and the offset of the fault.
func Coerce(catalog *sig.Catalog, name string, input []byte) (
	out []byte, issues []Issue, code lexer.Code, at int,
) {
	tool := catalog.Lookup([]byte(name))
	if tool == nil {
		return nil, nil, lexer.UnknownTool, 0
	}
	limits := lexer.Limits{}.OrDefault()
	text, code, at := compact(input, limits.Depth+1)
	if code != "" {
		return nil, nil, code, at
	}
	first := lexeme.SkipSpace(input, 0)
	d := newDraft(limits)
	d.coerces, d.level = true, -1 // the arguments object is no level
	d.typ = tool.Args
	own := none // offset of all tokens, unless they are those of the input
	switch text[0] {
	case '{':
	case '"':
		text = lexeme.AppendJSONUnquoted(nil, text[1:len(text)-1], -1)
		if jsonKind(text) != sig.Object || !d.isJSON(text, limits.Depth+1) {
			return nil, nil, lexer.NotAnObject, first
		}
		d.report(lexer.Coerced, "", first, tool.Args)
		input, own = text, first
	default:
		return nil, nil, lexer.NotAnObject, first
	}
	d.writeTokens(&scanner{Text: input, Depth: limits.Depth + 1, Unpaired: true}, own)
	d.issues.sort()
	return d.out, d.issues.list, "", 0
}
