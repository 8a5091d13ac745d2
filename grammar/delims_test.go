package grammar

import (
	"strings"
	"testing"
)

// Every rule holds with other tags as with the default ones, even if a tag begins
// with a byte that a name, a key or a bare value may contain.
func TestOtherTags(t *testing.T) {
	for _, tags := range []Delims{
		{"<<", ">>"}, {"@call!", "@end@"}, {"/a", "/z"}, {"-->", "<--"},
		{"_t", "_/"}, {":call", ":end:"}, {"<x", "</"}, {"|call!", "|/call|"},
	} {
		g := between(t, tags.Open, tags.Close)
		replace := strings.NewReplacer("<call>", tags.Open, "</call>", tags.Close)
		for _, test := range calls(t) {
			text := replace.Replace(test.text)
			if occurrences(text, tags) != occurrences(test.text, DefaultDelims) {
				continue // the body happens to contain such a tag
			}
			got := g.Read([]byte(text), Options{})
			if len(got) != 1 || got[0].Call == nil {
				t.Errorf("%q: %s", text, describe(got))
			} else if json := got[0].Input; json != replace.Replace(standard.Read([]byte(test.text), Options{})[0].Input) {
				t.Errorf("%q: %s", text, json)
			}
		}
	}
}

func TestNewRefusesTags(t *testing.T) {
	for _, tags := range []Delims{
		{"", "</x>"}, {"<", "</x>"}, {"<x>", "y>"}, {"<x y>", "</x>"}, {"<é>", "</x>"}, {"\"x", "</x>"}, {"{x", "</x>"},
		{"<x>", "<x>"}, {"<x>", "<x>y"}, {"<x>", "/" + strings.Repeat("x", 32)}, {"<a<", "</x>"}, {"<[<", "</x>"},
	} {
		if _, err := New(tags); err == nil {
			t.Errorf("%q are legal", tags)
		}
	}
	between(t, "<!<", "/"+strings.Repeat("x", 31))
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
