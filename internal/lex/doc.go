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
// window goes and returns false if it needs more input. Values in brackets are read by the
// same states in every body.
//
// # How a call is read
//
// [Lexer.Write] makes the chunk the window, or appends it to what it has kept of earlier chunks,
// and runs the states. readText pushes text and finds the opener. readName pushes the name, and
// readBetweenArguments offers the rest of the window to the Handler, which reads the plain
// arguments in it. What it leaves is read by readPath and readValue, and pushed. readClose finds
// the closing tag, close ends the call, and readText goes on. Where the bytes of the next state
// are at hand, a method calls the method of that state, so most calls take one turn of run.
//
// # Files
//
//	syntax.go      options, compiled
//	handler.go     what receives the lexemes
//	code.go        the codes of faults, and the limits
//	lexer.go       Write and Close, and the loop that runs the states
//	window.go      the input that was not read yet
//	call.go        the state of a call, and the pool of these
//	text.go        text, openers, and the end of a call
//	starts.go      the places in text that need a closer look
//	reasoning.go   reasoning, in which no call is read
//	near.go        tags that resemble the opener
//	foreign.go     calls in other formats
//	any.go         several formats at once
//	arguments.go   the body of the wire format: a name and arguments
//	brackets.go    arrays and objects
//	string.go      quoted strings
//	json.go        what strict JSON adds: literals, and the bytes strings cannot contain
//	envelope.go    a JSON object that contains a name and arguments
//	parameters.go  tagged parameters, which have no quotes
//	tooltags.go    tags that are named after tools
//	elements.go    XML elements
//	block.go       text that a codec reads
//	layout.go      the layout of such a text, as far as it hides tags
//	recorder.go    a Handler that keeps all lexemes
//	damage.go      recovery after a fault, and the end of the message
package lex
