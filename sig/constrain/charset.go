package constrain

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// charset is a set of characters, a bit for each: the ASCII characters, and one bit for all
// others. Engines agree on how to read such classes, but not on others.
type charset [3]uint64

const others = 0x80 // the bit of all characters that are not ASCII

// anything is the set of all characters.
var anything = charset{^uint64(0), ^uint64(0), 1}

// chars returns the set of the ASCII characters in s.
func chars(s string) (set charset) {
	for _, c := range s {
		set.add(c)
	}
	return set
}

// between returns the set of the ASCII characters from a to z.
func between(a, z rune) (set charset) {
	for c := a; c <= z; c++ {
		set.add(c)
	}
	return set
}

func (s *charset) add(r rune) { s[r>>6] |= 1 << (r & 63) }

// has reports whether the character r is in the set.
func (s charset) has(r rune) bool {
	r = min(r, others)
	return s[r>>6]&(1<<(r&63)) != 0
}

func (s charset) union(t charset) charset {
	return charset{s[0] | t[0], s[1] | t[1], s[2] | t[2]}
}

// without returns the characters of s that are not in t.
func (s charset) without(t charset) charset {
	return charset{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2]}
}

func (s charset) intersect(t charset) charset { return s.without(anything.without(t)) }

// ascii returns the ASCII characters in the set.
func (s charset) ascii() []rune {
	list := make([]rune, 0, bits.OnesCount64(s[0])+bits.OnesCount64(s[1]))
	for c := rune(0); c < others; c++ {
		if s.has(c) {
			list = append(list, c)
		}
	}
	return list
}

// class returns the set in brackets. Spaces, controls and the special characters are written
// in the escape. A set with the non-ASCII characters is written as the negation of the ASCII
// characters not in it.
func (s charset) class(special, escape string) string {
	one := func(c rune) string {
		if c <= ' ' || c == 0x7f || strings.ContainsRune(special, c) {
			return fmt.Sprintf(escape, c)
		}
		return string(c)
	}
	text := "["
	if s.has(others) {
		text += "^"
		s = anything.without(s)
	}
	for c := rune(0); c < others; c++ {
		if !s.has(c) {
			continue
		}
		from := c
		for c+1 < others && s.has(c+1) {
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

func (s charset) appendKey(key []byte) []byte {
	for _, word := range s {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return key
}
