// Package lexer splits model output into the tokens of the wire format, at any
// chunking, without copying prose and without going back.
//
// # Terminology
//
// A chunk is a piece of input as it arrives. A token is a span of input with a
// kind; the spans of all tokens tile the input. A lexeme is the text of a
// token. A tag is the opener or the close tag of a call. Damage is what lies
// between the first byte that no valid call can have and the end of the
// malformed span.
//
// # Call sequence
//
//	lexing = { Feed { Tokens } } Close { Tokens }
//
// Feed lends the lexer a chunk; Tokens returns tokens until it returns none;
// the chunk is then no longer needed. Close says that the input has ended, and
// Tokens returns the last ones.
//
//	input     = { Text | call }
//	call      = Open Name { Space | argument | json } ( Close | fault )
//	argument  = Key { Dot Key } Equals value
//	value     = String | Bare | array | object
//	fault     = Fault { Damage } ( Close | Cut )
//
// Text, Space, String and Damage may come in pieces where a chunk ends; pieces
// of a string never end inside a rune or an escape. A fault can follow any
// token of a call. Cut ends a malformed span that has no close tag: at the
// opener of the next call, or at the end of input.
//
// # From a chunk to a token
//
// A chunk becomes the window. Tokens reads it state by state: each state hands the
// window to the reader of its lexeme in package lexeme, which stops at the end of
// the lexeme or of the window. If the window ends first, the next chunk enters the
// same reader where it stopped. While a call is open, its bytes are kept in a buffer,
// to which Feed appends short chunks. If a name, key or bare word goes on through all
// of such a chunk, Feed reads it, and Tokens has nothing to do.
//
// At the places that Peek names, a caller may read on its own and report with Discard
// how far it came: package parse takes text, names, whole arguments and the inside of
// strings that way. No token holds what it takes; the tokens around it are the same.
//
// # Work and memory
//
// Each byte is looked at a bounded number of times, whatever the chunks (see
// [Lexer.Steps]). From the opener on, the bytes of a call are kept until it
// ends, so that a malformed one can be shown whole: up to [Limits.Bytes].
//
// # Security
//
// Framing is decided here and nowhere else, and never by a catalog. A close
// tag inside a quoted string closes nothing, and after an error the lexer stays
// inside an open string rather than see a call there.
package lexer
