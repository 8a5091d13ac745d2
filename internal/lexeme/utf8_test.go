package lexeme

import (
	"testing"
	"unicode/utf8"
)

// goesOn reports whether some valid text begins with b, by trying: it is what
// ill-formed means, said without a table.
func goesOn(b []byte) bool {
	if utf8.Valid(b) {
		return true
	}
	next := []byte{0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf}
	var try func(b []byte, more int) bool
	try = func(b []byte, more int) bool {
		if utf8.Valid(b) {
			return true
		}
		for _, c := range next {
			if more > 0 && try(append(b[:len(b):len(b)], c), more-1) {
				return true
			}
		}
		return false
	}
	return try(b, 3)
}

// The first byte that cannot continue what came before it makes text ill-formed,
// whatever the text: all of two bytes, and of three and four all edges.
func TestIllFormed(t *testing.T) {
	known := map[string]bool{}
	does := func(b []byte) bool {
		ok, asked := known[string(b)]
		if !asked {
			ok = goesOn(b)
			known[string(b)] = ok
		}
		return ok
	}
	check := func(b []byte) {
		want := -1
		for i := range b {
			if !does(b[:i+1]) {
				want = i
				break
			}
		}
		if want < 0 && !utf8.Valid(b) {
			want = len(b)
		}
		if got := IllFormed(b); got != want {
			t.Errorf("% x: %d, want %d", b, got, want)
		}
	}
	check(nil)
	for a := range 0x100 {
		check([]byte{byte(a)})
		for b := range 0x100 {
			check([]byte{byte(a), byte(b)})
		}
	}
	edges := []byte{0x00, 'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0,
		0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				check([]byte{a, b, c})
				check([]byte{'x', a, b, c})
				for _, d := range edges {
					check([]byte{a, b, c, d})
				}
			}
		}
	}
}

func TestBeginsNone(t *testing.T) {
	for c := range 0x100 {
		if got, want := BeginsNone(byte(c)), !goesOn([]byte{byte(c)}); got != want {
			t.Errorf("%#x: %v", c, got)
		}
	}
}

// A rune is partial until its last byte is there, and what can become none is
// not partial.
func TestPartialRune(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"ASCII", "a", 0},
		{"whole runes", "é€😀", 0},
		{"one of two", "a\xc3", 1},
		{"one of three", "a\xe2", 1},
		{"two of three", "a\xe2\x82", 2},
		{"one of four", "a\xf0", 1},
		{"two of four", "a\xf0\x9f", 2},
		{"three of four", "a\xf0\x9f\x98", 3},
		{"a continuation alone", "a\x80", 0},
		{"three continuations", "\x80\x80\x80", 0},
	} {
		if got := PartialRune([]byte(c.text)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
