package main

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// What a model writes goes to somebody's terminal, which obeys control characters
// and shows nothing of others. Here all become visible.

// appendVisible appends r, or what stands for it if a terminal might obey it or
// draw other text in its place.
func appendVisible(dst []byte, r rune) []byte {
	switch {
	case r == '\n' || r == '\t':
		return append(dst, byte(r))
	case r < ' ':
		return utf8.AppendRune(dst, '␀'+r)
	case r == 0x7f:
		return append(dst, "␡"...)
	case sig.Invisible(r):
		return sig.AppendEscape(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

// visible returns text as one line that is safe to print.
func visible(text []byte) string {
	var dst []byte
	for _, r := range string(text) {
		if r == '\t' || r == '\n' {
			r = ' '
		}
		dst = appendVisible(dst, r)
	}
	return string(dst)
}

// cleaner makes text visible that comes in pieces. Line ends become "\n".
type cleaner struct {
	held []byte // the beginning of a rune, or a carriage return
}

// append appends the visible form of piece to dst, as far as it is certain.
func (c *cleaner) append(dst, piece []byte) []byte {
	if len(c.held) > 0 {
		piece = append(c.held, piece...)
		c.held = nil
	}
	for len(piece) > 0 {
		if n := easy(piece); n > 0 {
			dst, piece = append(dst, piece[:n]...), piece[n:]
			continue
		}
		if piece[0] == '\r' {
			if len(piece) == 1 {
				break
			}
			if piece[1] == '\n' {
				piece = piece[1:]
				continue
			}
		}
		if !utf8.FullRune(piece) {
			break
		}
		r, n := utf8.DecodeRune(piece)
		dst, piece = appendVisible(dst, r), piece[n:]
	}
	c.held = bytes.Clone(piece)
	return dst
}

// flush appends what is held: no more of it comes.
func (c *cleaner) flush(dst []byte) []byte {
	for _, r := range string(c.held) {
		dst = appendVisible(dst, r)
	}
	c.held = nil
	return dst
}

// lineCleaner escapes what is invisible in whole lines of text that escapes by
// backslashes itself, such as JSON.
type lineCleaner struct{ out io.Writer }

func (c lineCleaner) Write(lines []byte) (int, error) {
	clean := lines
	if easy(lines) < len(lines) { // few have something beyond ASCII
		parts := strings.Split(string(lines), "\n")
		for i, line := range parts {
			parts[i] = sig.Visible(line)
		}
		clean = []byte(strings.Join(parts, "\n"))
	}
	if _, err := c.out.Write(clean); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// easy returns how many bytes at the beginning of text show as they are.
func easy(text []byte) int {
	for i, b := range text {
		if b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			return i
		}
	}
	return len(text)
}

// cells returns how many columns of a terminal text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cell(r)
	}
	return n
}

// cell returns how many columns r takes: none for what modifies the character
// before it, two for the ideographs of East Asia and for emoji.
func cell(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide are the characters that take two columns, by the blocks of Unicode.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul Jamo, initial
		{Lo: 0x2e80, Hi: 0xa4cf, Stride: 1}, // CJK radicals to Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul syllables
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // CJK compatibility
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, // CJK compatibility forms
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // full-width forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // emoji
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1faff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // CJK extensions
	},
}
