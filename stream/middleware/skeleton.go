package middleware

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
)

// While a model writes, the events of its stream differ only in their text, and in
// values that nobody reads: a number, a time, padding. A skeleton is the rest of such
// an event. An event with the bones of the last one, and with gaps that JSON reads as
// pieces of text, can pass without being read, which takes an eighth of the CPU (0.13
// of 1.1 microseconds, BenchmarkChunk). It decides nothing of its own: when in doubt,
// the event is read.
type skeleton struct {
	bones [][]byte // one more than there are gaps; none: nothing is known
	gaps  []gap
	head  int    // what of an event stands before its data
	tail  int    // and after it
	buf   []byte // memory for a text
}

// gap is a place whose content differs from event to event.
type gap struct {
	of         int // the text, or a key of the loose ones
	start, end int // where it stood in the event that was learned
}

// The gap of the text is the first; loose keys have the numbers from 1 on, of which the
// first is that of an event's number, where an API has numbers.
const (
	ofText = iota
	ofNumber
)

// filling is what stands in the gaps of an event, as JSON writes it.
type filling [1 + maxLoose][]byte

// An API may have two loose keys, so a skeleton at most four bones.
const (
	maxLoose = 2
	maxBones = 2 + maxLoose
)

// forget forgets the event.
func (s *skeleton) forget() { s.bones = s.bones[:0] }

func (s *skeleton) known() bool { return len(s.bones) > 0 }

// learn takes the bones of an event, in which value is the string with the text. It
// reports whether they have changed.
func (s *skeleton) learn(b *block, value []byte, loose []string) bool {
	at := b.end - cap(value) // where value begins, because no slice of the data was capped
	if b.end == 0 || bytes.HasPrefix(b.raw, byteOrder) || at < 0 || at+len(value) > len(b.raw) || !bytes.Equal(b.raw[at:at+len(value)], value) {
		s.forget()
		return true
	}
	s.head = b.end - cap(b.data)
	s.tail = len(b.raw) - s.head - len(b.data)
	return s.set(b.raw, at, len(value), loose)
}

// made takes the bones of an event that was written, if the member of that key, the
// string with the text, stands in it once.
func (s *skeleton) made(event []byte, key string, value []byte, loose []string) {
	part := append(append(quoted(key), ':'), value...)
	if s.forget(); bytes.Count(event, part) == 1 {
		s.set(event, bytes.Index(event, part)+len(part)-len(value), len(value), loose)
	}
}

// set takes the bones around a string of n bytes.
func (s *skeleton) set(event []byte, at, n int, loose []string) (changed bool) {
	s.gaps = append(s.gaps[:0], gap{ofText, at + 1, at + n - 1})
	for i, key := range loose {
		member := append(quoted(key), ':') // in valid JSON this is a member, not part of a string
		if start := bytes.Index(event, member); start >= 0 {
			s.gaps = loosen(s.gaps, 1+i, event, start+len(member))
		}
	}
	slices.SortFunc(s.gaps, func(a, b gap) int { return a.start - b.start })
	last := len(s.bones)
	s.bones = slices.Grow(s.bones, maxBones)[:len(s.gaps)+1]
	changed, from := last != len(s.bones), 0
	for i := range s.bones {
		end := len(event)
		if i < len(s.gaps) {
			end = s.gaps[i].start
		}
		changed = changed || !bytes.Equal(s.bones[i], event[from:end])
		s.bones[i] = append(s.bones[i][:0], event[from:end]...)
		if i < len(s.gaps) {
			from = s.gaps[i].end
		}
	}
	return changed
}

// loosen adds a gap for the value that begins at start, if it can vary: a string, or a
// number that counts up.
func loosen(gaps []gap, of int, event []byte, start int) []gap {
	text := start < len(event) && event[start] == '"'
	if text {
		start++
	}
	n := width(event[start:], text)
	if end := start + n; end < len(event) && (text && event[end] == '"' || n > 0 && (event[end] == ',' || event[end] == '}')) {
		return append(gaps, gap{of, start, end})
	}
	return gaps
}

// match returns what is in the gaps of the event that stream begins with. It returns no
// event if that has other bones, no text or escapes of more than a letter, or is not
// complete.
func (s *skeleton) match(stream []byte) (event []byte, in filling) {
	if !s.known() {
		return nil, in
	}
	rest := stream
	for i, g := range s.gaps {
		if !bytes.HasPrefix(rest, s.bones[i]) {
			return nil, in
		}
		rest = rest[len(s.bones[i]):]
		text := s.bones[i][len(s.bones[i])-1] == '"'
		n := width(rest, text)
		if n == 0 && !text {
			return nil, in
		}
		in[g.of], rest = rest[:n], rest[n:]
	}
	last := s.bones[len(s.gaps)]
	if len(in[ofText]) == 0 || !bytes.HasPrefix(rest, last) || last[len(last)-1] != '\n' { // after CR, LF may follow
		return nil, in
	}
	return stream[:len(stream)-len(rest)+len(last)], in
}

// data returns that of an event that matches.
func (s *skeleton) data(event []byte) []byte { return event[s.head : len(event)-s.tail] }

// appendTo appends an event with these bones.
func (s *skeleton) appendTo(dst []byte, in *filling) []byte {
	for i, g := range s.gaps {
		dst = append(append(dst, s.bones[i]...), in[g.of]...)
	}
	return append(dst, s.bones[len(s.gaps)]...)
}

// spelled returns the text of the inside of a JSON string. It is valid until the next
// call.
func (s *skeleton) spelled(inside []byte) []byte {
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	s.buf = lexeme.AppendJSONUnquoted(s.buf[:0], inside, utf8.RuneError)
	return s.buf
}

// escaped returns a text as the inside of a JSON string. It is valid until the next
// call.
func (s *skeleton) escaped(text []byte) []byte {
	s.buf = appendText(s.buf[:0], text)
	return s.buf
}

// width returns how many bytes at the beginning of b are in a JSON string, without
// escapes of more than a letter, or in a number that counts up.
func width(b []byte, text bool) (n int) {
	if !text {
		for n < len(b) && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		if n > 1 && b[0] == '0' {
			return 0
		}
		return n
	}
	for n < len(b) {
		switch c := b[n]; {
		case c < ' ' || c == '"':
			return n
		case c == '\\':
			if escapeLen(b[n:]) != 2 {
				return n
			}
			n++
		}
		n++
	}
	return n
}
