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
	c := coercer{draft: newDraft(limits), own: true}
	c.coerces, c.level = true, -1 // the arguments object is no level
	c.typ = tool.Args
	switch text[0] {
	case '{':
	case '"':
		text = lexeme.AppendJSONUnquoted(nil, text[1:len(text)-1], -1)
		if jsonKind(text) != sig.Object || !new(probe).isJSON(text, limits.Depth+1) {
			return nil, nil, lexer.NotAnObject, first
		}
		c.report(lexer.Coerced, "", first, tool.Args)
		input, c.own = text, false
	default:
		return nil, nil, lexer.NotAnObject, first
	}
	c.write(&scanner{Text: input, Depth: limits.Depth + 1, Unpaired: true}, first)
	c.issues.sort()
	return c.out, c.issues.take(), "", 0
}

// coercer writes the arguments for Coerce.
type coercer struct {
	*draft
	own bool // the text is the input, so its offsets are those of the input
}

// write writes what s reads. Unless the text is the input, all of it is at offset at.
func (c *coercer) write(s *scanner, at int) {
	var field *sig.Field // of the last key
	before := 0          // the length of the output before it
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if c.own {
			at = t.Start
		}
		if t.Kind == 'k' {
			before = len(c.out)
			typ := c.top().typ
			c.writeToken(s, t, at)
			c.scratch = s.AppendUnquoted(c.scratch[:0], t)
			field = typ.Field(c.scratch)
			continue
		}
		f := c.top()
		isNull := t.Kind == 'l' && string(s.Text[t.Start:t.End]) == "null"
		if isNull && f.object && isDroppable(field) {
			c.issue(lexer.Coerced, field.Type, at)
			c.out = c.out[:before]
			f.n--
			continue
		}
		c.writeToken(s, t, at)
	}
}

// isDroppable reports whether a null in place of the field means that it is absent.
func isDroppable(f *sig.Field) bool {
	return f != nil && !f.Required && f.Type != nil && f.Type.Kinds&sig.Null == 0
}
