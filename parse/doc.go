// Package parse reads the tool calls in a message, and writes calls:
//
//	catalog, err := sig.Compile(tools)
//	if err != nil {
//		return err
//	}
//	segments, err := parse.Message(catalog, reply, nil)
//	if err != nil {
//		return err
//	}
//	for _, s := range segments {
//		switch {
//		case s.Call != nil:
//			run(s.Call.Name, s.Call.Input) // JSON arguments, typed by the catalog
//		case s.Err != nil:
//			tell(s.Err) // a malformed call, and how to write it right
//		default:
//			fmt.Print(s.Text)
//		}
//	}
//
// Package stream reads a message while it arrives, and shows how a chunk is read. [Message] takes
// the same path, with the message as one chunk.
//
// # Terminology
//
// A message consists of segments: text, reasoning, calls, malformed calls, and the tags around
// several calls. A call is malformed if it breaks the rules of its [Format], names no tool of the
// catalog, or is not to be executed; it ends where its damage ends. An [Issue] is something in a
// good call that does not fit the schema of the tool.
//
// # Guarantees
//
// No message causes a panic. The segments tile the message. Calls after a malformed call are still
// found, except in text that may belong to an unterminated value. A call that is cut off is never
// delivered. Numbers keep their digits. The work is linear in the message, and the [Options] bound
// what a call may contain. What a function returns belongs to the caller.
//
// # Safety
//
// The zero Options refuse every call that may not be meant: calls after a malformed one, calls in
// Markdown code, and calls without a closing tag at the end of the message. A nil catalog has no
// tools, so every call is malformed; pass [sig.AnyTool] to read calls of unknown tools.
package parse
