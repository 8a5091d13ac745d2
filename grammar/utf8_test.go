package grammar

import (
	"testing"
	"unicode/utf8"
)

func TestIllFormed(t *testing.T) {
	for _, test := range []struct {
		text       string
		at         int
		incomplete bool
	}{
		{"", 0, false},
		{"aé中😀", 10, false},
		{"\xef\xbf\xbd", 3, false}, // U+FFFD itself
		{"a\x80", 1, false},
		{"a\xc0\x80", 1, false},
		{"\xc1", 0, false},
		{"\xf5\x80", 0, false},
		{"\xff", 0, false},
		{"\xe2\x82A", 2, false},
		{"\xe2A", 1, false},
		{"\xed\xa0\x80", 1, false},
		{"\xe0\x80\x80", 1, false},
		{"\xf0\x80\x80\x80", 1, false},
		{"\xf4\x90\x80\x80", 1, false},
		{"\xf0\x9f\x98A", 3, false},
		{"\xe2\x82\xe2\x82\xac", 2, false},
		{"a\xc3", 2, true},
		{"\xe2\x82", 2, true},
		{"\xf0\x9f\x98", 3, true},
	} {
		at, incomplete := illFormed(test.text)
		if at != test.at || incomplete != test.incomplete {
			t.Errorf("%q: %d, %v, want %d, %v", test.text, at, incomplete, test.at, test.incomplete)
		}
	}
}

// Some text continues the bytes up to the offset, and none continues one byte more:
// every text of up to three bytes is compared with unicode/utf8.
func TestIllFormedIsFirst(t *testing.T) {
	edges := []byte{'A', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
		0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	continues := func(s string) bool {
		for _, rest := range []string{"", "\x80", "\xa0", "\x90", "\x80\x80", "\x90\x80", "\xa0\x80", "\x90\x80\x80", "\x80\x80\x80"} {
			if utf8.ValidString(s + rest) {
				return true
			}
		}
		return false
	}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				s := string([]byte{a, b, c})
				at, incomplete := illFormed(s)
				if !continues(s[:at]) {
					t.Errorf("%q: nothing continues the first %d bytes", s, at)
				}
				if at < len(s) && continues(s[:at+1]) {
					t.Errorf("%q: something continues the first %d bytes", s, at+1)
				}
				if at == len(s) && incomplete == utf8.ValidString(s) {
					t.Errorf("%q: incomplete = %v", s, incomplete)
				}
			}
		}
	}
}
