package middleware

import "bytes"

// skeleton is what the events of a stream have in common while a model writes: all
// but the text. An event that has the bones of the last one and nothing else that
// JSON would not read as a piece of text need not be read to be passed on, which
// takes an eighth of the CPU (0.13 of 1.1 microseconds, BenchmarkChunk). It decides nothing of its own: what it is not sure
// of goes the usual way.
type skeleton struct {
	head, tail []byte // all before and behind what the string holds; nil: none is known
}

// learn takes the bones of an event, in which value is the string with the text.
func (s *skeleton) learn(b *block, value []byte) {
	at := b.end - cap(value) // where value begins, because no slice of the data was capped
	if b.end == 0 || at < 0 || at+len(value) > len(b.raw) || !bytes.Equal(b.raw[at:at+len(value)], value) {
		s.head, s.tail = nil, nil
		return
	}
	s.head = append(s.head[:0], b.raw[:at+1]...)
	s.tail = append(s.tail[:0], b.raw[at+len(value)-1:]...)
}

// text returns the text of an event with these bones; nil where it has others, or
// escapes.
func (s *skeleton) text(b *block) []byte {
	n := len(b.raw) - len(s.head) - len(s.tail)
	if s.head == nil || n <= 0 || !bytes.HasPrefix(b.raw, s.head) || !bytes.HasSuffix(b.raw, s.tail) {
		return nil
	}
	text := b.raw[len(s.head) : len(s.head)+n]
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return nil
		}
	}
	return text
}
