package spec

import (
	"regexp"
	"strings"
)

// blankLines are more blank lines than Markdown needs.
var blankLines = regexp.MustCompile(`\n{3,}`)

// literally escapes the characters of a plain sentence that have a meaning in Markdown.
func literally(s string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`,
		"[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`, "~", `\~`,
	).Replace(s)
}
