package middleware

import "strings"

// After its call, a model may continue with a result that it invents. The rest of the
// message is useless, so the message ends there.

// inventedTags begin results, which only the application may write.
var inventedTags = []string{wireResult, "<tool-error"}

// A resultFilter passes text up to an invented result. It holds back what may be the
// beginning of one. The zero value passes everything.
type resultFilter struct {
	tags []string
	held []byte
	last byte // the byte before held
}

// pass returns the text that may be delivered, and how many bytes, from an invented
// result on, are dropped. It returns text itself if it can.
func (f *resultFilter) pass(text []byte) (out []byte, dropped int) {
	if len(f.held) > 0 {
		text = append(f.held, text...)
		f.held = nil
	}
	last := f.last
	for i, c := range text {
		size := f.match(text[i:])
		switch {
		case size == 0 || last == '`':
		case size <= len(text)-i:
			return text[:i], len(text) - i
		default:
			f.last = last
			f.held = append(f.held, text[i:]...)
			return text[:i], 0
		}
		last = c
	}
	f.last = last
	return text, 0
}

// flush returns what is held back, because something other than text follows.
func (f *resultFilter) flush() []byte {
	held := f.held
	f.held, f.last = nil, 0
	return held
}

// match returns the length of the tag that text begins with or may begin with; 0 if there is none.
func (f *resultFilter) match(text []byte) int {
	for _, tag := range f.tags {
		if text[0] == tag[0] && strings.HasPrefix(tag, string(text[:min(len(text), len(tag))])) {
			return len(tag)
		}
	}
	return 0
}
