package endpoint

import "strings"

// How much of a secret may be repeated: shorter pieces are words that anybody
// says.
const (
	secretOfKey    = 6
	secretOfPrompt = 24
)

// without returns text with a mark in the place of every piece of a secret that
// is at least least bytes long. It takes the time of both lengths multiplied.
func without(text, secret string, least int) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 0
		if i+least <= len(text) && strings.Contains(secret, text[i:i+least]) {
			n = least
			for i+n < len(text) && strings.Contains(secret, text[i:i+n+1]) {
				n++
			}
		}
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString("•••")
		i += n
	}
	return strings.ToValidUTF8(b.String(), "")
}
