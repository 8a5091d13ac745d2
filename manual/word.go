package manual

import (
	"unicode"
	"unicode/utf8"
)

// splitWords splits a name at underscores, hyphens and capitals into words of letters and digits in
// lower case: getHTTPStatus is get, http, status.
func splitWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && beginsWord(name, i, r):
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}

// beginsWord reports whether the capital r at name[i] follows a small letter or a digit, or comes
// before a small letter.
func beginsWord(name string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	after, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(r):])
	return !unicode.IsUpper(before) || unicode.IsLower(after)
}

// begin returns at most the first n bytes of text, ending with a whole character.
func begin(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:runeStart(text, n)] + "…"
}
