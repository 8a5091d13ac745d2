package endpoint

import "strings"

// How much of a secret may be repeated: shorter pieces are words that anybody
// says.
const (
	secretOfKey    = 6
	secretOfPrompt = 24
)

// realKey is how long a key is that a model does not write by itself; local
// endpoints take words for keys, which it may.
const realKey = 16

// hide puts a mark in place of the key, which an endpoint may repeat.
func (a *Answer) hide(key string) {
	if len(key) < realKey {
		return
	}
	for _, text := range a.texts() {
		*text = strings.ReplaceAll(*text, key, "•••")
	}
}

// texts returns all that came from the endpoint.
func (a *Answer) texts() []*string {
	texts := []*string{&a.Text, &a.Finish}
	for i := range a.Calls {
		c := &a.Calls[i]
		texts = append(texts, &c.ID, &c.Name, &c.Arguments)
	}
	return texts
}

// without returns text with a mark in place of every piece of a secret that
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
