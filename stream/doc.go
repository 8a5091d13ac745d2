// Package stream reads the tool calls in a message while it arrives:
//
//	for e, err := range stream.Events(catalog, response.Body, nil) {
//		if err != nil {
//			return err
//		}
//		switch e.Type {
//		case stream.TextDelta:
//			os.Stdout.Write(e.Delta)
//		case stream.Call:
//			run(e.Call.Name, e.Call.Input)
//		case stream.Malformed:
//			tell(e.Err)
//		}
//	}
//
// A [Decoder] does the same for chunks that are written to it. Package parse has the options, and
// reads messages that are complete.
//
// # How a chunk is read
//
//	Decoder.Write             cuts the chunk into pieces of at most 64 KiB
//	├ engine.Parser.Feed      begins a list of events; if the piece ends inside a call, it adds
//	│ │                       the input that is final
//	│ └ lex.Lexer             finds where text ends and a call begins, and pushes lexemes: text,
//	│   │                     names, keys, words, pieces of strings, the end of the call
//	│   └ engine.Assembler    finds the tool, types values by its schema, writes JSON into one
//	│                         buffer, and collects events: at the end of a call, the rest of the
//	│                         input and the call
//	├ your function           receives the events, with copies of what belongs to you
//	└ engine.Parser.Drop      drops the events, which refer to the chunk
//
// Packages lex and engine are internal.
//
// Most calls take one pass over their arguments: the lexer offers the rest of the chunk to the
// assembler, which takes declared arguments with plain values straight from it. Everything else it
// receives as lexemes.
//
// # Guarantees
//
// The events are the same wherever the message is cut, except that text and input may arrive in
// more deltas. Deltas are never retracted, and those of a call concatenate to its input. A call is
// emitted with its last byte, unless its closing tag may follow: with Repair, a function without
// its opener waits for what comes next. What cannot begin a tag is not held back; in formats whose
// tags are named after tools, text after such a tag waits for the end tag, up to the next call, and
// for at most 4 KiB if the tag is inside a line. Memory is bounded by the limits, and the work is
// linear in the message.
//
// Act only on [Call]: a call whose input has begun to arrive may still turn out to be malformed.
package stream
