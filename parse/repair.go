package parse

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// Repair types the arguments of a call that came as JSON, as typing does for
// arguments that are written with a path: JSON text in a string where the schema
// wants an array or object (or for the whole input), literals in a string,
// literals where it wants a string, one value where it wants an array. A null is
// left out where the property may be left out and allows none. It
// returns the arguments without whitespace and what it noticed; offsets are
// those of input. What fits stays as it is.
//
// The error is a [*lexer.Error]: UnknownTool, or what is wrong with the JSON,
// see [Format]. A nil catalog changes nothing but whitespace.
//
// However short the input, up to a thousand issues are returned, which take 100 KB:
// count them if you repair all calls of an untrusted message.
func Repair(catalog *sig.Catalog, name string, input []byte) ([]byte, []Issue, error) {
	limits := lexer.Limits{}.OrDefault()
	var args *sig.Type
	if tool := catalog.Lookup([]byte(name)); tool != nil {
		args = tool.Args
	} else if catalog != nil {
		return nil, nil, &lexer.Error{Code: lexer.UnknownTool, Tool: name, Found: lexer.Excerpt([]byte(name))}
	}
	refuse := func(code lexer.Code, at int) ([]byte, []Issue, error) {
		return nil, nil, &lexer.Error{Code: code, Offset: at, Tool: name, Found: lexer.Excerpt(input[min(at, len(input)):])}
	}
	text, code, at := compact(input, limits.Depth+1)
	if code != "" {
		return refuse(code, at)
	}
	first := len(input) - len(bytes.TrimLeft(input, " \t\r\n"))
	b := builder{maxDepth: limits.Depth, repair: true, left: maxAllowance, out: make([]byte, 0, len(input))}
	source := input
	if text[0] == '"' { // the whole input as a string
		inner := lexeme.AppendJSONUnquoted(nil, text[1:len(text)-1], -1)
		if jsonTextKind(inner) != sig.Object || !isJSON(inner, limits.Depth+1) {
			return refuse(lexer.NotAnObject, first)
		}
		b.misfit(lexer.Coerced, args, first)
		source = inner
	} else if text[0] != '{' {
		return refuse(lexer.NotAnObject, first)
	}
	own := len(source) == len(input)
	source = withoutNulls(source, args, limits.Depth+1, func(t *sig.Type, path string, at int) {
		if !own {
			at = first
		}
		b.report(Issue{Code: lexer.Coerced, Path: string(shorten([]byte(path))), At: at, Type: t})
	})
	s := lexeme.Scanner{Text: source, Depth: limits.Depth + 1, Unpaired: true}
	b.openAs(args, true, s.Next().Start, 0)
	if own {
		first = 0
	}
	b.json(&s, first, own)
	p := Parser{b: b}
	p.sortIssues()
	return p.b.out, p.b.issues, nil
}
