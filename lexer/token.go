package lexer

// Kind is the kind of a [Token].
type Kind uint8

// The kinds. Pieces: Text, Space, String and Damage can be split over several
// tokens where a chunk ends.
const (
	Text        Kind = iota // prose outside calls
	Open                    // the opener and the whitespace after it
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
	Pair                    // Space, Key, Equals and a whole Bare or String in one; see Token.Split
	Damage                  // bytes of a malformed call behind its last good token
	Cut                     // empty: a malformed span ends without a close tag
)

var kindNames = [...]string{
	"Text", "Open", "Name", "Space", "Key", "Dot", "Equals", "Bare", "String",
	"ArrayOpen", "ArrayClose", "ObjectOpen", "ObjectClose", "Comma", "Colon",
	"Close", "Fault", "Pair", "Damage", "Cut",
}

// String returns the name of the constant.
func (k Kind) String() string { return kindNames[k] }

// Flags say what was noticed while a lexeme was read, so that nobody has to
// read it again.
type Flags uint8

// The flags of String and Bare tokens.
const (
	First     Flags = 1 << iota // String: begins with the opening quote
	Last                        // String: ends with the closing quote
	MemberKey                   // String: a quoted key of an object
	Escaped                     // String: holds a backslash
	Control                     // String: holds a control character below U+0020
	Literal                     // String: holds a backslash that begins no escape
	QuoteEsc                    // String: holds an escaped quote
	Opened                      // Bare: holds quotes that look like a lost beginning (open-quote)
)

// The flags of a Pair are those of its value; First and Last are set for a
// String, none for a Bare. The bytes of a Bare there are printable ASCII without
// quotes and backslashes.

// Token is a span of input. Offsets count bytes from the beginning of the
// input, over all chunks.
type Token struct {
	Start, End int
	key, value int32 // of a Pair: where its key and its value begin, counted from Start
	Kind       Kind
	Flags      Flags
}

// KeySpan returns the span of the key of a Pair.
func (t *Token) KeySpan() (start, end int) { return t.Start + int(t.key), t.Start + int(t.value) - 1 }

// ValueSpan returns the span of the value of a Pair, quotes included.
func (t *Token) ValueSpan() (start, end int) { return t.Start + int(t.value), t.End }

// Split returns the four tokens that a Pair stands for. Nearly all arguments are
// one key and a scalar, and reading them as one token saves a quarter of the
// time of a call; which arguments come as a Pair depends on the chunks, what
// they split into does not.
func (t Token) Split() [4]Token {
	key, value := t.Start+int(t.key), t.Start+int(t.value)
	kind := Bare
	if t.Flags&First != 0 {
		kind = String
	}
	return [4]Token{
		{Start: t.Start, End: key, Kind: Space},
		{Start: key, End: value - 1, Kind: Key},
		{Start: value - 1, End: value, Kind: Equals},
		{Start: value, End: t.End, Kind: kind, Flags: t.Flags},
	}
}

// Singles returns toks with each Pair split, in memory of its own: the form that
// is the same under every chunking, but for where pieces end.
func Singles(toks []Token) []Token {
	out := make([]Token, 0, len(toks))
	for _, t := range toks {
		if t.Kind == Pair {
			s := t.Split()
			out = append(out, s[:]...)
		} else {
			out = append(out, t)
		}
	}
	return out
}
