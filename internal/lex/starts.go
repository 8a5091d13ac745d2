package lex

import (
	"bytes"
)

// starts knows the tags that may begin in text or in reasoning: of calls, of reasoning, and near
// misses. It finds the places that need a closer look.
type starts struct {
	firsts []byte     // the first bytes of the tags
	first  byteSet    // the same
	then   [3]byteSet // their second, third and fourth bytes, in either case
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// add adds a tag.
func (s *starts) add(tag string) {
	if !s.first.has(tag[0]) {
		s.first.add(tag[0])
		s.firsts = append(s.firsts, tag[0])
	}
	for i := range s.then {
		if i+1 >= len(tag) { // anything may follow
			s.then[i] = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			continue
		}
		s.then[i].add(lower(tag[i+1]))
		s.then[i].add(upper(tag[i+1]))
	}
}

// at reports whether a tag may begin with w, whose first byte begins one.
func (s *starts) at(w []byte) bool {
	for i := range min(len(s.then), len(w)-1) {
		if !s.then[i].has(w[i+1]) {
			return false
		}
	}
	return true
}

// lookahead remembers where the first bytes of tags come next, which saves a second look.
//
// Invariant: firsts[k] of the starts does not occur between the position and next[k].
type lookahead struct {
	next [mostFirsts]int // offsets in the message
}

// mostFirsts is how many first bytes are searched each by itself.
const mostFirsts = 4

// shortPiece is how many bytes are faster looked at one by one.
const shortPiece = 16

// nextStart returns the index from i on of the first byte of a tag, or len(win).
func (l *Lexer) nextStart(i int) int {
	w, s := l.win, &l.syntax.starts
	if len(w)-i <= shortPiece || len(s.firsts) > mostFirsts {
		from := i
		for i < len(w) && !s.first.has(w[i]) {
			i++
		}
		l.steps += i - from
		return i
	}
	nearest := len(w)
	for k, c := range s.firsts {
		at := l.ahead.next[k] - l.base
		if at < i || at < nearest && w[at] != c {
			at = max(at, i)
			n := bytes.IndexByte(w[at:nearest], c)
			if n < 0 {
				n = nearest - at
			}
			l.steps += n
			at += n
			l.ahead.next[k] = l.offset(at)
		}
		nearest = min(nearest, at)
	}
	return nearest
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c &^ 0x20
	}
	return c
}

// fold returns a tag in lower case.
func fold(tag string) string {
	b := []byte(tag)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}
