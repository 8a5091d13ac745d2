package sig

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// In signatures, literals and names are written as words, if they can be read as
// nothing else, or as JSON.

// The words of the notation. A bare literal is never one of them.
const (
	anyWord    = "any"
	neverWord  = "never"
	stringWord = "string"
	nullWord   = "null"
	objectWord = "object"
)

// typeWords are the words that mean types.
var typeWords = map[string]bool{
	anyWord: true, neverWord: true, stringWord: true, objectWord: true,
	"number": true, "int": true, "bool": true, nullWord: true,
}

// literal returns a member of an enum in the notation.
func (w *writer) literal(m *Member) piece {
	switch m.Kind {
	case String:
		if isWord(m.Text) && !typeWords[m.Text] && !isLiteralWord(m.Text) && !w.guard.In(m.Text) {
			return piece{text: m.Text, word: true}
		}
		return piece{text: string(w.quoted(nil, m.Text))}
	case Array, Object:
		return piece{text: string(w.ticked(nil, m.JSON))}
	}
	return piece{text: string(m.JSON)}
}

// value writes a default value, which is JSON.
func (w *writer) value(dst []byte, text []byte) []byte {
	doc, err := decode(text)
	if err != nil {
		return w.ticked(dst, text)
	}
	m := memberOf(doc.root)
	bare := isWord(m.Text) && !isLiteralWord(m.Text) && !w.guard.In(m.Text)
	if m.Kind == String && w.o.Style == Compact && bare {
		return append(dst, m.Text...)
	}
	if m.Kind == String {
		return w.quoted(dst, m.Text)
	}
	return append(dst, w.literal(&m).text...)
}

// isLiteralWord reports whether text without quotes would be read as null, a
// boolean or a number.
func isLiteralWord(text string) bool {
	switch text {
	case "null", "true", "false":
		return true
	}
	return text[0] == '-' || text[0] == '+' || '0' <= text[0] && text[0] <= '9'
}

// isWord reports whether text can be written in a signature without quotes.
func isWord(text string) bool {
	if text == "" || text == "-" {
		return false
	}
	for i, r := range text {
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z', r == '_', '0' <= r && r <= '9', r == '-' && i > 0:
		case strings.ContainsRune("$#%+./;^!&", r):
		case r >= 0xa1 && r != utf8.RuneError && strconv.IsPrint(r) && !Invisible(r) && r != '—':
		default:
			return false
		}
	}
	return true
}

// quoted appends text as a JSON string without tags, line ends or invisible
// characters.
func (w *writer) quoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	dst = w.escaped(dst, text, '"', '\\')
	return append(dst, '"')
}

// ticked appends a JSON array or object in backquotes, which set it off from
// types. A backquote in it can only be in a string, so it can be escaped.
func (w *writer) ticked(dst []byte, json []byte) []byte {
	dst = append(dst, '`')
	dst = w.escaped(dst, string(json), '`', 0)
	return append(dst, '`')
}

// escaped appends text with the bytes a and b, invisible characters and the first
// bytes of tags escaped as in JSON.
func (w *writer) escaped(dst []byte, text string, a, b byte) []byte {
	tags := w.guard.In(text)
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf && (byte(r) == a || byte(r) == b) && r != '`':
			dst = append(dst, '\\', byte(r))
		case r == '`' && a == '`', Invisible(r), r >= utf8.RuneSelf && !strconv.IsPrint(r),
			tags && w.guard.Begins(text[i:]):
			dst = AppendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
