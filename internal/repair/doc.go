// Package repair reads one call that isn't written as the format has it, and returns the call
// that was meant, if it can mean only one:
//
//	call, _, ok := repair.Read(repair.NewTools(catalog), repair.Span{
//		Text: []byte(`<call>getWeather location: New York, units: metric</call>`),
//		Format: format.Wire, Closed: true, MaxDepth: 32, MaxArguments: 64,
//	})
//	if ok {
//		fmt.Println(call.Name, len(call.Args), call.Notes)
//	}
//
// It is a recursive-descent reader over a complete span: the caller has decided where the call
// begins and ends. The result is a tree of values, each with its place in the span, and the names
// of the repairs. The tree is untyped: the caller hands it to the builder that types all other
// calls, and drops it if something doesn't fit the schema.
//
// # What keeps it harmless
//
// A quote opens a string exactly where it does when the lexer skips damage: after whitespace
// or one of = [ { ( , and : ([lexeme.Introduces]). So the reader never ends a string where the
// lexer saw it go on. Typographic quotes enclose no other quote, no backslash, and no tag, so they
// can't hide one. A word with a quote in it, apart from an apostrophe, is refused.
//
// A word that the grammar reads as one value is never split: a=x,b=y stays one argument, or
// the call is refused. A word that is a declared key never becomes part of a value.
//
// The first place that could mean two things ends the attempt: the refusal is sticky, and
// every loop checks it.
package repair
