package lexer

// class is a set of roles that a byte can play. Classes are decided byte by
// byte; every byte from 0x80 up is a name, key and bare byte.
type class uint16

const (
	isNameStart class = 1 << iota
	isName
	isKey         // in a path
	isSpace       // space, tab, LF, CR
	endsWord      // a bare word needs a look here: whitespace, a quote, a tag's first byte
	endsItem      // the same for a bare item
	stopsSkip     // recovery needs a look here: a quote, a tag's first byte
	beginsTag     // the first byte of a tag
	isHigh        // from 0x80 up: UTF-8 is to be checked
	plainName     // a name byte below 0x80
	plainKey      // a key byte below 0x80
	plainWord     // below 0x80, and a bare word goes on that JSON writes without escapes
	plainItem     // the same for a bare item, but for brackets
	inertInString // printable ASCII but for quotes and the backslash
)

// classes is the table for the default tags.
var classes = classTable(defaultDelims)

// classTable returns the table for d. The first byte of a tag has no other role
// there but that of whitespace's end: a look decides whether it is a tag, and
// where it is none, the default table says what it is.
func classTable(d Delims) *[256]class {
	t := new([256]class)
	for i := range t {
		c := byte(i)
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' || c == '@' || c >= 0x80
		if letter {
			t[c] |= isNameStart
		}
		if c >= 0x80 {
			t[c] |= isHigh
		}
		if c >= ' ' && c < 0x7f && c != '"' && c != '\'' && c != '\\' {
			t[c] |= inertInString
		}
		if letter || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '/' || c == ':' {
			t[c] |= isName
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			t[c] |= isSpace | endsWord
		case '"', '\'':
			t[c] |= endsWord | endsItem | stopsSkip
		}
		switch c {
		case ',', ']', '}', '\n', '\r':
			t[c] |= endsItem
		}
		switch {
		case c <= ' ' || c == 0x7f:
		case c == '=' || c == '.' || c == '<' || c == '>' || c == '"' || c == '\'' ||
			c == '[' || c == ']' || c == '{' || c == '}' || c == ',':
		default:
			t[c] |= isKey
		}
	}
	for _, c := range [...]byte{d.Open[0], d.Close[0]} {
		t[c] = t[c]&inertInString | beginsTag | endsWord | endsItem | stopsSkip
	}
	for c := range t[:0x80] {
		if t[c]&isName != 0 {
			t[c] |= plainName
		}
		if t[c]&isKey != 0 {
			t[c] |= plainKey
		}
		if t[c]&endsWord == 0 && c >= ' ' && c != '\\' {
			t[c] |= plainWord
			if t[c]&endsItem == 0 && c != '[' && c != '{' {
				t[c] |= plainItem
			}
		}
	}
	return t
}

// introduces reports whether c is punctuation after which a value is quoted.
func introduces(c byte) bool {
	switch c {
	case '=', '[', '{', '(', ',', ':':
		return true
	}
	return false
}

// IsName reports whether b can be the name of a tool: not empty, and begun and
// continued by the bytes that rule body.name lists. Length and UTF-8 are judged
// elsewhere.
func IsName(b []byte) bool {
	if len(b) == 0 || classes[b[0]]&isNameStart == 0 {
		return false
	}
	for _, c := range b {
		if classes[c]&isName == 0 {
			return false
		}
	}
	return true
}

// IsKey reports whether b can be one segment of a path: not empty, and made of
// the bytes that rule body.path lists.
func IsKey(b []byte) bool {
	for _, c := range b {
		if classes[c]&isKey == 0 {
			return false
		}
	}
	return len(b) > 0
}
