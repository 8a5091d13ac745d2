package middleware

import "bytes"

// A model does not mean all that stands in its text. What it thinks before it
// speaks is left in the text by some servers, between tags of its own; a call in
// there is not made. And a model may go on after its call with a result that it
// invents: from there on nothing is meant.
//
// speech tells these parts of a text from what is said. It knows nothing of calls
// but whether the reader of what is said is inside of one, where every tag is text.

// thoughtTags are the tags around reasoning in a text.
var thoughtTags = [...][2]string{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// inventedTags begin what only the application writes.
var inventedTags = [...]string{wireResult, "<tool-error"}

// opens says of each byte whether a tag begins with it.
var opens = func() (table [256]bool) {
	for _, tags := range thoughtTags {
		table[tags[0][0]] = true
	}
	for _, tag := range inventedTags {
		table[tag[0]] = true
	}
	return table
}()

// speech splits a text that comes in pieces. The zero value is at its beginning.
type speech struct {
	closer string // of the reasoning being read; "" outside of it
	held   []byte // the beginning of a tag: outside of reasoning not given out yet
	last   byte   // the byte before held
	over   bool   // a result was invented
	keeps  bool   // what looks like one is not
	result string // the opener of results in another protocol
	buf    []byte
}

// listener gets the parts of a text, in order.
type listener interface {
	// said takes what is said. It reports whether a call is open behind it, and
	// false for ok where nothing more is to be read.
	said(text []byte) (inCall, ok bool)

	// thought takes reasoning, its tags included.
	thought(text []byte)
}

// plain reports whether a piece is of one kind with what came before it, and has
// nothing in it that may begin a tag, and is not reasoning.
func (s *speech) plain(text []byte) bool {
	if s.closer != "" || len(s.held) > 0 || s.over {
		return false
	}
	for _, c := range text {
		if s.opens(c) {
			return false
		}
	}
	if n := len(text); n > 0 {
		s.last = text[n-1]
	}
	return true
}

// opens reports whether a tag may begin with c.
func (s *speech) opens(c byte) bool {
	return opens[c] || s.result != "" && c == s.result[0]
}

// read takes the next piece. It returns false where to said nothing more is to be
// read.
func (s *speech) read(text []byte, to listener) bool {
	if len(s.held) > 0 && s.closer == "" {
		s.buf = append(append(s.buf[:0], s.held...), text...)
		text, s.held = s.buf, s.held[:0]
	}
	from := 0 // of what is said
	for i := 0; i < len(text) && !s.over; {
		if s.closer != "" {
			n := s.think(text[i:], to)
			i += n
			from = i
			continue
		}
		if !s.opens(text[i]) {
			i++
			continue
		}
		closer, size, invented := tagAt(text[i:])
		if size == 0 && s.result != "" && begins(text[i:], s.result) {
			size, invented = len(s.result), true
		}
		if size == 0 || s.keeps && invented || i > 0 && text[i-1] == '`' || i == 0 && s.last == '`' {
			i++
			continue
		}
		inCall, ok := to.said(text[from:i])
		if !ok {
			return false
		}
		if i > 0 {
			s.last = text[i-1]
		}
		from = i
		switch {
		case inCall:
			i++
		case size > len(text)-i: // perhaps
			s.held = append(s.held[:0], text[i:]...)
			return true
		case invented:
			s.over = true
		default:
			s.closer = closer
			to.thought(text[i : i+size])
			i += size
			from = i
		}
	}
	if s.over || from == len(text) {
		return true
	}
	s.last = text[len(text)-1]
	_, ok := to.said(text[from:])
	return ok
}

// think takes reasoning up to its end, and returns how many bytes it was.
func (s *speech) think(text []byte, to listener) int {
	n := len(s.held)
	joined := append(s.held, text...)
	i := bytes.Index(joined, []byte(s.closer))
	if i < 0 {
		to.thought(text)
		keep := min(len(joined), len(s.closer)-1)
		s.held = append(s.held[:0], joined[len(joined)-keep:]...)
		return len(text)
	}
	n = i + len(s.closer) - n
	to.thought(text[:n])
	s.last = s.closer[len(s.closer)-1]
	s.closer, s.held = "", s.held[:0]
	return n
}

// close takes the end of the text.
func (s *speech) close(to listener) bool {
	held := s.held
	s.held = nil
	if s.closer != "" || len(held) == 0 || s.over {
		return true
	}
	_, ok := to.said(held)
	return ok
}

// tagAt returns the tag that text begins with, or may begin with: its size, 0 for
// none, and what ends the reasoning that it opens.
func tagAt(text []byte) (closer string, size int, invented bool) {
	for _, tag := range inventedTags {
		if begins(text, tag) {
			return "", len(tag), true
		}
	}
	for _, tags := range thoughtTags {
		if begins(text, tags[0]) {
			return tags[1], len(tags[0]), false
		}
	}
	return "", 0, false
}

// begins reports whether text begins with tag, or is the beginning of it.
func begins(text []byte, tag string) bool {
	n := min(len(text), len(tag))
	return string(text[:n]) == tag[:n]
}
