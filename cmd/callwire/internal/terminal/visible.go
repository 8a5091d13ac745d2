package terminal

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
)

// appendVisible appends r, or an escape if a terminal might obey it or draw other text in its
// place.
func appendVisible(dst []byte, r rune) []byte {
	switch {
	case r == '\n' || r == '\t':
		return append(dst, byte(r))
	case r < ' ':
		return utf8.AppendRune(dst, '␀'+r)
	case r == 0x7f:
		return append(dst, "␡"...)
	case unseen.Is(r):
		return unseen.AppendEscape(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

// Visible returns text as one line that is safe to print.
func Visible[T ~string | ~[]byte](text T) string {
	var dst []byte
	for _, r := range string(text) {
		if r == '\t' || r == '\n' {
			r = ' '
		}
		dst = appendVisible(dst, r)
	}
	return string(dst)
}

// Cleaner makes text in pieces visible. Line ends become "\n".
type Cleaner struct {
	held []byte // the beginning of a rune, or a carriage return
}

// Append appends the visible form of piece to dst. It holds back what the next piece may change.
func (c *Cleaner) Append(dst, piece []byte) []byte {
	if len(c.held) > 0 {
		piece = append(c.held, piece...)
	}
	for len(piece) > 0 && utf8.FullRune(piece) && string(piece) != "\r" {
		n := easy(piece)
		dst, piece = append(dst, piece[:n]...), piece[n:]
		if n == 0 {
			r, size := utf8.DecodeRune(piece)
			piece = piece[size:]
			if r != '\r' || piece[0] != '\n' {
				dst = appendVisible(dst, r)
			}
		}
	}
	c.held = bytes.Clone(piece)
	return dst
}

// Flush appends what Append has held back, at the end of the text.
func (c *Cleaner) Flush(dst []byte) []byte {
	for _, r := range string(c.held) {
		dst = appendVisible(dst, r)
	}
	c.held = nil
	return dst
}

// VisibleText returns text of several lines that is safe to print.
func VisibleText(text string) string {
	var c Cleaner
	return string(c.Flush(c.Append(nil, []byte(text))))
}

// Lines escapes invisible characters in whole lines of text with backslash escapes, such as JSON.
type Lines struct{ Out io.Writer }

// Write writes whole lines.
func (w Lines) Write(lines []byte) (int, error) {
	clean := lines
	if easy(lines) < len(lines) { // few have something beyond ASCII
		parts := strings.Split(string(lines), "\n")
		for i, line := range parts {
			parts[i] = unseen.Escape(line)
		}
		clean = []byte(strings.Join(parts, "\n"))
	}
	if _, err := w.Out.Write(clean); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// easy returns the number of bytes at the beginning of text that need no escape.
func easy(text []byte) int {
	for i, b := range text {
		if b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			return i
		}
	}
	return len(text)
}
