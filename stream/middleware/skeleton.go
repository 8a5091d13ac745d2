package middleware

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
)

// skeleton is what the events of a stream have in common while a model writes: all
// but the text. An event that has the bones of the last one and nothing else that
// JSON would not read as a piece of text need not be read to be passed on, which
// takes an eighth of the CPU (0.13 of 1.1 microseconds, BenchmarkChunk). It decides
// nothing of its own: what it is not sure of goes the usual way.
type skeleton struct {
	head []byte // all before what the string holds; nil: none is known
	tail []byte // and after it, up to the padding that OpenAI gives each event
	rest []byte // and after that; nil where there is no padding
	buf  []byte // memory for a text with escapes
}

var padding = []byte(`"obfuscation":"`)

// learn takes the bones of an event, in which value is the string with the text. It
// reports whether they are others than before.
func (s *skeleton) learn(b *block, value []byte) bool {
	at := b.end - cap(value) // where value begins, because no slice of the data was capped
	if b.end == 0 || at < 0 || at+len(value) > len(b.raw) || !bytes.Equal(b.raw[at:at+len(value)], value) {
		s.head = nil
		return true
	}
	return s.set(b.raw, at, len(value))
}

// made takes the bones of an event that was written, with text once in part of it.
func (s *skeleton) made(event, part, text []byte) {
	if s.head = nil; bytes.Count(event, part) == 1 {
		s.set(event, bytes.Index(event, part)+bytes.LastIndex(part, text), len(text))
	}
}

// set takes the bones around a string of n bytes.
func (s *skeleton) set(event []byte, at, n int) (changed bool) {
	head, tail, rest := event[:at+1], event[at+n-1:], []byte(nil)
	if i := bytes.Index(tail, padding); i >= 0 { // in valid JSON this is a member, and no part of a string
		tail, rest = tail[:i+len(padding)], tail[i+len(padding):]
		n, _ := inString(rest)
		rest = rest[n:]
	}
	changed = !bytes.Equal(s.head, head) || !bytes.Equal(s.tail, tail) || !bytes.Equal(s.rest, rest)
	s.head, s.tail, s.rest = append(s.head[:0], head...), append(s.tail[:0], tail...), append(s.rest[:0], rest...)
	return changed
}

// text returns the text of an event with these bones; nil where it has others, no text,
// or escapes of more than a letter. It holds until the next call.
func (s *skeleton) text(b *block) []byte {
	if s.head == nil || !bytes.HasPrefix(b.raw, s.head) {
		return nil
	}
	rest := b.raw[len(s.head):]
	n, escaped := inString(rest)
	text := rest[:n]
	if rest = rest[n:]; n == 0 || !bytes.HasPrefix(rest, s.tail) {
		return nil
	}
	if rest = rest[len(s.tail):]; len(s.rest) > 0 {
		n, _ := inString(rest)
		rest = rest[n:]
	}
	if !bytes.Equal(rest, s.rest) {
		return nil
	}
	if escaped {
		s.buf = lexeme.AppendJSONUnquoted(s.buf[:0], text, utf8.RuneError)
		return s.buf
	}
	return text
}

// inString returns how many bytes at the beginning of b are in a JSON string, without
// escapes of more than a letter.
func inString(b []byte) (n int, escaped bool) {
	for n < len(b) {
		switch c := b[n]; {
		case c < ' ' || c == '"':
			return n, escaped
		case c == '\\':
			if n+1 == len(b) || bytes.IndexByte([]byte(`"\/bfnrt`), b[n+1]) < 0 {
				return n, escaped
			}
			escaped = true
			n++
		}
		n++
	}
	return n, escaped
}
