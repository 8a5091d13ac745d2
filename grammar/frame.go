package grammar

import (
	"regexp"
	"strings"
)

// Framing is what encloses a call.
type framing struct {
	open, close string
	begins      *regexp.Regexp // what must follow an opener, after optional whitespace
	quotes      string         // the quotes of strings, which hide tags
}

// A frame is the framing of one text.
type frame struct {
	framing
	text  string
	limit int // on the bytes of a call
}

// at returns the tag at pos and its end: Open, Close, or Truncated if the text ends
// with a proper prefix of either there. The name is empty if there is no tag.
func (x *frame) at(pos int) (name string, end int) {
	rest := x.text[pos:]
	switch {
	case strings.HasPrefix(rest, x.open):
		return tokOpen, pos + len(x.open)
	case strings.HasPrefix(rest, x.close):
		return tokClose, pos + len(x.close)
	case strings.HasPrefix(x.open, rest), strings.HasPrefix(x.close, rest):
		return tokTruncated, len(x.text)
	}
	return "", pos
}

// startsCall reports whether a call starts at pos. An opener must be there, and after
// optional whitespace a byte that can start a name, within the limit. A tag never starts a
// name. A bracket also starts a call, but a malformed one: models were trained on JSON
// envelopes, and text quoted in an envelope must stay quoted.
//
// Rule: framing.open, framing.not-a-call, framing.envelope, limit.opener
func (x *frame) startsCall(pos int) bool {
	if !strings.HasPrefix(x.text[pos:], x.open) {
		return false
	}
	first := pos + len(x.open)
	for first < len(x.text) && first-pos < x.limit && isSpace(x.text[first]) {
		first++
	}
	if first == len(x.text) || first-pos >= x.limit {
		return false
	}
	tag, _ := x.at(first)
	return tag == "" && x.begins.MatchString(x.text[first:])
}

func isSpace(b byte) bool { return strings.IndexByte(" \t\r\n", b) >= 0 }

// leads are the bytes after which a quote in damage opens a string. So an
// apostrophe in a word does not open one, and an unescaped inner quote does not
// swap inside and outside.
const leads = " \t\r\n=[{(,:"

// skip returns the end of the damage that begins at pos, and whether a closing tag,
// which is then part of it, ends it. Otherwise it ends where a call starts or with
// the text. Strings hide tags; quote is the quote of the string that pos is in, or
// zero. In strings a backslash escapes the next byte.
//
// Rule: recovery.skip, recovery.quotes, recovery.inside-string,
// recovery.from-string, recovery.open-string
func (x *frame) skip(pos int, quote byte) (end int, closed bool) {
	for ; pos < len(x.text); pos++ {
		b := x.text[pos]
		switch {
		case quote != 0:
			if b == '\\' {
				pos++
			} else if b == quote {
				quote = 0
			}
		case strings.HasPrefix(x.text[pos:], x.close):
			return pos + len(x.close), true
		case x.startsCall(pos):
			return pos, false
		case pos > 0 && strings.IndexByte(leads, x.text[pos-1]) >= 0 && x.isQuote(b):
			quote = b
		}
	}
	return len(x.text), false
}

func (x *frame) isQuote(b byte) bool { return strings.IndexByte(x.quotes, b) >= 0 }
