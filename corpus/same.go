package corpus

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// SameJSON reports whether two JSON texts are equal: numbers by their digits, objects with the
// order of their keys, strings by their text, however it is escaped. Text that isn't JSON
// equals only itself.
func SameJSON(a, b string) bool {
	return a == b || json.Valid([]byte(a)) && json.Valid([]byte(b)) && canonical(a) == canonical(b)
}

// canonical returns valid JSON text without whitespace between its tokens. In its strings only
// quotes, backslashes and lone surrogates are escaped.
func canonical(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return escapes.ReplaceAllStringFunc(b.String(), unescaped)
}

// escapes matches an escape, or two that are a pair of surrogates.
var escapes = regexp.MustCompile(`\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)`)

func unescaped(escape string) string {
	var s string
	if json.Unmarshal([]byte(`"`+escape+`"`), &s) != nil {
		return escape
	}
	switch isReplacement := strings.EqualFold(escape, `\ufffd`); {
	case s == `"` || s == `\`:
		return `\` + s
	case s == "\ufffd" && !isReplacement: // a surrogate without its partner
		return strings.ToLower(escape)
	}
	return s
}
