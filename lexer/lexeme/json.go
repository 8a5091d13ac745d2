package lexeme

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// JSON as RFC 8259 defines it, with nothing from the wire format: no other whitespace,
// no other escapes.

// IsSpace reports whether c is JSON whitespace. Whitespace in a call has the class
// Space.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// SkipSpace returns the index of the first byte of w, from i on, that is not JSON
// whitespace, or len(w).
func SkipSpace(w []byte, i int) int {
	for i < len(w) && IsSpace(w[i]) {
		i++
	}
	return i
}

// Fault says what is wrong with a JSON text.
type Fault uint8

// The faults.
const (
	NoFault  Fault = iota
	NotJSON        // the text is not JSON
	TooDeep        // arrays and objects nest deeper than allowed
	NotUTF8        // a string is not valid UTF-8
	Unpaired       // a surrogate escape without its partner
)

// Scanner reads JSON text token by token, in one pass and without recursion. It does
// not look for repeated keys.
type Scanner struct {
	Text     []byte
	Depth    int  // how deep arrays and objects may nest
	Unpaired bool // a surrogate escape without its partner is literal text, not a fault

	i     int
	nest  []byte
	after byte // the last token: 0 for none, v for a value, a comma, a colon or an opening bracket
	fault Fault
	at    int
}

// JSONToken is a token of JSON text: kind is one of { } [ ] for brackets, k for
// a key, s for a string, l for null, true, false or a number, and 0 at the end
// or at a fault.
type JSONToken struct {
	Kind       byte
	Start, End int  // offsets in the text
	Escaped    bool // a key or string that holds a backslash
}

// Reset makes s read text from its beginning, and keeps its buffer.
func (s *Scanner) Reset(text []byte) {
	*s = Scanner{Text: text, Depth: s.Depth, Unpaired: s.Unpaired, nest: s.nest[:0]}
}

// Leap says that the array or object whose bracket was read last ends at offset end.
func (s *Scanner) Leap(end int) {
	s.i = end - 1
	s.closing(0)
}

// Content returns the text of a key or string between its quotes.
func (s *Scanner) Content(t JSONToken) []byte { return s.Text[t.Start+1 : t.End-1] }

// AppendUnquoted appends the text of a key or string. A surrogate escape without its
// partner stands for itself.
func (s *Scanner) AppendUnquoted(dst []byte, t JSONToken) []byte {
	content := s.Text[t.Start+1 : t.End-1]
	if !t.Escaped {
		return append(dst, content...)
	}
	return AppendJSONUnquoted(dst, content, -1)
}

// Offset returns how many bytes of the text were read.
func (s *Scanner) Offset() int { return s.i }

// Nesting returns how many arrays and objects are open.
func (s *Scanner) Nesting() int { return len(s.nest) }

// Fault returns the fault, and its offset in the text.
func (s *Scanner) Fault() (Fault, int) { return s.fault, s.at }

// Next returns the next token.
func (s *Scanner) Next() JSONToken {
	for {
		s.i = SkipSpace(s.Text, s.i)
		if s.i == len(s.Text) {
			if s.after != 'v' || len(s.nest) > 0 {
				return s.fail(NotJSON, s.i)
			}
			return JSONToken{}
		}
		c := s.Text[s.i]
		if s.after == 'v' {
			switch {
			case len(s.nest) == 0:
				return s.fail(NotJSON, s.i)
			case c == ',':
				s.after = ','
				s.i++
				continue
			case c == s.nest[len(s.nest)-1]+2:
				return s.closing(c)
			}
			return s.fail(NotJSON, s.i)
		}
		inObject := len(s.nest) > 0 && s.nest[len(s.nest)-1] == '{' && s.after != ':'
		switch {
		case inObject && c == '"':
			t := s.quoted('k')
			if t.Kind == 0 {
				return t
			}
			s.i = SkipSpace(s.Text, s.i)
			if s.i == len(s.Text) || s.Text[s.i] != ':' {
				return s.fail(NotJSON, s.i)
			}
			s.i++
			s.after = ':'
			return t
		case s.after != ',' && (inObject && c == '}' || s.after == '[' && c == ']'):
			return s.closing(c)
		case inObject:
			return s.fail(NotJSON, s.i)
		case c == '"':
			s.after = 'v'
			return s.quoted('s')
		case c == '[' || c == '{':
			if len(s.nest) >= s.Depth {
				return s.fail(TooDeep, s.i)
			}
			s.nest = append(s.nest, c)
			s.after = c
			s.i++
			return JSONToken{Kind: c, Start: s.i - 1, End: s.i}
		}
		start := s.i
		for s.i < len(s.Text) && !IsSpace(s.Text[s.i]) && s.Text[s.i] != ',' && s.Text[s.i] != ']' && s.Text[s.i] != '}' {
			s.i++
		}
		if LiteralOf(s.Text[start:s.i]) == 0 {
			return s.fail(NotJSON, start)
		}
		s.after = 'v'
		return JSONToken{Kind: 'l', Start: start, End: s.i}
	}
}

func (s *Scanner) closing(c byte) JSONToken {
	s.nest = s.nest[:len(s.nest)-1]
	s.after = 'v'
	s.i++
	return JSONToken{Kind: c, Start: s.i - 1, End: s.i}
}

