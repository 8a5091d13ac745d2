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
	for _, tags := range []Delims{
		{"<<", ">>"}, {"@call!", "@end@"}, {"/a", "/z"}, {"-->", "<--"},
		{"_t", "_/"}, {":call", ":end:"}, {"<x", "</"}, {"|call!", "|/call|"},
	} {
		g := between(t, tags.Open, tags.Close)
		replace := strings.NewReplacer("<call>", tags.Open, "</call>", tags.Close)
		for _, test := range bodies {
			text := replace.Replace(test.text)
			if occurrences(text, tags) != occurrences(test.text, DefaultDelims) {
				continue // the body happens to contain such a tag
			}
			got := g.Read([]byte(text), Options{})
			if len(got) != 1 || got[0].Call == nil {
				t.Errorf("%q: %s", text, describe(got))
			} else if json := string(got[0].Call.JSON()); json != replace.Replace(test.json) {
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

// D3: a tag ends a name, a key and a bare value, with any first byte.
func TestTagEndsToken(t *testing.T) {
	g := between(t, "@call", "/end")
	for _, test := range []struct {
		text, want string
	}{
		{"@callt/end", "call[0:10]"},
		{"@callt@call", "bad-name@6[0:11]+"},
		{"@callt@callu/end", "bad-name@6[0:6]+ call[6:16]!"},
		{"@callt a@callu/end", "expected-equals@8[0:8]+ call[8:18]!"},
		{"@callt a=b@callu/end", "nested-call@10[0:10]+ call[10:20]!"},
		{"@callt a=@callu/end", "nested-call@9[0:9]+ call[9:19]!"},
		{"@callt a={b@callu/end", "expected-colon@11[0:11]+ call[11:21]!"},
		{"@callt a/end", "expected-equals@8[0:12]"},
		{"@callt a=[b/end", "expected-comma@11[0:15]"},
		{"@call@callu/end", "text[0:5] call[5:15]"},
		{"@call/end", "text[0:9]"},
		{"@call@", "text[0:6]"},
		{"@callt/en", "unterminated-call@9[0:9]+"},
		{"@callt a=b@", "unterminated-call@11[0:11]+"},
	} {
		if got := describe(g.Read([]byte(test.text), Options{})); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

// D3: where a colon is expected, it is read as one even if a tag begins with it.
func TestColonBeforeTag(t *testing.T) {
	g := between(t, ":call", ":end")
	got := g.Read([]byte(`:call t {a:end, b :call}:end`), Options{})
	if len(got) != 1 || got[0].Call == nil {
		t.Fatal(describe(got))
	}
	if json := string(got[0].Call.JSON()); json != `{"a":"end","b":"call"}` {
		t.Error(json)
	}
	got = g.Read([]byte(`:call t {a :call}:end`), Options{})
	if json := string(got[0].Call.JSON()); json != `{"a":"call"}` {
		t.Error(json)
	}
}
