package bnf

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// Charset is a set of characters: any ASCII characters, and either all others or
// none. Engines agree on how to read such classes, but not on others.
type Charset struct {
	low  [2]uint64 // ASCII characters
	high bool      // all others
}

// Chars returns the set of the ASCII characters in s.
func Chars(s string) (set Charset) {
	for i := range len(s) {
		set.add(s[i])
	}
	return set
}

// Between returns the set of the ASCII characters from a to z.
func Between(a, z byte) (set Charset) {
	for c := int(a); c <= int(z); c++ {
		set.add(byte(c))
	}
	return set
}

// Anything is the set of all characters.
var Anything = Charset{[2]uint64{^uint64(0), ^uint64(0)}, true}

func (s *Charset) add(c byte)     { s.low[c>>6] |= 1 << (c & 63) }
func (s Charset) Has(c byte) bool { return s.low[c>>6]&(1<<(c&63)) != 0 }

// Contains reports whether the character r is in the set.
func (s Charset) Contains(r rune) bool {
	if r >= 0x80 {
		return s.high
	}
	return r >= 0 && s.Has(byte(r))
}

func (s Charset) Union(t Charset) Charset {
	return Charset{[2]uint64{s.low[0] | t.low[0], s.low[1] | t.low[1]}, s.high || t.high}
}

// Without returns the characters of s that are not in t.
func (s Charset) Without(t Charset) Charset {
	return Charset{[2]uint64{s.low[0] &^ t.low[0], s.low[1] &^ t.low[1]}, s.high && !t.high}
}

func (s Charset) Intersect(t Charset) Charset {
	return Charset{[2]uint64{s.low[0] & t.low[0], s.low[1] & t.low[1]}, s.high && t.high}
}

// size returns the number of ASCII characters.
func (s Charset) size() int { return bits.OnesCount64(s.low[0]) + bits.OnesCount64(s.low[1]) }

// single returns the only character of the set, if there is just one and it is ASCII.
func (s Charset) single() (byte, bool) {
	if s.high || s.size() != 1 {
		return 0, false
	}
	for c := range byte(0x80) {
		if s.Has(c) {
			return c, true
		}
	}
	return 0, false
}

// class returns the set in brackets. Spaces, controls and the special characters are written
// in the escape. A set with the non-ASCII characters is written as the negation of the ASCII
// characters not in it.
func (s Charset) class(special, escape string) string {
	one := func(c int) string {
		if c <= ' ' || c == 0x7f || strings.IndexByte(special, byte(c)) >= 0 {
			return fmt.Sprintf(escape, c)
		}
		return string(rune(c))
	}
	text := "["
	if s.high {
		text += "^"
		s = Anything.Without(s)
	}
	for c := 0; c < 0x80; c++ {
		if !s.Has(byte(c)) {
			continue
		}
		from := c
		for c+1 < 0x80 && s.Has(byte(c+1)) {
			c++
		}
		text += one(from)
		if c > from+1 {
			text += "-"
		}
		if c > from {
			text += one(c)
		}
	}
	return text + "]"
}

func (s Charset) appendKey(key []byte) []byte {
	key = binary.LittleEndian.AppendUint64(key, s.low[0])
	key = binary.LittleEndian.AppendUint64(key, s.low[1])
	if s.high {
		return append(key, 1)
	}
	return append(key, 0)
}
