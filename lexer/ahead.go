package lexer

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The parser reads what nearly all calls consist of by itself: a name, then
// arguments with a scalar or a short array of scalars behind them, then the
// close tag, all of it in the window. No state is changed and no token made on
// the way, which takes a third of the time. Ahead gives it the bytes, the
// methods that end in End find the ends of lexemes, and Take says how far it
// came. Where anything else stands it stops in front of it: nothing is decided
// here that the states do not decide too.

// Jump is Tokens for most of the text there is: it reads on to the next opener
// with a name directly behind it, or to the end of the window, and returns the
// text before that. If opened, a call has begun, at offset [Lexer.Start]. It does
// nothing where that needs more than a look.
func (l *Lexer) Jump() (text []byte, opened bool) {
	w, i := l.win, l.pos
	if l.state != inText || l.scan != i || i == len(w) {
		return nil, false
	}
	for {
		if i+8 > len(w) || binary.LittleEndian.Uint64(w[i:])&l.openMask != l.openWord {
			if i = l.candidate(i); i == len(w) {
				break
			}
		}
		if i+len(l.open) >= len(w) || i+8 > len(w) { // more may have to come
			if matchTag(w[i:], l.open) == 0 {
				i++
				continue
			}
			break
		}
		if len(l.open) > 8 && string(w[i:i+len(l.open)]) != l.open {
			i++
			continue
		}
		c := w[i+len(l.open)]
		if l.class[c]&(isNameStart|isSpace|beginsTag) == 0 && c != '{' && c != '[' {
			i++
			continue
		}
		opened = l.class[c]&isNameStart != 0 && len(l.open) < l.limits.Bytes
		break
	}
	text = w[l.pos:i:i]
	l.steps += len(text)
	l.pos, l.scan = i, i
	if opened {
		l.enter(i + len(l.open))
	}
	return text, opened
}

// Start returns the offset of the call that is read, or was read last.
func (l *Lexer) Start() int { return l.start }

// Ahead returns the bytes that are still to be read, if l is in front of a
// call's name (named is false) or between its arguments (named is true): up to
// the end of the window, or of what the call's limit allows. Elsewhere it
// returns nil. The bytes hold as the chunk does.
func (l *Lexer) Ahead() (w []byte, named bool) {
	if l.scan != l.pos || l.state != inName && (l.state != inSpace || l.done) {
		return nil, false
	}
	return l.win[l.pos:l.bound], l.state == inSpace
}

// Offset returns where in the input the bytes that Ahead returns begin.
func (l *Lexer) Offset() int { return l.base + l.pos }

// Take says that the next n bytes of what Ahead has returned were read: a name
// and any number of arguments behind it, or arguments alone, and if closed, the
// close tag; args says whether there was an argument. They come in no token.
func (l *Lexer) Take(n int, args, closed bool) {
	l.pos += n
	l.scan = l.pos
	l.steps += n
	l.args = l.args || args
	l.state = inSpace
	if closed {
		l.state = inText
	}
}

// StringAhead is Ahead for long strings: it returns the bytes that are still to be
// read, up to a rune that is not complete, if l is in a quoted string all pieces
// of which so far were read, and the quote around it. Elsewhere it returns nil.
func (l *Lexer) StringAhead() (w []byte, quote byte) {
	if l.state != inString || l.scan != l.pos {
		return nil, 0
	}
	if l.pos == len(l.win) && l.used < len(l.chunk) {
		l.refill()
	}
	w = l.win[l.pos:l.bound]
	return w[:len(w)-partialRune(w)], l.quote
}

// TakeString says that the next n bytes of what StringAhead has returned were
// read, whole units of the string. They come in no token.
func (l *Lexer) TakeString(n int) {
	l.pos += n
	l.scan = l.pos
	l.steps += n
}

// NameEnd returns the index behind the name that w begins with, if it is ASCII
// and whitespace or the close tag stands there, and 0 if not.
func (l *Lexer) NameEnd(w []byte) int {
	n := l.letters(w, plainName)
	if n >= len(w) || n > l.limits.Name || l.class[w[n]]&isSpace == 0 && !l.Closes(w, n) {
		return 0
	}
	return n
}

// SpaceEnd returns the index behind the whitespace at w[i].
func (l *Lexer) SpaceEnd(w []byte, i int) int {
	for i < len(w) && l.class[w[i]]&isSpace != 0 {
		i++
	}
	return i
}

