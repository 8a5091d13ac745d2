package lexer

import (
	"strconv"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Kind is the kind of a [Token].
type Kind uint8

// The kinds. Pieces: Text, Space, String and Damage can be split over several
// tokens where a chunk ends.
const (
	Text        Kind = iota // prose outside calls
	Open                    // the opener and the whitespace after it; empty where the call is malformed as such
	Name                    // the tool's name
	Space                   // whitespace between the parts of a call
	Key                     // a segment of a path, or a bare key of an object
	Dot                     // . between segments
	Equals                  // = before a value
	Bare                    // a bare word or a bare item; empty for nothing after =
	String                  // a quoted string or a piece of one, quotes included
	ArrayOpen               // [
	ArrayClose              // ]
	ObjectOpen              // {
	ObjectClose             // }
	Comma                   // ,
	Colon                   // :
	Close                   // the close tag; empty where a call was accepted at the end of input
	Fault                   // empty: the call is malformed; see Lexer.Fault
	Damage                  // bytes of a malformed call after its last good token
	Cut                     // empty: a malformed span ends without a close tag

	ThoughtOpen  // the tag that begins reasoning
	Thought      // reasoning, or a piece of it
	ThoughtClose // the tag that ends it
)

var kindNames = [...]string{
	"Text", "Open", "Name", "Space", "Key", "Dot", "Equals", "Bare", "String",
	"ArrayOpen", "ArrayClose", "ObjectOpen", "ObjectClose", "Comma", "Colon",
	"Close", "Fault", "Damage", "Cut",
	"ThoughtOpen", "Thought", "ThoughtClose",
}

// String returns the name of the constant.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Flags say what was noticed while a lexeme was read, so nobody has to read it again.
type Flags = lexeme.Flags

// The flags of String and Bare tokens: see the constants of package lexeme.
const (
	First     = lexeme.First
	Last      = lexeme.Last
	MemberKey = lexeme.MemberKey
	Escaped   = lexeme.Escaped
	Control   = lexeme.Control
	Literal   = lexeme.Literal
	QuoteEsc  = lexeme.QuoteEsc
	Opened    = lexeme.Opened
)

// Token is a span of input. Offsets count bytes from the beginning of the
// input, over all chunks.
type Token struct {
	Start, End int
	Kind       Kind
	Flags      Flags
}
