package relaxed

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// Scanner reads one JSON value token by token from a window of its text, which the
// caller moves. Between two calls of Next it keeps the open brackets, what may
// follow, and how far an incomplete token was looked at, but no byte of the text. The
// zero value reads RFC 8259 JSON of one level of nesting.
type Scanner struct {
	Allow  Allow
	Depth  int  // how deep arrays and objects may nest
	Pieces bool // a string that the window cuts is given out piece by piece
	Last   bool // the window ends where the text does

	Tolerated Allow // what was tolerated since it was last looked at, with the last token
	Steps     int   // bytes looked at

	nest    []byte
	after   byte // 0 nothing, v a value, k a key, a comma, a colon or an opening bracket
	quote   byte // of the string that is being read, 0 outside strings
	key     bool // it is a key
	given   bool // a piece of it was given out
	escaped bool // it holds a backslash
	look    int  // bytes of an incomplete token that were looked at
	code    lexer.Code
	at      int
}

// Token is a token of JSON text. Kind is one of { } [ ] for brackets, k for a key, s
// for a string or a piece of one, l for null, true, false or a number; 0 is none: the
// value has ended, it is at fault, or more of the text is needed.
type Token struct {
	Kind       byte
	Start, End int // indexes in the window: of strings and keys what stands between the quotes

	First, Last bool // of a string: the piece begins it, ends it
	Escaped     bool // of a string or key: it holds a backslash
	Quoted      bool // of a key: it stands in quotes
}

// Reset makes s read another value. The settings and the buffer are kept.
func (s *Scanner) Reset() {
	s.Tolerated, s.nest, s.after, s.quote, s.look, s.code = 0, s.nest[:0], 0, 0, 0, ""
}

// Nesting returns how many arrays and objects are open.
func (s *Scanner) Nesting() int { return len(s.nest) }

// Done reports whether the value has ended.
func (s *Scanner) Done() bool { return s.after == 'v' && len(s.nest) == 0 }

// AtMember reports whether a member of an object may begin next; first says that none
// stands before it, else a comma is due.
func (s *Scanner) AtMember() (first, ok bool) {
	n := len(s.nest) - 1
	if n < 0 || s.nest[n] != '{' || s.look > 0 || s.quote != 0 {
		return false, false
	}
	return s.after == '{', s.after == '{' || s.after == 'v'
}

// Skip says that the caller has read members of the object itself, and their commas.
func (s *Scanner) Skip() { s.after = 'v' }

// Enter says that the caller has read the brace of the object that the value is, and
// all up to the value of a member.
func (s *Scanner) Enter() { s.nest, s.after = append(s.nest[:0], '{'), ':' }

// Quote returns the quote of the string that is being read, 0 outside strings.
func (s *Scanner) Quote() byte { return s.quote }

// Look returns how many bytes of an incomplete token were looked at.
func (s *Scanner) Look() int { return s.look }

// Fault returns what is wrong with the text, "" if nothing is, and its index in the
// window of the last Next.
func (s *Scanner) Fault() (lexer.Code, int) { return s.code, s.at }

// Next reads the next token of the window w, from w[i] on. It returns the index from
// which the next call goes on; the bytes after it are needed again, those of an
// incomplete token included.
func (s *Scanner) Next(w []byte, i int) (t Token, n int) {
	switch {
	case s.code != "":
		return Token{}, i
	case s.quote != 0:
		return s.text(w, i)
	}
	for {
		if s.Done() {
			return Token{}, i
		}
		if s.look == 0 {
			from := i
			i = lexeme.SkipSpace(w, i)
			s.Steps += i - from
		}
		if i == len(w) {
			return Token{}, i
		}
		c := w[i]
		switch {
		case c == '/' && s.Allow&Comments != 0:
			j, more := s.comment(w, i)
			if more || s.code != "" {
				return Token{}, i
			}
			s.Tolerated |= Comments
			i = j
			continue
		case s.after == 'v':
			switch c {
			case ',':
				s.after = ','
				i++
				continue
			case s.closer():
				return s.close(i)
			}
			return s.fail(lexer.ExpectedComma, w, i)
		case s.after == 'k':
			if c != ':' {
				return s.fail(lexer.ExpectedColon, w, i)
			}
			s.after = ':'
			i++
			continue
		}
		inObject := len(s.nest) > 0 && s.after != ':' && s.nest[len(s.nest)-1] == '{'
		switch {
		case c == '"', c == '\'' && s.Allow&SingleQuotes != 0:
			if c == '\'' {
				s.Tolerated |= SingleQuotes
			}
			s.quote, s.key, s.given, s.escaped = c, inObject, false, false
			return s.text(w, i)
		case len(s.nest) > 0 && c == s.closer() && s.after != ':':
			switch {
			case s.after != ',':
			case s.Allow&TrailingCommas != 0:
				s.Tolerated |= TrailingCommas
			case inObject:
				return s.fail(lexer.ExpectedKey, w, i)
			default:
				return s.fail(lexer.ExpectedValue, w, i)
			}
			return s.close(i)
		case !inObject && (c == '{' || c == '['):
			if len(s.nest) >= max(s.Depth, 1) {
				s.code, s.at = lexer.TooDeep, i
				return Token{}, i
			}
			s.nest = append(s.nest, c)
			s.after = c
			s.Steps++
			return Token{Kind: c, Start: i, End: i + 1}, i + 1
		}
		return s.word(w, i, inObject)
	}
}

