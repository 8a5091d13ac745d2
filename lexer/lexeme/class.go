package lexeme

import "strings"

// Class is a set of roles that a byte can play. Classes are decided byte by
// byte; every byte from 0x80 up is a name, key and bare byte.
type Class uint16

// The roles.
const (
	NameStart Class = 1 << iota // a name begins with it
	Name                        // a name goes on with it
	Key                         // a key of a path consists of it
	Space                       // whitespace: space, tab, LF, CR
	EndsWord                    // a bare word stops here for a closer look: whitespace, a quote, a tag's first byte
	EndsItem                    // the same for a bare item
	StopsSkip                   // recovery needs a look here: a quote, a tag's first byte
	BeginsTag                   // the first byte of a tag
	PlainWord                   // below 0x80, and a bare word goes on that JSON writes without escapes
	PlainItem                   // the same for a bare item
	Equals                      // =
	Comma                       // ,
	Dubious                     // a bare word that has it may mean something else
)

// Whitespace is what may stand between the parts of a call.
const Whitespace = " \t\n\r"

// Classes is the class of each byte. It is never changed.
type Classes [256]Class

// classes is the table for tags that begin with <.
var classes = newClasses('<', '<')

// ClassOf returns the roles of c if no tag begins with it.
func ClassOf(c byte) Class { return untagged[c] }

// untagged is the table without tags.
var untagged = newClasses(0, 0)

// newClasses returns the table for tags that begin with these bytes. There they have no
// other role: the lexer checks whether a tag begins, and if not, asks ClassOf what the
// byte is.
func newClasses(open, close byte) *Classes {
	t := new(Classes)
	for i := range t {
		c := byte(i)
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' || c == '@' || c >= 0x80
		if letter {
			t[c] |= NameStart
		}
		if letter || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '/' || c == ':' {
			t[c] |= Name
		}
		switch c {
		case '"', '\'':
			t[c] |= EndsWord | EndsItem | StopsSkip
		}
		if strings.IndexByte(Whitespace, c) >= 0 {
			t[c] |= Space | EndsWord
		}
		switch c {
		case ',', ']', '}', '\n', '\r':
			t[c] |= EndsItem
		}
		switch {
		case t[c]&Space != 0 || c < ' ' || c == 0x7f:
		case c == '=' || c == '.' || c == '<' || c == '>' || c == '"' || c == '\'' ||
			c == '[' || c == ']' || c == '{' || c == '}' || c == ',':
		default:
			t[c] |= Key
		}
	}
	t['='] |= Equals
	t[','] |= Comma
	for _, c := range []byte("=,;>`&") {
		t[c] |= Dubious
	}
	for _, c := range [...]byte{open, close} {
		if c != 0 {
			t[c] = BeginsTag | EndsWord | EndsItem | StopsSkip
		}
	}
	for c := range t[:0x80] {
		if t[c]&EndsWord == 0 && c >= ' ' && c != '\\' {
			t[c] |= PlainWord
		}
		if t[c]&PlainWord != 0 && t[c]&EndsItem == 0 && c != '[' && c != '{' {
			t[c] |= PlainItem
		}
	}
	return t
}

// Introduces reports whether c is punctuation after which a value is quoted.
func Introduces(c byte) bool {
	switch c {
	case '=', '[', '{', '(', ',', ':':
		return true
	}
	return false
}
