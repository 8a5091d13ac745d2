package lexer

import "github.com/callwire/callwire/internal/next/lexeme"

// Config configures a Lexer. The zero Config reads the wire format with the default limits.
type Config struct {
	Format      *Format // nil means Wire
	Limits      Limits
	AcceptAtEnd bool // accept a complete body at the end of the message without a closing tag
	NoFastPath  bool // never call Handler.Offer
}

// Format describes how calls are written: their tags, and the kind of body between them.
type Format struct {
	Open, Close string
	Body        Body

	// A call begins only if one of Begins follows the opener. The first one begins a valid
	// body. The others are common mistakes, which make the call malformed. The wire format
	// has none, because a name begins its body.
	Begins []string

	Function, Parameter Marks // of Parameters
}

// Marks enclose a tagged text: Open, a word, >, the text, Close.
type Marks struct{ Open, Close string }

// Body is a kind of body.
type Body uint8

// The kinds of body.
const (
	Arguments  Body = iota // name key=value
	Envelope               // a JSON object that contains the name and the arguments
	Parameters             // parameters without quotes, between marks
)

// The formats.
var (
	Wire   = Format{Open: "<call>", Close: "</call>"}
	Hermes = Format{
		Open: "<tool_call>", Close: "</tool_call>", Body: Envelope,
		Begins: []string{"{", "[", "<function=", `<function name="`},
	}
	Qwen = Format{
		Open: "<tool_call>", Close: "</tool_call>", Body: Parameters,
		Begins:    []string{"<function=", "{", "[", `<function name="`},
		Function:  Marks{"<function=", "</function>"},
		Parameter: Marks{"<parameter=", "</parameter>"},
	}
)

// Syntax is a compiled Config. It does not change, so any number of Lexers may share it.
type Syntax struct {
	format      *Format
	limits      Limits
	acceptAtEnd bool

	tags      lexeme.Tags
	offers    bool // Handler.Offer may be called
	nameFirst bool // a name directly after the opener begins a call
}

// Compile prepares a Config.
func Compile(c Config) *Syntax {
	s := &Syntax{format: c.Format, limits: c.Limits.OrDefault(), acceptAtEnd: c.AcceptAtEnd}
	if s.format == nil {
		s.format = &Wire
	}
	s.tags = lexeme.NewTags(s.format.Open, s.format.Close)
	s.offers = s.tags.Simple() && !c.NoFastPath
	s.nameFirst = s.format.Body == Arguments && len(s.tags.Open) < s.limits.Bytes
	return s
}

// Limits returns the limits, defaults filled in.
func (s *Syntax) Limits() Limits { return s.limits }

// ClosesAt reports whether the closing tag begins at w[i].
func (s *Syntax) ClosesAt(w []byte, i int) bool { return s.tags.ClosesAt(w, i) }

// matchAny reports which of marks begins at w[i]: OpenTag if one does, SomeTag if w ends
// inside what may become one.
func matchAny(w []byte, i int, marks ...string) lexeme.Tag {
	found := lexeme.NoTag
	for _, m := range marks {
		switch n := lexeme.MatchTag(w[i:], m); n {
		case len(m):
			return lexeme.OpenTag
		case len(w) - i:
			found = lexeme.SomeTag
		}
	}
	return found
}
