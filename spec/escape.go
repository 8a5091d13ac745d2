package spec

import (
	"regexp"
	"strings"
)

// blankLines are more blank lines than Markdown needs.
var blankLines = regexp.MustCompile(`\n{3,}`)

// literally escapes what would mean something in Markdown, in a sentence that is
// none.
func literally(s string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`, "~", `\~`,
	).Replace(s)
}
