package main

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/parse"
)

// excerptOf returns the line of a malformed span in which its fault is: what is
// before the fault, and the rest from it on, cut to width columns together. Of
// the line only what belongs to the span is shown.
func excerptOf(s *parse.Segment, width int) (before, after string) {
	at := min(max(s.Err.Offset-s.Start, 0), len(s.Text))
	head := s.Text[bytes.LastIndexByte(s.Text[:at], '\n')+1 : at]
	tail, _, _ := bytes.Cut(s.Text[at:], []byte{'\n'})
	tail = bytes.TrimSuffix(tail, []byte{'\r'})

	before = cutStart(head, width*2/3)
	return before, cutEnd(tail, width-cells(before))
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
	if from == 0 && cells(shown) <= width {
		return shown
	}
	for cells(shown) > width-1 {
		_, n := utf8.DecodeRuneInString(shown)
		shown = shown[n:]
	}
	return "…" + shown
}

// blank returns the white space that stands under text.
func blank(text string) string { return strings.Repeat(" ", cells(text)) }
