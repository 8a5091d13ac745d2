package parse

import (
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// scanner reads RFC 8259 JSON text, token by token, without a stack of Go's.
type scanner struct {
	text  []byte
	i     int
	depth int // how deep arrays and objects may nest

	surrogates bool // escapes of lone surrogates are taken, as literal text

	nest  []byte
	after byte // the last token: 0 for none, v for a value, a comma, a colon or an opening bracket
	code  lexer.Code
	at    int
}

// jsonToken is a token of JSON text: kind is one of { } [ ] for brackets, k for
// a key, s for a string, l for null, true, false or a number, and 0 at the end
// or at a fault.
type jsonToken struct {
	kind       byte
	start, end int
	flags      lexer.Flags
}

// content returns the text of a key or string between its quotes.
func (s *scanner) content(t jsonToken) []byte { return s.text[t.start+1 : t.end-1] }

// next returns the next token. At the end of a valid text it returns kind 0
// with no code set.
func (s *scanner) next() jsonToken {
	for {
		for s.i < len(s.text) && isJSONSpace(s.text[s.i]) {
			s.i++
		}
		if s.i == len(s.text) {
			if s.after != 'v' || len(s.nest) > 0 {
				return s.fail(lexer.InvalidJSON, s.i)
			}
			return jsonToken{}
		}
		c := s.text[s.i]
		if s.after == 'v' {
			switch {
			case len(s.nest) == 0:
				return s.fail(lexer.InvalidJSON, s.i)
			case c == ',':
				s.after = ','
				s.i++
				continue
			case c == s.nest[len(s.nest)-1]+2:
				return s.closing(c)
			}
			return s.fail(lexer.InvalidJSON, s.i)
		}
		inObject := len(s.nest) > 0 && s.nest[len(s.nest)-1] == '{' && s.after != ':'
		switch {
		case inObject && c == '"':
			t := s.quoted('k')
			if t.kind == 0 {
				return t
			}
			for s.i < len(s.text) && isJSONSpace(s.text[s.i]) {
				s.i++
			}
			if s.i == len(s.text) || s.text[s.i] != ':' {
				return s.fail(lexer.InvalidJSON, s.i)
			}
			s.i++
			s.after = ':'
			return t
		case s.after != ',' && (inObject && c == '}' || s.after == '[' && c == ']'):
			return s.closing(c)
		case inObject:
			return s.fail(lexer.InvalidJSON, s.i)
		case c == '"':
			t := s.quoted('s')
			s.after = 'v'
			return t
		case c == '[' || c == '{':
			if len(s.nest) >= s.depth {
				return s.fail(lexer.TooDeep, s.i)
			}
			s.nest = append(s.nest, c)
			s.after = c
			s.i++
			return jsonToken{kind: c, start: s.i - 1, end: s.i}
		}
		start := s.i
		for s.i < len(s.text) && !isJSONSpace(s.text[s.i]) && s.text[s.i] != ',' && s.text[s.i] != ']' && s.text[s.i] != '}' {
			s.i++
		}
		if literalKind(s.text[start:s.i]) == 0 {
			return s.fail(lexer.InvalidJSON, start)
		}
		s.after = 'v'
		return jsonToken{kind: 'l', start: start, end: s.i}
	}
}

func (s *scanner) closing(c byte) jsonToken {
	s.nest = s.nest[:len(s.nest)-1]
	s.after = 'v'
	s.i++
	return jsonToken{kind: c, start: s.i - 1, end: s.i}
}

func (s *scanner) fail(code lexer.Code, at int) jsonToken {
	s.code, s.at = code, at
	s.i = len(s.text)
	return jsonToken{}
}

// quoted reads the string at s.i.
func (s *scanner) quoted(kind byte) jsonToken {
	t := jsonToken{kind: kind, start: s.i}
	high := false
	for i := s.i + 1; i < len(s.text); {
		switch c := s.text[i]; {
		case c == '"':
			t.end = i + 1
			if high && !utf8.Valid(s.text[t.start:t.end]) {
				return s.fail(lexer.InvalidUTF8, t.start+validPrefix(s.text[t.start:t.end]))
			}
			s.i = t.end
			return t
		case c == '\\':
			n, kind := lexer.Escape(s.text[i:])
			switch {
			case n == 0 || i+1 < len(s.text) && s.text[i+1] == '\'' || kind&lexer.Literal != 0 && n == 2:
				return s.fail(lexer.InvalidJSON, i)
			case kind&lexer.Literal != 0 && !s.surrogates:
				return s.fail(lexer.UnpairedSurrogate, i)
			}
			t.flags |= lexer.Escaped | kind
			i += n
		case c < 0x20:
			return s.fail(lexer.InvalidJSON, i)
		default:
			high = high || c >= utf8.RuneSelf
			i++
		}
	}
	return s.fail(lexer.InvalidJSON, len(s.text))
}

// validPrefix returns the length of the longest prefix of b that is valid
// UTF-8.
func validPrefix(b []byte) int {
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return n
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isJSON reports whether text is RFC 8259 JSON without repeated keys, no deeper
// than depth.
//
// Rule: typing.quoted-json.
func isJSON(text []byte, depth int) bool {
	_, code, _ := compactBy(&scanner{text: text, depth: depth, surrogates: true})
	return code == ""
}

// compact returns JSON text in the spelling of this package: no whitespace,
// the fewest escapes, everything else as written. A code tells what is wrong
// with text, and at which byte.
func compact(text []byte, depth int) ([]byte, lexer.Code, int) {
	return compactBy(&scanner{text: text, depth: depth})
}

func compactBy(s *scanner) ([]byte, lexer.Code, int) {
	b := builder{exact: true, maxDepth: s.depth, out: make([]byte, 0, len(s.text))}
	b.json(s)
	switch {
	case b.fault != "":
		return nil, b.fault, b.faultAt
	case s.code != "":
		return nil, s.code, s.at
	}
	return b.out, "", 0
}

// json writes what s reads, up to the first fault. Offsets are those of the
// text.
func (b *builder) json(s *scanner) {
	for t := s.next(); t.kind != 0 && b.fault == ""; t = s.next() {
		b.jsonToken(s, t, t.start)
	}
}

// jsonAs writes text, the JSON text of one array or object, under t. All its
// issues are at offset at.
func (b *builder) jsonAs(t *sig.Type, text []byte, at int) {
	b.holds++
	s := scanner{text: text, depth: b.maxDepth, surrogates: true}
	root := s.next()
	b.openAs(t, root.kind == '{', at, root.start)
	for k := s.next(); k.kind != 0 && b.fault == ""; k = s.next() {
		b.jsonToken(&s, k, at)
	}
	b.holds--
}

// jsonToken writes the token t of s.
func (b *builder) jsonToken(s *scanner, t jsonToken, at int) {
	switch t.kind {
	case '{', '[':
		b.open(t.kind == '{', at, t.start)
	case '}', ']':
		var source []byte
		if f := b.top(); f.source {
			source = s.text[f.src:t.end]
		}
		b.close(at, source)
	case 'k':
		b.member(s.content(t), t.flags&lexer.Escaped, '"', at)
	case 's': // issues of the wire format's own strings do not apply
		b.quoted(s.content(t), t.flags&lexer.Escaped, at)
	case 'l':
		b.bare(s.text[t.start:t.end], 0, at)
	}
}