// word reads a literal, or a bare key.
func (s *Scanner) word(w []byte, i int, key bool) (t Token, n int) {
	end := i + s.look
	for end < len(w) && isWord(w[end], key) {
		end++
	}
	s.Steps += end - i - s.look + 1
	if end == len(w) && end > i && !s.Last && (!key || s.Allow&BareKeys != 0) {
		s.look = end - i
		return Token{}, i
	}
	s.look = 0
	text := w[i:end]
	switch {
	case key && (len(text) == 0 || s.Allow&BareKeys == 0):
		return s.fail(lexer.ExpectedKey, w, i)
	case key:
		if bad := lexeme.IllFormed(text); bad >= 0 {
			s.code, s.at = lexer.InvalidUTF8, i+bad
			return Token{}, i
		}
		s.Tolerated |= BareKeys
		s.after = 'k'
		return Token{Kind: 'k', Start: i, End: end}, end
	case lexeme.LiteralOf(text) != 0:
	case s.Allow&PythonLiterals != 0 && python(text) != "":
		s.Tolerated |= PythonLiterals
	default:
		return s.fail(lexer.ExpectedValue, w, i)
	}
	s.after = 'v'
	return Token{Kind: 'l', Start: i, End: end}, end
}

// text reads on in the string or key that s is in. Its quote is w[i], or, once a
// piece of it was given out, w[i] is the byte after that.
func (s *Scanner) text(w []byte, i int) (t Token, n int) {
	from := i
	if !s.given {
		from++
	}
	end, closed := s.advance(w, from+s.look)
	switch {
	case closed:
		t = Token{Kind: 's', Start: from, End: end, First: !s.given, Last: true, Escaped: s.escaped, Quoted: true}
		s.after = 'v'
		if s.key {
			t.Kind, s.after = 'k', 'k'
		}
		s.quote, s.look = 0, 0
		return t, end + 1
	case s.Pieces && !s.key && (end > from || !s.given):
		t = Token{Kind: 's', Start: from, End: end, First: !s.given, Escaped: s.escaped, Quoted: true}
		s.given, s.look, s.escaped = true, 0, false
		return t, end
	case s.code != "":
		return Token{}, i
	}
	s.look = end - from
	return Token{}, i
}

// advance reads on in a string from w[i], the first byte of a unit, and returns the
// index of the closing quote, or of the first byte of a unit that the window cuts or
// that is at fault.
func (s *Scanner) advance(w []byte, i int) (end int, closed bool) {
	for {
		j, high, flags := lexeme.SkipPlain(w, i, s.quote)
		s.Steps += j - i + 1
		to := j
		if high && j == len(w) {
			to -= lexeme.PartialRune(w[i:j])
		}
		control := flags&lexeme.Control != 0
		if control && s.Allow&RawControls == 0 {
			to = i
			for w[to] >= ' ' {
				to++
			}
		}
		if high {
			if bad := lexeme.IllFormed(w[i:to]); bad >= 0 {
				s.code, s.at = lexer.InvalidUTF8, i+bad
				return i + bad - lexeme.PartialRune(w[i:i+bad]), false
			}
		}
		switch {
		case control && s.Allow&RawControls == 0:
			s.code, s.at = lexer.InvalidJSON, to
			return to, false
		}
		if control {
			s.Tolerated |= RawControls
		}
		switch {
		case j == len(w):
			return to, false
		case w[j] == s.quote:
			return j, true
		}
		n, ok := unit(w[j:], s.quote)
		switch {
		case n == 0:
			return j, false
		case !ok && s.Allow&LooseEscapes == 0:
			s.code, s.at = lexer.InvalidJSON, j
			return j, false
		case !ok:
			s.Tolerated |= LooseEscapes
		}
		s.escaped = true
		i = j + n
	}
}

