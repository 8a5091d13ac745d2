package lex

import (
	"github.com/callwire/callwire/internal/lexeme"
)

// Handler receives the lexemes of a message in order, each as soon as it is certain.
//
//	message  = { Text | Doubt | Section | Reasoning { Reasoning } | call }
//	call     = Open [ Foreign ] [ [ ID ] Name { Stray } body ] ( CloseCall | Damaged )
//	body     = { argument } [ End ] | object | String { String }
//	argument = ( Path | Key ) value
//	value    = Word | String { String } | array | object
//	array    = Begin { value } End
//	object   = Begin { Key value } End
//
// XML is pushed as it is written. A tag is a Key and a Begin, with the offset of the content, and
// text is a String. Only a Handler that is also a [Schema] can make values of these:
//
//	body     = { element } End
//	element  = Key Begin { String | element } End
//
// An object directly after the name is the arguments. A string there is their JSON text.
// A Fault can come anywhere after Open; the call then ends with Damaged, or with CloseCall if the
// fault does not change where the call ends. A Stray can also come in the body.
//
// Byte slices are valid until the method returns, except that those of Text, Reasoning, Section,
// CloseCall and Damaged are valid until the next Write. Offsets count bytes from the start of the
// message. From at to end, an ID, a Stray and a Name are as they are written, with escapes; a Stray
// also with quotes.
type Handler interface {
	// Text is a piece of text outside calls.
	Text(b []byte)

	// Doubt reports that the text before it may have been meant as a call. Later calls count as
	// read after a malformed one.
	Doubt()

	// Reasoning is a piece of reasoning: its opening tag (First), its closing tag (Last), or
	// text between them. A tag is empty if the message does not contain it.
	Reasoning(b []byte, f Flags)

	// Section is a tag around several calls.
	Section(b []byte)

	// Open begins a call whose opener is at offset at. S is the syntax of its format.
	Open(at int, s *Syntax)

	// Foreign reports that the call that has begun is in another format from offset at on. If it
	// turns out to be malformed, that is its fault; without a code, the opener is missing.
	// If lineStart is true, the call begins a line.
	Foreign(code Code, at int, lineStart bool)

	// ID is the ID that the format gives the call.
	ID(b []byte, at, end int)

	// Stray is the key of a member beside the name and the arguments. If it is the key of an
	// argument, the call is malformed.
	Stray(b []byte, at, end int)

	// Name is the name of the tool.
	Name(b []byte, at, end int)

	// Offer offers b, the rest of the window, where a name, an argument, an element or a member
	// begins. The Handler may read plain ones from it, with the single spaces or commas between
	// them, and returns how many bytes it read. These end with the name, before a space, if ended
	// is AfterName; with a value if it is AfterValue; otherwise with the equals sign or colon
	// before a value, and ended is the number of dots in the path. The Lexer pushes what the
	// Handler leaves, so returning 0 is always correct.
	Offer(b []byte, at int) (n, ended int)

	// Path begins an argument. Its path consists of keys separated by dots.
	Path(b []byte, at, dots int)

	// Key begins a member of the innermost object. Outside of objects it begins the argument
	// with exactly that key, dots included. The key is quoted if the flags contain First.
	Key(b []byte, f Flags, at int)

	// Word is a bare value.
	Word(b []byte, at int)

	// String is a piece of a string, without its quotes and cut between characters and
	// escapes. First and Last mark the outer pieces. The offset is that of the opening quote.
	String(b []byte, f Flags, at int)

	// Begin begins an object or array.
	Begin(object bool, at int)

	// End ends the innermost object or array; source is its text, brackets included. An End
	// without a Begin ends the arguments.
	End(at int, source []byte)

	// CloseCall ends a call whose closing tag is b[at:end] of the message b; source is its text.
	CloseCall(at, end int, source []byte)

	// Fault reports that the call is malformed at offset at.
	Fault(code Code, at int)

	// Damaged ends a malformed call at offset end. Closed reports whether it has a closing
	// tag. Source is its text, cut at the limit on the bytes of a call.
	Damaged(end int, closed bool, source []byte)
}

// What an Offer ended with instead of the path of an argument.
const (
	AfterValue = -1
	AfterName  = -2
)

// Flags record what a lexeme contains, which saves a second look.
type Flags uint16

// The flags. Those that package lexeme also has are equal.
const (
	Escaped  = Flags(lexeme.Escaped)  // string, key: contains a backslash
	Control  = Flags(lexeme.Control)  // string, key: contains a control character
	Literal  = Flags(lexeme.Literal)  // string, key: contains a backslash that begins no escape
	QuoteEsc = Flags(lexeme.QuoteEsc) // string, key: contains an escaped quote

	First     = Flags(1 << 8)  // string: first piece; key: quoted
	Last      = Flags(1 << 9)  // string: last piece
	Single    = Flags(1 << 10) // string, key: in single quotes
	Raw       = Flags(1 << 11) // string: text without quotes and escapes
	Ambiguous = Flags(1 << 12) // raw string: has what looks like a mark; block: ends in a comment
	Entities  = Flags(1 << 13) // raw string: it may contain XML entities
)
