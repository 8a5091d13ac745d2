package constrain

import (
	"encoding/binary"
	"math/bits"
)

// charset is a set of characters: any ASCII characters, and either all others or
// none. Engines agree on how to read such classes, but not on others.
type charset struct {
	low  [2]uint64 // ASCII characters
	high bool      // all others
}

// chars returns the set of the ASCII characters in s.
func chars(s string) (set charset) {
	for i := range len(s) {
		set.add(s[i])
	}
	return set
}

// between returns the set of the ASCII characters from a to z.
func between(a, z byte) (set charset) {
	for c := int(a); c <= int(z); c++ {
		set.add(byte(c))
	}
	return set
}

// anything is the set of all characters.
var anything = charset{[2]uint64{^uint64(0), ^uint64(0)}, true}

func (s *charset) add(c byte)     { s.low[c>>6] |= 1 << (c & 63) }
func (s charset) has(c byte) bool { return s.low[c>>6]&(1<<(c&63)) != 0 }

// contains reports whether the character r is in the set.
func (s charset) contains(r rune) bool {
	if r >= 0x80 {
		return s.high
	}
	return r >= 0 && s.has(byte(r))
}

func (s charset) union(t charset) charset {
	return charset{[2]uint64{s.low[0] | t.low[0], s.low[1] | t.low[1]}, s.high || t.high}
}

// without returns the characters of s that are not in t.
func (s charset) without(t charset) charset {
	return charset{[2]uint64{s.low[0] &^ t.low[0], s.low[1] &^ t.low[1]}, s.high && !t.high}
}

func (s charset) intersect(t charset) charset {
	return charset{[2]uint64{s.low[0] & t.low[0], s.low[1] & t.low[1]}, s.high && t.high}
}

// size returns the number of ASCII characters.
func (s charset) size() int { return bits.OnesCount64(s.low[0]) + bits.OnesCount64(s.low[1]) }

// single returns the only character of the set, if there is just one and it is ASCII.
func (s charset) single() (byte, bool) {
	if s.high || s.size() != 1 {
		return 0, false
	}
	for c := range byte(0x80) {
		if s.has(c) {
			return c, true
		}
	}
	return 0, false
}

// ranges calls f for each run of ASCII characters in the set, in order.
func (s charset) ranges(f func(from, to byte)) {
	for c := 0; c < 0x80; c++ {
		if !s.has(byte(c)) {
			continue
		}
		from := c
		for c+1 < 0x80 && s.has(byte(c+1)) {
			c++
		}
		f(byte(from), byte(c))
	}
}

func (s charset) appendKey(key []byte) []byte {
	key = binary.LittleEndian.AppendUint64(key, s.low[0])
	key = binary.LittleEndian.AppendUint64(key, s.low[1])
	if s.high {
		return append(key, 1)
	}
	return append(key, 0)
}
