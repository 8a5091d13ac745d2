package terminal

import (
	"fmt"
	"strings"
)

// Wrap puts the words of text into lines of at most width columns.
func Wrap(text string, width int) string {
	var out strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := Cells(word)
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
