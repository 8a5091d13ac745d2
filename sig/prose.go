package sig

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Descriptions are written by whoever made a tool. In a signature they become
// prose: one line, of characters that people see, of bounded length.

// oneLine returns text in one line: every run of white space and control
// characters is one space, none at the ends; characters that nobody sees, or
// that turn the direction of writing, are left out; bytes that are not UTF-8
// are U+FFFD.
func oneLine(text string) string {
	if isOneLine(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = out.Len() > 0
			continue
		case Invisible(r):
			continue
		case space:
			out.WriteByte(' ')
			space = false
		}
		out.WriteRune(r)
	}
	return out.String()
}

// isOneLine reports whether text is what oneLine would make of it. It need not
// see it beyond ASCII.
func isOneLine(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(text)-1 || text[i-1] == ' ') {
			return false
		}
	}
	return true
}

// ellipsis ends prose that was cut.
const ellipsis = "…"

// cut returns text, one line, in at most n characters. It ends with a sentence
// if one ends in the second half of what fits, else with a word and "…". A word
// that is longer than what fits is left out whole.
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

// firstSentence returns text up to the end of its first sentence.
func firstSentence(text string) string {
	for i, r := range text {
		if i > 0 && breaksBefore(text, i, r) && endsSentence(text[:i]) {
			return text[:i]
		}
	}
	return text
}

// breaksBefore reports whether a word ends before r, which stands at text[i:]:
// at a space, and between the characters of scripts that use none.
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

// endsSentence reports whether a sentence ends where text does.
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
