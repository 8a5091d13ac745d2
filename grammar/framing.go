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

// tagAt returns the tag at pos and its end: Open, Close, or Truncated if the text ends
// with a proper prefix of either there. The name is empty if there is no tag.
func (r *reader) tagAt(pos int) (name string, end int) {
	rest := r.text[pos:]
	switch {
	case strings.HasPrefix(rest, r.open):
		return tokOpen, pos + len(r.open)
	case strings.HasPrefix(rest, r.close):
		return tokClose, pos + len(r.close)
	case strings.HasPrefix(r.open, rest), strings.HasPrefix(r.close, rest):
		return tokTruncated, len(r.text)
	}
	return "", pos
}

// startsCall reports whether a call starts at pos. An opener must be there, and after
// optional whitespace a byte that can start a name, within the limit. A tag never starts a
// name. A bracket also starts a call, but a malformed one: models were trained on JSON
// envelopes, and text quoted in an envelope must stay quoted.
//
// Rule: framing.open, framing.not-a-call, framing.envelope, limit.opener
func (r *reader) startsCall(pos int) bool {
	if !strings.HasPrefix(r.text[pos:], r.open) {
		return false
	}
	rest := strings.TrimLeft(r.text[pos+len(r.open):], " \t\r\n")
	first := len(r.text) - len(rest)
	if rest == "" || first-pos >= r.Limits.Bytes {
		return false
	}
	tag, _ := r.tagAt(first)
	return tag == "" && r.begins.MatchString(rest)
}

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
func (r *reader) skip(pos int, quote byte) (end int, closed bool) {
	for ; pos < len(r.text); pos++ {
		b := r.text[pos]
		switch {
		case quote != 0:
			if b == '\\' {
				pos++
			} else if b == quote {
				quote = 0
			}
		case strings.HasPrefix(r.text[pos:], r.close):
			return pos + len(r.close), true
		case r.startsCall(pos):
			return pos, false
		case pos > 0 && strings.IndexByte(leads, r.text[pos-1]) >= 0 && r.isQuote(b):
			quote = b
		}
	}
	return len(r.text), false
}

func (r *reader) isQuote(b byte) bool { return strings.IndexByte(r.quotes, b) >= 0 }
