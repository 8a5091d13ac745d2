package lexer

import (
	"bytes"
	"slices"
)

// Models write a few bytes at a time. What most of such chunks are takes no
// round through the states: prose that cannot begin a tag, and more of the
// lexeme, or of the tag, that an earlier chunk began.

// Prose is Feed and Tokens for the most frequent chunk: where l is between calls
// and no byte of chunk can begin a tag, all of it is text, and Prose takes it
// and returns true. Otherwise it does nothing.
func (l *Lexer) Prose(chunk []byte) bool {
	if !l.Idle() || l.closed || l.class == nil {
		return false
	}
	if len(chunk) < 16 {
		for _, c := range chunk {
			if c == l.open[0] {
				return false
			}
		}
	} else if bytes.IndexByte(chunk, l.open[0]) >= 0 {
		return false
	}
	if len(l.win) > 0 {
		l.base += len(l.win)
		l.win, l.pos, l.scan, l.chunk, l.used, l.owned = nil, 0, 0, nil, 0, false
	}
	l.base += len(chunk)
	l.steps += len(chunk)
	return true
}

// InString reports whether l is in a quoted string, all pieces of which so far
// are in tokens.
func (l *Lexer) InString() bool { return l.state == inString && l.pos == len(l.win) }

// quick is how many bytes a chunk has at most that Inside takes: the others are
// worth a round.
const quick = 32

// Inside is Feed and Tokens for a short chunk that only lengthens what an earlier chunk
// began: a quoted string, a name, a key, a bare word or a tag, as long as it
// takes no second look and ends nothing. It takes the chunk and returns true, or
// does nothing. Of a string, the chunk is a piece that comes in no token.
func (l *Lexer) Inside(chunk []byte) bool {
	if len(chunk) > quick || !l.owned || l.closed || l.used < len(l.chunk) || len(l.win)+len(chunk) > l.limit() && l.state != inText {
		return false
	}
	role := inertInString
	switch l.state {
	case inString:
		if l.pos < len(l.win) {
			return false
		}
	case inText:
		return l.lengthenTag(l.open, l.pos, chunk)
	case inName:
		if len(l.win)+len(chunk)-l.pos > l.limits.Name {
			return false
		}
		role = plainName
	case inKey:
		role = plainKey
	case inBare:
		role = plainWord
	default:
		return false
	}
	if l.scan < len(l.win) {
		return l.lengthenTag(l.close, l.scan, chunk)
	}
	n := len(l.win)
	if n+len(chunk) > cap(l.win) {
		l.buf = slices.Grow(l.win, len(chunk))
		l.win = l.buf
	}
	longer := l.win[:n+len(chunk)]
	for i, c := range chunk {
		if l.class[c]&role == 0 {
			return false
		}
		longer[n+i] = c
	}
	l.win = longer // and buf begins where it did
	l.rebound()
	l.steps += len(chunk)
	l.scan = len(longer)
	if l.state == inString {
		l.pos = l.scan
	}
	return true
}

// lengthenTag takes chunk if win[from:] and chunk are a part of tag, but not all
// of it.
func (l *Lexer) lengthenTag(tag string, from int, chunk []byte) bool {
	held := len(l.win) - from
	n := held + len(chunk)
	if held == 0 || n >= len(tag) || tag[held:n] != string(chunk) || tag[:held] != string(l.win[from:]) {
		return false
	}
	l.append(chunk)
	l.steps += len(chunk)
	return true
}

// lengthen makes win, which begins with the owned window of before, the window.
func (l *Lexer) lengthen(win []byte) {
	l.buf, l.win = win, win
	l.chunk, l.used = nil, 0
	l.rebound()
}

// append makes chunk the end of an owned window.
func (l *Lexer) append(chunk []byte) { l.lengthen(append(l.win, chunk...)) }
