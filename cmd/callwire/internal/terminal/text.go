// Package terminal prints text on a terminal. A terminal obeys some control characters and hides
// others, so the text of models, tools and schemas is made visible first. It has columns, and some
// characters take two of them. It may have color, or a line that can be redrawn.
package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Cells returns how many columns of a terminal text takes.
func Cells(text string) int {
	n := 0
	for _, r := range text {
		n += cell(r)
	}
	return n
}

// cell returns how many columns r takes: none for a combining character, two for an East Asian
// character or an emoji.
func cell(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		0x3000 < r && r < 0x3040, 0xff00 < r && r < 0xff61, // punctuation and full-width forms
		0x1f300 <= r && r < 0x20000:
		return 2
	}
	return 1
}

// CutEnd returns the visible form of text, cut at the end to at most width columns.
func CutEnd[T ~string | ~[]byte](text T, width int) string {
	shown := Visible(text)
	if Cells(shown) <= width {
		return shown
	}
	taken := 0
	for i, r := range shown {
		taken += cell(r)
		if taken >= width {
			return shown[:i] + "…"
		}
	}
	return "…"
}

// CutStart is like CutEnd, but cuts at the start.
func CutStart[T ~string | ~[]byte](text T, width int) string {
	shown := Visible(text)
	taken := Cells(shown)
	if taken <= width {
		return shown
	}
	for i, r := range shown {
		if taken < width {
			return "…" + shown[i:]
		}
		taken -= cell(r)
	}
	return "…"
}

// Blank returns whitespace as wide as text.
func Blank(text string) string { return strings.Repeat(" ", Cells(text)) }

// style matches what begins or ends a style.
var style = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Wrap puts the words of text into lines of at most width columns.
func Wrap(text string, width int) string {
	var out strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := Cells(style.ReplaceAllString(word, ""))
		switch {
		case column == 0:
		case column+1+n > width:
			out.WriteByte('\n')
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += n
	}
	return out.String()
}

// Count returns "1 call" or "2 calls".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
