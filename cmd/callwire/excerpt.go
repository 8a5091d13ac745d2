package main

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/parse"
)

// An excerpt is the line in which a malformed span has its fault: what is before
// the fault, and the rest from it on. Of the line only what belongs to the span
// is shown.
type excerpt struct {
	offset        int // of a byte in the line
	before, after string
}

// excerptOf returns the excerpt of a malformed span, cut to width columns. A
// fault at the end of input is shown after the last thing that was written.
func excerptOf(s *parse.Segment, width int) excerpt {
	text := s.Text
	at := min(max(s.Err.Offset-s.Start, 0), len(text))
	if at == len(text) {
		text = bytes.TrimRight(text, " \t\r\n")
		at = len(text)
	}
	head := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	tail, _, _ := bytes.Cut(text[at:], []byte{'\n'})
	tail = bytes.TrimSuffix(tail, []byte{'\r'})

	e := excerpt{offset: s.Start + at, before: cutStart(head, width*2/3)}
	e.after = cutEnd(tail, width-cells(e.before))
	return e
}

// cutEnd returns the visible form of text, its end cut so that it takes at most
// width columns.
func cutEnd(text []byte, width int) string {
	shown := visible(text[:min(len(text), width*utf8.UTFMax)])
	n := 0
	for i, r := range shown {
		if n += cell(r); n > width-1 && i+utf8.RuneLen(r) < len(shown) {
			return shown[:i] + "…"
		}
	}
	return shown
}

// cutStart does the same at the start.
func cutStart(text []byte, width int) string {
	from := max(0, len(text)-width*utf8.UTFMax)
	for from < len(text) && from > 0 && !utf8.RuneStart(text[from]) {
		from++
	}
	shown := visible(text[from:])
	taken := cells(shown)
	if from == 0 && taken <= width {
		return shown
	}
	for taken > width-1 {
		r, n := utf8.DecodeRuneInString(shown)
		taken -= cell(r)
		shown = shown[n:]
	}
	return "…" + shown
}

// blank returns the white space that stands under text.
func blank(text string) string { return strings.Repeat(" ", cells(text)) }
