package grammar

import (
	"strings"
	"testing"
)

// Every rule holds with other tags as with the default ones, even if a tag begins
// with a byte that a name, a key or a bare value may contain.
func TestOtherTags(t *testing.T) {
	g0 := New(DefaultDelims)
	for _, tags := range []Delims{
		{"<<", ">>"}, {"@call!", "@end@"}, {"/a", "/z"}, {"-->", "<--"},
		{"_t", "_/"}, {":call", ":end:"}, {"<x", "</"}, {"|call!", "|/call|"},
	} {
		g := New(tags)
		replace := strings.NewReplacer("<call>", tags.Open, "</call>", tags.Close)
		for _, test := range calls(t) {
			text := replace.Replace(test.text)
			if occurrences(text, tags) != occurrences(test.text, DefaultDelims) {
				continue // the body happens to contain such a tag
			}
			got := g.Read([]byte(text), Options{})
			if len(got) != 1 || got[0].Call == nil {
				t.Errorf("%q: %s", text, describe(got))
			} else if json := got[0].Input; json != replace.Replace(g0.Read([]byte(test.text), Options{})[0].Input) {
				t.Errorf("%q: %s", text, json)
			}
		}
	}
}

// occurrences counts the tags in a text, including overlapping ones.
func occurrences(text string, tags Delims) int {
	n := 0
	for i := range text {
		if strings.HasPrefix(text[i:], tags.Open) || strings.HasPrefix(text[i:], tags.Close) {
			n++
		}
	}
	return n
}
