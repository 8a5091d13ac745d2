package grammar

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A syntax error is at the first byte that cannot be right: some text completes what
// is before it, and none completes what is there with it.
func TestFaultIsFirst(t *testing.T) {
	g := standard
	var endings []string
	pieces := []string{"", `"`, "'", "1", "a", ":1", "=1", "]", "}", "]}"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				endings = append(endings, a+b+c+"</call>")
			}
		}
	}
	completes := func(text string) bool {
		for _, ending := range endings {
			if s := g.Read([]byte(text+ending), Options{}); len(s) == 1 && s[0].Kind == CallSegment {
				return true
			}
		}
		return false
	}
	syntax := map[Code]bool{BadName: true, ExpectedKey: true, ExpectedEquals: true, ExpectedSpace: true,
		ExpectedValue: true, ExpectedComma: true, ExpectedColon: true, ExpectedClose: true, NestedCall: true}
	part := rapid.SampledFrom([]string{" ", "\n", "a", "a=", ".", "1", `"`, `"x"`, "[", "]", "{", "}", ",", ":", "k:", "</call>", "<call>"})
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(part, 0, 7).Draw(t, "body"), "")
		text := "<call>t" + body
		s := g.Read([]byte(text), Options{})[0]
		if !syntax[s.Code] {
			return
		}
		if !completes(text[:s.At]) {
			t.Fatalf("%q: %s at %d, but nothing completes what is before", text, s.Code, s.At)
		}
		end := s.At + 1
		for _, tag := range []string{"<call>", "</call>"} {
			if strings.HasPrefix(text[s.At:], tag) {
				end = s.At + len(tag)
			}
		}
		if completes(text[:end]) {
			t.Fatalf("%q: %s at %d, but something completes what is there", text, s.Code, s.At)
		}
	})
}

// The parser stops where the scanner does: the states of the scanner and the
// productions describe the same language independently.
func TestParserAgreesWithScanner(t *testing.T) {
	g := standard
	rapid.Check(t, func(t *rapid.T) {
		text := "<call>t " + drawText(t)
		r := &reader{Grammar: g, Options: Options{Limits: Limits{}.OrDefault()}, text: text}
		tokens, stop := r.scan(0)
		if _, err := g.parse(tokens); (err == nil) != (stop == nil) {
			t.Fatalf("%q: the parser finds %v, the scanner %+v", text, err, stop)
		}
		if stop == nil {
			return
		}
		if _, err := g.parse(tokens[:len(tokens)-1]); err == nil || !strings.Contains(err.Error(), "<EOF>") {
			t.Fatalf("%q: the parser stops before token %d: %v", text, len(tokens)-1, err)
		}
	})
}
