package sig

import (
	"strings"
	"unicode/utf8"
)

// comment writes the description of a parameter.
func (w *signer) comment(dst []byte, text string) []byte {
	if w.o.Parameters == Off || text == "" {
		return dst
	}
	text = oneLine(text)
	if w.o.Parameters == Short {
		text = cut(strings.TrimSuffix(firstSentence(text), "."), shortDetail)
	}
	if w.lengths != nil {
		w.lengths = append(w.lengths, utf8.RuneCountInString(text))
	}
	if text = balanced(cut(text, w.longest)); text == "" || text == ellipsis {
		return dst
	}
	dst = append(dst, " ("...)
	dst = append(dst, w.guard.Neutralize(text)...)
	return append(dst, ')')
}

// balanced returns text with brackets in the place of parentheses that have no
// partner.
func balanced(text string) string {
	if !strings.ContainsAny(text, "()") {
		return text
	}
	b := []byte(text)
	var open []int
	for i, c := range b {
		switch {
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case c == ')':
			b[i] = ']'
		}
	}
	for _, i := range open {
		b[i] = '['
	}
	return string(b)
}
