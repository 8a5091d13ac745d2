// Package lex splits a message into lexemes and pushes them to a [Handler]. Package engine, which
// makes events of them, is one; package lexer shows them to users:
//
//	syntax, err := lex.Compile(lex.Config{Limits: limits})
//	l := new(lex.Lexer).Init(handler, syntax)
//	l.Write([]byte(`Let me check. <call>getWeather loc`))
//	l.Write([]byte(`ation="New York"</call>`))
//	l.Close(false) // not aborted
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
// and runs the states. A call of the wire format in one chunk takes one turn:
//
//	Write
//	└ run
//	  └ readText         pushes the text before the opener
//	    ├ enter          begins the call
//	    ├ openCall       Handler.Open
//	    └ readName
//	      └ offer        Handler.Offer: the name and plain arguments
//	        └ closeCall  the closing tag is next
//	          └ finish   Handler.CloseCall
//
// What the Handler leaves, the states read and push: readName, readBetweenArguments, which offers
// the rest of the window again, readPath, readValue and readAfterValue. Where the bytes of the next
// state are at hand, a method calls the method of that state.
//
// # Files
//
//	lexer.go      the Lexer, its states and their loop, and the input that is being read
//	syntax.go     a format, compiled
//	handler.go    what the Lexer pushes
//	recorder.go   a Handler that keeps all lexemes
//	code.go       faults and limits
//	call.go       the state of a call
//
//	text.go       text, and the end of a call
//	openers.go    where a call begins, also one in another format
//	near.go       tags that are almost an opener
//	reasoning.go  regions of reasoning
//	damage.go     a malformed call, from its fault to its end
//	end.go        the end of the message, and of a function without an opener
//
//	arguments.go  bodies of the wire format
//	parameters.go bodies with marks around each parameter; their text is in tagged.go
//	envelope.go   JSON envelopes with a name and arguments
//	tooltags.go   calls in a tag that is named after a tool
//	elements.go   XML in such a tag
//	block.go      YAML in such a tag; layout.go finds the tags that are text in it
//
//	string.go     quoted strings
//	brackets.go   arrays and objects
package lex
