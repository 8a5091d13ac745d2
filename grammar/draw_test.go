package grammar

import (
	"strings"

	"pgregory.net/rapid"
)

// drawText draws texts that exercise much of the grammar.
func drawText(t *rapid.T) string {
	part := rapid.SampledFrom([]string{
		"<call>", "</call>", "<call>t ", "<", "</c", " ", " ", "\n", "t", "a", "b=", "a=", "c.d=", "=", ".", "1", "x",
		`"`, `"`, `'`, `"x"`, `\`, "[", "]", "{", "}", ",", ":", "k:", "(", "\\u0041", "\xff", "\xe2", "\x82", "é", "\x00", "</call>",
	})
	return strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "text"), "")
}
