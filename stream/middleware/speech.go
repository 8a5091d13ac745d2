package middleware

// After its call, a model may go on with a result that it invents; nothing from there
// on is meant. speech finds where that is. All it knows of calls and reasoning is
// whether the reader is inside one, where every tag is text.

// inventedTags begin what only the application writes.
var inventedTags = [...]string{wireResult, "<tool-error"}

// speech reads a text that comes in pieces up to an invented result. The zero value is
// at its beginning.
type speech struct {
	held   []byte // the beginning of a tag, not passed on yet
	last   byte   // the byte before held
	over   bool   // a result was invented
	keeps  bool   // what looks like an invented result is kept
	result string // the opener of results in another protocol
	buf    []byte
}

// listener gets the text in order. It reports whether a call or reasoning is open after
// it, and false for ok if nothing more must be read.
type listener interface {
	said(text []byte) (inside, ok bool)
}

// plain reports whether nothing is held back before a piece, and no tag may begin in
// it.
func (s *speech) plain(text []byte) bool {
	if len(s.held) > 0 || s.over {
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
	return c == '<' || s.result != "" && c == s.result[0]
}

// read takes the next piece. It returns false if to has said that nothing more must be
// read.
func (s *speech) read(text []byte, to listener) bool {
	if len(s.held) > 0 {
		s.buf = append(append(s.buf[:0], s.held...), text...)
		text, s.held = s.buf, s.held[:0]
	}
	from := 0 // of what is said
	for i := 0; i < len(text) && !s.over; i++ {
		size := s.tagAt(text[i:])
		if size == 0 || i > 0 && text[i-1] == '`' || i == 0 && s.last == '`' {
			continue
		}
		inside, ok := to.said(text[from:i])
		if !ok {
			return false
		}
		if i > 0 {
			s.last = text[i-1]
		}
		from = i
		switch {
		case inside:
		case size > len(text)-i: // perhaps
			s.held = append(s.held[:0], text[i:]...)
			return true
		default:
			s.over = true
		}
	}
	if s.over || from == len(text) {
		return true
	}
	s.last = text[len(text)-1]
	_, ok := to.said(text[from:])
	return ok
}

// close takes the end of the text.
func (s *speech) close(to listener) bool {
	held := s.held
	s.held = nil
	if len(held) == 0 || s.over {
		return true
	}
	_, ok := to.said(held)
	return ok
}

// tagAt returns the length of the tag that text begins with, or may begin with, 0 if
// none.
func (s *speech) tagAt(text []byte) int {
	if s.keeps || !s.opens(text[0]) {
		return 0
	}
	for _, tag := range inventedTags {
		if begins(text, tag) {
			return len(tag)
		}
	}
	if s.result != "" && begins(text, s.result) {
		return len(s.result)
	}
	return 0
}

// begins reports whether text begins with tag, or is the beginning of it.
func begins(text []byte, tag string) bool {
	n := min(len(text), len(tag))
	return string(text[:n]) == tag[:n]
}
