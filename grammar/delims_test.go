package grammar

import (
	"strings"
	"testing"
)

func TestDelimsCheck(t *testing.T) {
	for _, test := range []struct {
		open, close string
		legal       bool
	}{
		{"<call>", "</call>", true},
		{"<<", ">>", true},
		{"@a", "@b", true},
		{"_call!", "_end_", true},
		{"$" + strings.Repeat("x", 31), "</>", true},
		{`<"`, `<'`, true},
		{"#[", "#]", true},

		{"<", "</call>", false},
		{"<" + strings.Repeat("x", 32), "</call>", false},
		{"<call>", "", false},
		{"call>", "</call>", false},
		{"1call", "</call>", false},
		{"<ca ll>", "</call>", false},
		{"<call>", "</call>\n", false},
		{"<cäll>", "</call>", false},
		{"<call\x00>", "</call>", false},
		{"<call\x7f>", "</call>", false},
		{"<call>", "<call>", false},
		{"<call>", "x<call>", false},
		{"<call>", "<call>>", false},
		{"<<call>", "<call>", false},

		{"@@", "##", false},
		{"__", "_/", false},
		{"|call|", "|/call|", false},
		{"<(x<(", "</x>", false},
		{"$[$", "$]$", false},
		{"|{|", "|}|", false},
		{"((", "@@", true},
		{"<1<", "|x|", true},
		{"|<|", "__", true},
	} {
		err := Delims{test.open, test.close}.Check()
		if (err == nil) != test.legal {
			t.Errorf("%q %q: %v", test.open, test.close, err)
		}
	}
	for _, first := range `"'\=[]{}.,` {
		if err := (Delims{string(first) + "x", "</x>"}).Check(); err == nil {
			t.Errorf("a tag may begin with %q", first)
		}
	}
}

// Every rule holds with other tags as with the default ones, even if a tag begins
// with a byte that a name, a key or a bare value may contain.
func TestOtherTags(t *testing.T) {
	g0 := standard(t)
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
