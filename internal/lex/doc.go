// Package lex splits a message into lexemes and pushes them to a [Handler]. Package engine, which
// makes events of them, is one; package lexer shows them to users:
//
//	syntax, err := lex.Compile(lex.Config{Limits: limits})
//	l := new(lex.Lexer).Init(handler, syntax)
//	l.Write([]byte(`Let me check. <call>getWeather loc`))
//	l.Write([]byte(`ation="New York"</call>`))
//	l.Close(false)
//
// The chunks may be cut anywhere; the lexemes are the same. Only strings and text arrive in
// pieces. The package knows where calls begin and end and what they contain. It knows
// nothing about tools, schemas or JSON output.
//
// Each kind of body is a set of states. Each state has one method, which reads as far as the
// window goes and then waits for more input. Values in brackets are read by the same states in
// every body.
//
// # How a call is read
//
// [Lexer.Write] makes the chunk the window, or appends it to what it has kept of earlier chunks,
// and runs the states. readText pushes text and finds the opener. readName pushes the name, and
// readBetweenArguments offers the rest of the window to the Handler, which reads the plain
// arguments in it. What it leaves is read by readPath and readValue, and pushed. readClose finds
// the closing tag, finish ends the call, and readText goes on. Where the bytes of the next state
// are at hand, a method calls the method of that state, so most calls take one turn of run.
package lex
