// Package lexer splits messages into lexemes. It also has the limits on calls, and the codes of
// faults:
//
//	chunks := [][]byte{[]byte(`Hi. <call>f loc`), []byte(`="x"</call>`)}
//	list, err := lexer.Lexemes(nil, lexer.Limits{}, chunks...)
//	for _, x := range list {
//		fmt.Println(x.Kind, x.Start, x.End) // text 0 4, open 4 4, name 10 11, path 12 15, …
//	}
//
// Lexemes do not depend on how the message is cut. They show where calls begin and end and what
// they contain, but know nothing about tools and schemas: see package parse for calls with typed
// arguments, and package stream for how a chunk is read. It begins in the same lexer, internal/lex.
//
// An [Error] is a fault of a call. Its [Code] is stable, and [Codes] describes all of them.
// [Limits] bound what a call may contain.
package lexer
