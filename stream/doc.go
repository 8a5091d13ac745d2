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
// A Decoder writes each chunk to a lexer, which splits it into lexemes: text, names, keys, words,
// pieces of strings. The lexer pushes them to an assembler, which types values by the schema,
// writes JSON into one buffer, and collects events. The Decoder emits these, with copies of what
// belongs to the caller. Plain arguments take one pass: the lexer offers the rest of the chunk to
// the assembler, which takes declared arguments with plain values.
//
// # Guarantees
//
// The events are the same wherever the message is cut, except that text and input may arrive in
// more deltas. Deltas are never retracted, and those of a call concatenate to its input. A call is
// emitted with its last byte. What cannot begin a tag is not held back. Memory is bounded by the
// limits, and the work is linear in the message.
//
// Nothing should be done before [Call]: a call whose input has begun to arrive may still turn out
// to be malformed.
package stream