func (s *Scanner) fail(f Fault, at int) JSONToken {
	s.fault, s.at = f, at
	s.i = len(s.Text)
	return JSONToken{}
}

// quoted reads the string at s.i.
func (s *Scanner) quoted(kind byte) JSONToken {
	n, escaped, fault := ConsumeJSONString(s.Text[s.i:], s.Unpaired)
	if fault != NoFault {
		return s.fail(fault, s.i+n)
	}
	s.i += n
	return JSONToken{Kind: kind, Start: s.i - n, End: s.i, Escaped: escaped}
}

// ConsumeJSONString returns the length of the JSON string that b begins with, and
// whether it holds a backslash. If there is a fault, the length is its index.
// With unpaired, a surrogate escape without its partner is not a fault.
func ConsumeJSONString(b []byte, unpaired bool) (n int, escaped bool, fault Fault) {
	high := false
	for i := 1; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			if high && !utf8.Valid(b[:i]) {
				return validPrefix(b[:i]), escaped, NotUTF8
			}
			return i + 1, escaped, NoFault
		case c == '\\':
			r, n := jsonEscape(b[i:])
			switch {
			case n == 0:
				return i, true, NotJSON
			case r < 0 && !unpaired:
				return i, true, Unpaired
			}
			escaped = true
			i += n
		case c < ' ':
			return i, escaped, NotJSON
		default:
			high = high || c >= utf8.RuneSelf
			i++
		}
	}
	return len(b), escaped, NotJSON
}

// validPrefix returns the length of the longest prefix of b that is valid UTF-8.
func validPrefix(b []byte) (n int) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return n
}

// jsonEscapes says what the byte after a backslash means in JSON, except for \u.
var jsonEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// jsonEscape returns the rune that the escape at the beginning of b means, and
// its length in bytes: 0 if it is not an escape. The rune is -1 for a surrogate without
// its partner.
func jsonEscape(b []byte) (r rune, n int) {
	if len(b) < 2 {
		return 0, 0
	}
	if c := jsonEscapes[b[1]]; c != 0 {
		return rune(c), 2
	}
	r, n = hex4(b)
	switch {
	case n < 6:
		return 0, 0
	case r < 0xd800 || r > 0xdfff:
		return r, 6
	case r >= 0xdc00:
		return -1, 6
	}
	if low, n := hex4(b[6:]); n < 6 || low < 0xdc00 || low > 0xdfff {
		return -1, 6
	}
	return runeOf(b[:12]), 12
}

// AppendJSONUnquoted appends the text of a valid JSON string, given without its quotes.
// A surrogate escape without its partner becomes lone, or stands for itself if lone is
// negative.
func AppendJSONUnquoted(dst, content []byte, lone rune) []byte {
	for len(content) > 0 {
		n := bytes.IndexByte(content, '\\')
		if n < 0 {
			return append(dst, content...)
		}
		dst = append(dst, content[:n]...)
		content = content[n:]
		r, n := jsonEscape(content)
		if n == 0 { // content is cut
			return append(dst, content...)
		}
		if r < 0 {
			r = lone
		}
		if r < 0 {
			dst = append(dst, content[:n]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		content = content[n:]
	}
	return dst
}

// JSON strings are written with the fewest escapes: only those that RFC 8259 requires,
// in the short form if there is one.

// plainInJSON marks the bytes that stand for themselves in a JSON string.
var plainInJSON = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

// appendByte appends the ASCII byte c, escaped if JSON requires it.
func appendByte(dst []byte, c byte) []byte {
	if plainInJSON[c] {
		return append(dst, c)
	}
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return appendHex(dst, c)
}

// AppendText appends text as the inside of a JSON string. Invalid UTF-8 is copied as it
// is.
func AppendText(dst, text []byte) []byte {
	for {
		i := plainLen(text)
		dst = append(dst, text[:i]...)
		if i == len(text) {
			return dst
		}
		dst = appendByte(dst, text[i])
		text = text[i+1:]
	}
}

// AppendQuoted appends text as a JSON string.
func AppendQuoted[T ~string | ~[]byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	dst = AppendText(dst, []byte(text))
	return append(dst, '"')
}

// plainLen returns how many bytes b begins with that stand for themselves in
// a JSON string.
func plainLen(b []byte) int {
	const swap = '"' ^ ' '
	for i := 0; i < len(b); i += 8 {
		x := load(b, i)
		if stop := below(x^swap*ones, ' '+1) | equal(x, '\\'); stop != 0 {
			return min(i+bits.TrailingZeros64(stop)/8, len(b))
		}
	}
	return len(b)
}

// LiteralOf returns which JSON literal b is: n for null, b for true and false, 0
// for a number; 0 as a byte if it is none of these.
func LiteralOf(b []byte) byte {
	if len(b) > 0 && BeginsLiteral[b[0]] {
		return literalOf(b)
	}
	return 0
}

// BeginsLiteral marks the bytes with which a literal can begin. It is never changed.
var BeginsLiteral = [256]bool{
	'n': true, 't': true, 'f': true, '-': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
}

func literalOf(b []byte) byte {
	switch b[0] {
	case 'n':
		if string(b) == "null" {
			return 'n'
		}
	case 't':
		if string(b) == "true" {
			return 'b'
		}
	case 'f':
		if string(b) == "false" {
			return 'b'
		}
	default:
		if IsNumber(b) {
			return '0'
		}
	}
	return 0
}