// PathEnd returns the index of the = behind the path at w[i], if it is ASCII and
// not deeper than the limit, and how many dots it has; 0 if not.
func (l *Lexer) PathEnd(w []byte, i int) (end, dots int) {
	for {
		n := i
		if i += l.letters(w[i:], plainKey); i == n || i >= len(w) {
			return 0, 0
		}
		switch {
		case w[i] == '=':
			return i, dots
		case w[i] != '.' || dots >= l.limits.Depth:
			return 0, 0
		}
		dots++
		i++
	}
}

// ValueEnd returns the index behind the value at w[i], its kind and its flags,
// if whitespace or the close tag stands there and it is one of
//
//   - a Bare of printable ASCII without quotes and backslashes
//   - a String without backslashes, all of it
//   - an array of any number of such strings and of words of letters, digits
//     and the like; its kind is ArrayOpen
//
// and 0 if not.
func (l *Lexer) ValueEnd(w []byte, i int) (end int, kind Kind, flags Flags) {
	if i >= len(w) {
		return 0, 0, 0
	}
	switch q := w[i]; q {
	case '"', '\'':
		n, seen := plain(w, i+1, q)
		if n == len(w) || w[n] != q || seen&highs != 0 && !utf8.Valid(w[i:n]) {
			return 0, 0, 0
		}
		flags = First | Last
		if seen&controls != 0 {
			flags |= Control
		}
		end, kind = n+1, String
	case '[':
		end, kind = l.listEnd(w, i), ArrayOpen
	case '{':
		return 0, 0, 0
	default:
		end, kind = i+l.wordEnd(w[i:]), Bare
	}
	if end >= len(w) || l.class[w[end]]&isSpace == 0 && !l.Closes(w, end) {
		return 0, 0, 0
	}
	return end, kind, flags
}

// listEnd returns the index behind the array that begins at w[i], if it holds
// nothing but strings without backslashes and controls and words of plain
// bytes, and len(w) if not. Blanks stand behind commas only.
func (l *Lexer) listEnd(w []byte, i int) int {
	var all uint64
	from := i
	for i++; i < len(w); i++ {
		if w[i] == ' ' && i > from+1 {
			i++
		}
		n := i
		if i < len(w) && (w[i] == '"' || w[i] == '\'') {
			e, seen := plain(w, i+1, w[i])
			if e == len(w) || w[e] != w[i] || seen&controls != 0 {
				return len(w)
			}
			all |= seen
			i = e + 1
		} else {
			for i < len(w) && l.class[w[i]]&plainItem != 0 {
				i++
			}
		}
		if i == len(w) {
			return i
		}
		if w[i] == ']' && (i > n || n == from+1) {
			break
		}
		if w[i] != ',' || i == n {
			return len(w)
		}
	}
	if i >= len(w) || all&highs != 0 && !utf8.Valid(w[from:i]) {
		return len(w)
	}
	return i + 1
}

// wordEnd returns how many bytes w begins with of which a bare word can consist
// that JSON writes without escapes.
func (l *Lexer) wordEnd(w []byte) int {
	table := l.class
	for i, c := range w {
		if table[c]&plainWord == 0 {
			return i
		}
	}
	return len(w)
}

// letters returns how many bytes w begins with that have the role, that of names
// or keys. Under the default tags it goes eight bytes at a time through letters,
// digits, _ and -.
func (l *Lexer) letters(w []byte, role class) int {
	i := 0
	if l.class == classes {
		for ; i+8 <= len(w); i += 8 {
			if stop := others(binary.LittleEndian.Uint64(w[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
		}
	}
	for i < len(w) && l.class[w[i]]&role != 0 {
		i++
	}
	return i
}

// others returns the bits of highs for the bytes of x that are no letter, digit,
// _ or -.
func others(x uint64) uint64 {
	low := x &^ highs
	lower := low | 0x20*ones
	letters := (lower + (0x80-'a')*ones) &^ (lower + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	joiners := (0x80*ones - (low ^ '_'*ones)) | (0x80*ones - (low ^ '-'*ones))
	return (^(letters | digits | joiners) | x) & highs
}

// Closes reports whether the close tag stands at w[i].
func (l *Lexer) Closes(w []byte, i int) bool {
	if w = w[i:]; len(w) >= 8 {
		return binary.LittleEndian.Uint64(w)&l.closeMask == l.closeWord && (l.closeMask != 1<<64-1 || string(w[:min(len(w), len(l.close))]) == l.close)
	}
	return string(w[:min(len(w), len(l.close))]) == l.close
}

// word returns the first eight bytes of tag as a number, and the mask of those
// that there are.
func word(tag string) (word, mask uint64) {
	for i := range min(8, len(tag)) {
		word |= uint64(tag[i]) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return word, mask
}
