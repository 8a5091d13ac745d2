package sig

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Descriptions are untrusted text. In a signature they become prose: one line of
// visible characters, of bounded length.

// oneLine returns text in one line: every run of whitespace and control characters
// becomes one space, with none at the ends; invisible characters and those that
// change the direction of text are removed; bytes that are not UTF-8 become
// U+FFFD.
func oneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case Invisible(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}

// ellipsis marks the end of shortened prose.
const ellipsis = "…"

// cut shortens text, one line, to at most n characters. It cuts at the end of a
// sentence if there is one in the second half of what fits, otherwise after a word,
// and adds "…". It never cuts inside a word.
func cut(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	runes, word, sentence := 0, 0, 0
	for i, r := range text {
		if i > 0 && breaksBefore(text, i, r) {
			if runes < n {
				word = i
			}
			if runes >= n/2 && runes <= n && endsSentence(text[:i]) {
				sentence = i
			}
		}
		if runes++; runes > n {
			break
		}
	}
	switch {
	case sentence > 0:
		return text[:sentence]
	case n <= 0:
		return ""
	}
	return strings.TrimRight(text[:word], " ,;:-–—(") + ellipsis
}

// breaksBefore reports whether a word ends before r, which is at text[i:]: at a
// space, and between the characters of scripts without spaces.
func breaksBefore(text string, i int, r rune) bool {
	if r == ' ' {
		return true
	}
	if r < 0x2e80 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) &&
		unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Po)
}

// endsSentence reports whether text ends a sentence.
func endsSentence(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	switch r {
	case '。', '！', '？', '!', '?':
		return true
	case '.':
		word := text[strings.LastIndexByte(text, ' ')+1 : len(text)-n]
		return !strings.Contains(word, ".") && word != "etc" && word != "vs"
	}
	return false
}
