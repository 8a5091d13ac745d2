package grammar

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Everything that a production refers to is defined, and nothing else is.
func TestEBNF(t *testing.T) {
	text := regexp.MustCompile(`(?s)\(\*.*?\*\)`).ReplaceAllString(standard.EBNF(), "")
	defined := map[string]bool{}
	var bodies strings.Builder
	for line := range strings.Lines(text) {
		left, right, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		if defined[left] {
			t.Errorf("%s is defined twice", left)
		}
		defined[left] = true
		if !strings.HasPrefix(left, "<") {
			bodies.WriteString(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(right, "") + "\n")
		}
	}
	used := map[string]bool{"Text": true}
	for _, name := range regexp.MustCompile(`<[a-z]+>|[A-Z][a-z]+`).FindAllString(bodies.String(), -1) {
		used[name] = true
	}
	for name := range used {
		if !defined[name] {
			t.Errorf("%s is not defined", name)
		}
	}
	for _, unused := range []string{"<punct>", "<truncated>"} {
		used[unused] = true // no production refers to these by name
	}
	for name := range defined {
		if !used[name] {
			t.Errorf("%s is not used", name)
		}
	}
}

func TestTokens(t *testing.T) {
	tokens := between(t, "<(", "-).").Tokens()
	var names []string
	for _, token := range tokens {
		names = append(names, token.Name)
		if token.Doc == "" {
			t.Errorf("%s is not explained", token.Name)
		}
		if _, err := regexp.Compile(token.Pattern); err != nil || token.Pattern == "" {
			t.Errorf("%s: pattern %q: %v", token.Name, token.Pattern, err)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(tokens) {
		t.Errorf("names repeat: %v", names)
	}
	for name, want := range map[string]string{"Open": `<\(`, "Close": `-\)\.`, "Truncated": `(?:<|-(?:\))?)\z`} {
		if got := tokens[slices.Index(names, name)].Pattern; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Names, keys and bare values are classed byte by byte, ill-formed UTF-8
// included.
func TestPatternsOnBytes(t *testing.T) {
	const space, quotes = " \t\r\n", `"'`
	for _, test := range []struct {
		pattern string
		has     func(b byte) bool
	}{
		{patName, func(b byte) bool { return callBegins.Match([]byte{b}) && b != '{' && b != '[' }},
		{patKey, func(b byte) bool { return b > ' ' && b != 0x7f && !strings.ContainsRune(`=.<>"'[]{},`, rune(b)) }},
		{patMemberKey, func(b byte) bool { return b > ' ' && b != 0x7f && !strings.ContainsRune(`=.<>"'[]{},:`, rune(b)) }},
		{patWord, func(b byte) bool { return !strings.ContainsRune(space+quotes+"[{", rune(b)) }},
		{patItem, func(b byte) bool { return !strings.ContainsRune(space+quotes+"[]{},", rune(b)) }},
	} {
		for b := range 256 {
			text := string([]byte{byte(b)})
			match := anchored(test.pattern).FindString(text)
			if want := b >= 0x80 || test.has(byte(b)); (match == text) != want {
				t.Errorf("%s begins with byte %#02x: %v, want %v", test.pattern, b, match == text, want)
			}
		}
	}
}
