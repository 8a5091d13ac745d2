package sig

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
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
	switch {
	case m.Kind&(Array|Object) != 0:
		return piece{text: w.ticked(m.JSON)}
	case m.Kind != String:
		return piece{text: string(m.JSON)}
	case w.isBare(m.Text) && !typeWords[m.Text]:
		return piece{text: m.Text, word: true}
	}
	return piece{text: w.quoted(m.Text)}
}

// value returns a default value, which is JSON, in the notation.
func (w *writer) value(text []byte) string {
	v, _, err := decode(text, maxDepth)
	if err != nil {
		return w.ticked(text)
	}
	m := memberOf(v)
	switch {
	case m.Kind != String:
		return w.literal(&m).text
	case !w.o.Classic && w.isBare(m.Text):
		return m.Text
	}
	return w.quoted(m.Text)
}

// isBare reports whether a string can be written without quotes: it is a word that would
// not be read as null, a boolean or a number.
func (w *writer) isBare(text string) bool {
	switch text {
	case "null", "true", "false":
		return false
	}
	return isWord(text) && !strings.ContainsRune("-+0123456789", rune(text[0])) && !w.guard.In(text)
}

// isLetter reports whether c is an ASCII letter, a digit or _.
func isLetter(c byte) bool {
	lower := c | 0x20
	isDigit := '0' <= c && c <= '9'
	return isDigit || c == '_' || 'a' <= lower && lower <= 'z'
}

// isWord reports whether text can be written in a signature without quotes.
func isWord(text string) bool {
	if text == "" || text == "-" {
		return false
	}
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf && isLetter(byte(r)), r == '-' && i > 0:
		case r < utf8.RuneSelf && !strings.ContainsRune("$#%+./;^!&", r):
			return false
		case r == '—', r == utf8.RuneError, !strconv.IsPrint(r), unseen.Is(r):
			return false
		}
	}
	return true
}

// showsName reports whether a call can have the name of the tool, and nothing in it has to be
// escaped.
func (t *Tool) showsName() bool {
	isOther := func(part string) bool { return !isWord(strings.ReplaceAll(part, "@", "_")) }
	return t.Callable() && !slices.ContainsFunc(strings.Split(t.Name, ":"), isOther)
}

// quoted returns text as a JSON string without tags, line ends or invisible
// characters.
func (w *writer) quoted(text string) string { return `"` + w.escaped(text, `"\`) + `"` }

// ticked returns a JSON array or object in backquotes, which set it off from
// types. A backquote in it can only be in a string, so it can be escaped.
func (w *writer) ticked(json []byte) string { return "`" + w.escaped(string(json), "`") + "`" }

// escaped returns text with these ASCII characters, invisible ones and the first bytes of
// tags escaped as in JSON.
func (w *writer) escaped(text, special string) string {
	var dst []byte
	tags := w.guard.In(text)
	for i, r := range text {
		isSpecial := strings.ContainsRune(special, r)
		isHidden := unseen.Is(r) || r >= utf8.RuneSelf && !strconv.IsPrint(r)
		switch {
		case isSpecial && r != '`':
			dst = append(dst, '\\', byte(r))
		case isSpecial, isHidden, tags && w.guard.Begins(text[i:]):
			dst = unseen.AppendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return string(dst)
}
