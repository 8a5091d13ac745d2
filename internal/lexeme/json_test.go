package lexeme

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestAppendQuoted(t *testing.T) {
	for text, want := range map[string]string{
		`location`:         `"location"`,
		``:                 `""`,
		`é<&>`:             `"é<&>"`,
		`a"b\c/`:           `"a\"b\\c/"`,
		"\b\f\n\r\t":       `"\b\f\n\r\t"`,
		"\x00\x0b\x1f\x7f": `"\u0000\u000b\u001f` + "\x7f" + `"`,
		"\u2028\U0001F600": "\"\u2028\U0001F600\"",
		"plain text, long": `"plain text, long"`,
	} {
		if got := string(AppendQuoted(nil, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// JSON has none of the escapes that the wire format adds, whatever those are.
func TestJSONEscapes(t *testing.T) {
	for c := range 0x80 {
		text := `"\` + string(rune(c)) + `"`
		s := Scanner{Text: []byte(text)}
		n := s.Next().End
		fault, _ := s.Fault()
		if valid := json.Valid([]byte(text)); valid != (fault == NoFault && n == len(text)) {
			t.Errorf("%s: %v, encoding/json says %v", text, fault, valid)
		}
	}
}

// FuzzScanner compares the scanner with encoding/json.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00"],"b":null}`, `[]`,
		`{"a":1,}`, `"\'"`, `"\ud83d"`, `tru`, `01`, "\"\xff\"", `[1 2]`, ` {"" : {}} `} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Scanner{Text: []byte(text), Depth: len(text), Unpaired: true}
		for s.Next().Kind != 0 {
		}
		fault, at := s.Fault()
		if valid := json.Valid([]byte(text)) &&
			utf8.ValidString(text); valid != (fault == NoFault) {
			t.Errorf("%q: fault %d at %d, encoding/json says %v", text, fault, at, valid)
		}
	})
}