// comment returns the index after the comment at w[i].
func (s *Scanner) comment(w []byte, i int) (end int, more bool) {
	if i+1 == len(w) && !s.Last {
		return i, true
	}
	from := i + max(2, s.look)
	switch {
	case i+1 < len(w) && w[i+1] == '/':
		n := bytes.IndexByte(w[from:], '\n')
		if n >= 0 {
			s.look = 0
			return from + n + 1, false
		}
		if s.Last {
			return len(w), false
		}
	case i+1 < len(w) && w[i+1] == '*':
		n := bytes.Index(w[from:], []byte("*/"))
		if n >= 0 {
			s.look = 0
			return from + n + 2, false
		}
		if len(w) > from { // the last byte may be the star
			s.look = len(w) - 1 - i
		}
		return i, true
	default:
		code := lexer.ExpectedValue
		switch {
		case s.after == 'v':
			code = lexer.ExpectedComma
		case s.after == 'k':
			code = lexer.ExpectedColon
		}
		s.fail(code, w, i)
		return i, false
	}
	s.look = len(w) - i
	return i, true
}

// closer returns the bracket that closes the innermost array or object.
func (s *Scanner) closer() byte { return s.nest[len(s.nest)-1] + 2 }

func (s *Scanner) close(i int) (Token, int) {
	c := s.closer()
	s.nest = s.nest[:len(s.nest)-1]
	s.after = 'v'
	s.Steps++
	return Token{Kind: c, Start: i, End: i + 1}, i + 1
}

func (s *Scanner) fail(code lexer.Code, w []byte, i int) (Token, int) {
	if lexeme.BeginsNone(w[i]) {
		code = lexer.InvalidUTF8
	}
	s.code, s.at = code, i
	return Token{}, i
}

// isWord reports whether a literal, or a bare key, goes on with c.
func isWord(c byte, key bool) bool {
	switch {
	case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z', c == '_', c == '-':
		return true
	case key:
		return c == '$' || c >= 0x80
	}
	return c == '+' || c == '.'
}

// python returns the JSON literal that a word of Python's means, or "".
func python(word []byte) string {
	switch string(word) {
	case "True":
		return "true"
	case "False":
		return "false"
	case "None":
		return "null"
	}
	return ""
}

// unit returns the length of the unit that begins with the backslash b[0], and
// whether it is an escape; 0 if b is too short to tell.
func unit(b []byte, quote byte) (n int, escape bool) {
	if len(b) < 2 {
		return 0, false
	}
	switch c := b[1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case '\'':
		return 2, quote == '\''
	case 'u':
	default:
		if c >= 0x80 || c < ' ' { // which is looked at for itself
			return 1, false
		}
		return 2, false
	}
	for n = 2; n < 6; n++ {
		switch {
		case n == len(b):
			return 0, false
		case !isHex(b[n]):
			return 2, false
		}
	}
	if b[2]|0x20 != 'd' || b[3]|0x20 != '8' && b[3] != '9' && b[3]|0x20 != 'a' && b[3]|0x20 != 'b' {
		return 6, true
	}
	for ; n < 12; n++ { // the other half of a pair may follow
		switch {
		case n == len(b):
			return 0, false
		case n == 6 && b[n] != '\\', n == 7 && b[n] != 'u', n > 7 && !isHex(b[n]):
			return 6, true
		case n == 8 && b[n]|0x20 != 'd', n == 9 && (b[n]|0x20 < 'c' || b[n]|0x20 > 'f'):
			return 6, true
		}
	}
	return 12, true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// AppendText appends what a string or key, or a piece of a string, means: Content
// returns its bytes. An escape of a surrogate without its partner stands for itself.
func (t Token) AppendText(dst, w []byte) []byte {
	b := w[t.Start:t.End]
	if !t.Escaped {
		return append(dst, b...)
	}
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\\')
		if n < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:n]...)
		b = b[n:]
		n, escape := unit(b, '\'')
		switch {
		case n == 0: // which ends the text
			n = len(b)
			fallthrough
		case !escape:
			dst = append(dst, b[:n]...)
		case b[1] == '\'':
			dst = append(dst, '\'')
		default:
			dst = lexeme.AppendJSONUnquoted(dst, b[:n], -1)
		}
		b = b[n:]
	}
	return dst
}

// Literal returns the JSON literal that t is.
func (t Token) Literal(w []byte) []byte {
	b := w[t.Start:t.End]
	if p := python(b); p != "" {
		return []byte(p)
	}
	return b
}
