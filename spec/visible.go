package spec

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A cell is one character of an example as it is shown.
type cell struct {
	start, end int    // of the bytes that it represents
	glyph      string // as it is shown in plain text
	sign       bool   // the glyph represents something invisible
	line       bool   // the line ends after it
}

// firstWide is the first of the characters that take two columns of a terminal: those of
// East Asia, and emoji.
const firstWide = 0x2e80

// Of a longer text the middle is left out.
const (
	longest  = 300
	keepHead = 120
	keepTail = 80
)

// cells returns the characters of a text. A space at the beginning or the end
// of a line or beside another one, controls, and bytes that are not UTF-8 are
// shown by signs.
func cells(text []byte) (all []cell) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		c := cell{start: i, end: i + size, glyph: string(r)}
		switch {
		case r == utf8.RuneError && size == 1:
			c.glyph, c.sign = fmt.Sprintf("⟨%02X⟩", text[i]), true
		case r == '\n':
			c.glyph, c.sign, c.line = "↵", true, true
		case r == '\r':
			c.glyph, c.sign, c.line = "⟨CR⟩", true, i+1 == len(text) || text[i+1] != '\n'
		case r == '\t':
			c.glyph, c.sign = "⇥", true
		case r == ' ':
			if i == 0 || i+1 == len(text) || isBlank(text[i-1]) || isBlank(text[i+1]) {
				c.glyph, c.sign = "␣", true
			}
		case !unicode.IsPrint(r) || unicode.In(r, unicode.Mn):
			c.glyph, c.sign = fmt.Sprintf("⟨U+%04X⟩", r), true
		}
		all = append(all, c)
		i += size
	}
	if len(all) > longest {
		left := cell{start: all[keepHead].start, end: all[len(all)-keepTail].start, sign: true}
		left.glyph = fmt.Sprintf("… %d bytes …", left.end-left.start)
		all = append(append(all[:keepHead:keepHead], left), all[len(all)-keepTail:]...)
	}
	return all
}

// caretLines returns the lines of a text, each followed by a line with carets
// under its marks.
func caretLines(text []byte, marks marks) (lines []string) {
	line, carets, notes, column := "", "", []string(nil), 0
	flush := func() {
		lines = append(lines, line)
		if carets != "" {
			lines = append(lines, carets+" "+strings.Join(notes, "; "))
		}
		line, carets, notes, column = "", "", nil, 0
	}
	point := func(start, end int) {
		for _, at := range marks.in(start, end) {
			carets += strings.Repeat(" ", max(0, column-len(carets))) + "^"
			notes = append(notes, fmt.Sprintf("%s at %d", marks[at], at))
		}
	}
	for _, c := range cells(text) {
		point(c.start, c.end)
		line += c.glyph
		column += utf8.RuneCountInString(c.glyph)
		if r, _ := utf8.DecodeRuneInString(c.glyph); r >= firstWide {
			column++
		}
		if c.line {
			flush()
		}
	}
	point(len(text), len(text)+1)
	if line != "" || carets != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// marked returns text as HTML, with its signs and marks highlighted. A mark shows its code
// and offset when the pointer is over it.
func marked(text []byte, marks marks) string {
	var b strings.Builder
	in := func(start, end int, class, inner string) {
		if all := marks.in(start, end); len(all) > 0 {
			inner = fmt.Sprintf(`<mark%s title="%s at %d">%s</mark>`,
				class, marks[all[0]], all[0], inner)
		}
		b.WriteString(inner)
	}
	for _, c := range cells(text) {
		shown := html.EscapeString(c.glyph)
		if c.sign {
			shown = `<span class="sign">` + shown + "</span>"
		}
		in(c.start, c.end, "", shown)
		if c.line {
			b.WriteString("\n")
		}
	}
	in(len(text), len(text)+1, ` class="end"`, "")
	return b.String()
}

func isBlank(b byte) bool { return strings.IndexByte(" \t\r\n", b) >= 0 }
