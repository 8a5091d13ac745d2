package constrain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charset is a set of characters: ASCII characters in order, then others if it has all others.
// Engines agree on how to read such classes, but not on others.
type charset string

const others = unicode.MaxRune // represents all characters that are not ASCII

// anything is the set of all characters.
var anything = func() (set charset) {
	for c := range rune(utf8.RuneSelf) {
		set += charset(c)
	}
	return set + charset(others)
}()

// span returns the set of the ASCII characters from a to z.
func span(a, z byte) charset { return anything[a : z+1] }

// chars returns the set of the ASCII characters in s.
func chars(s string) charset { return anything.intersect(charset(s)) }

// has reports whether the character r is in the set.
func (s charset) has(r rune) bool {
	if r >= utf8.RuneSelf {
		r = others
	}
	return strings.ContainsRune(string(s), r)
}

// where returns the characters for which keep returns true.
func (s charset) where(keep func(r rune) bool) charset {
	return charset(strings.Map(func(r rune) rune {
		if keep(r) {
			return r
		}
		return -1
	}, string(s)))
}

func (s charset) intersect(t charset) charset { return s.where(t.has) }

func (s charset) union(t charset) charset {
	return anything.where(func(r rune) bool { return s.has(r) || t.has(r) })
}

// without returns the characters of s that are not in t.
func (s charset) without(t charset) charset {
	return s.where(func(r rune) bool { return !t.has(r) })
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
	list := []rune(string(s))
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n] == list[0]+rune(n) {
			n++
		}
		text += one(list[0])
		if n > 2 {
			text += "-"
		}
		if n > 1 {
			text += one(list[n-1])
		}
		list = list[n:]
	}
	return text + "]"
}
