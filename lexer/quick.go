package lexer

import "bytes"

// Models write a few bytes at a time. What most of such chunks are takes no
// round through the states: prose that cannot begin a tag, and more of the
// lexeme, or of the tag, that an earlier chunk began.

// Prose is Feed and Tokens for the most frequent chunk: where l is between calls
// and no byte of chunk can begin a tag, all of it is text, and Prose takes it
// and returns true. Otherwise it does nothing.
func (l *Lexer) Prose(chunk []byte) bool {
	if !l.Idle() {
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

// Inside is Feed and Tokens for a chunk that only lengthens what an earlier chunk
// began: a quoted string, a name, a key, a bare word or a tag, as long as it
// takes no second look and ends nothing. It takes the chunk and returns true, or
// does nothing. Of a string, the chunk is a piece that comes in no token.
func (l *Lexer) Inside(chunk []byte) bool {
	if !l.owned || l.used < len(l.chunk) || len(l.win)+len(chunk) > l.start+l.limits.Bytes-l.base && l.state != inText {
		return false
	}
	role := inertInString
	switch l.state {
	case inString:
		if l.pos < len(l.win) {
			return false
		}
	case inText:
		if !l.lengthensTag(l.open, l.pos, chunk) {
			return false
		}
		l.append(chunk)
		l.scan = l.pos
		l.steps += len(chunk)
		return true
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
	held := l.scan < len(l.win)
	if held { // the beginning of the close tag, perhaps
		if l.state == inString || !l.lengthensTag(l.close, l.scan, chunk) {
			return false
		}
	} else {
		for _, c := range chunk {
			if l.class[c]&role == 0 {
				return false
			}
		}
	}
	l.append(chunk)
	if !held {
		l.scan = len(l.win)
		if l.state == inString {
			l.pos = l.scan
		}
	}
	l.steps += len(chunk)
	return true
}

// lengthensTag reports whether win[from:] and chunk are a part of tag, but not
// all of it.
func (l *Lexer) lengthensTag(tag string, from int, chunk []byte) bool {
	held := len(l.win) - from
	n := held + len(chunk)
	return held > 0 && n < len(tag) && tag[held:n] == string(chunk) && tag[:held] == string(l.win[from:])
}

// append makes chunk the end of an owned window.
func (l *Lexer) append(chunk []byte) {
	l.buf = append(l.win, chunk...)
	l.win = l.buf
	l.chunk, l.used = nil, 0
	l.rebound()
}
