package bnf

import (
	"errors"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// run reports whether the automaton accepts the text.
func (a *Automaton) run(text string) bool {
	at := 0
next:
	for _, r := range text {
		for _, e := range a.states[at].edges {
			if e.char != 0 && e.char == r || e.set.Contains(r) {
				at = e.to
				continue next
			}
		}
		return false
	}
	return a.states[at].accepts
}

// An automaton accepts what the patterns match.
func TestAutomaton(t *testing.T) {
	patterns := []string{
		`^a*b$`, `a`, `^$`, ``, `^[^"\\]{2,4}$`, `^(ab|a)(c|bcd)$`, `[0-9]+\.[0-9]{2}$`, `^é+$`, `(?i)^K$`, `^a.c$`, `(?s)^a.c$`, `^[\x00-\x1f]$`, `^(a|b|^c)d?$`, `x$|^y`, `$^`, `a|$^`,
		`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	}
	texts := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("abcdxykK\u212a01.\n\"\\éz"))),
		rapid.SampledFrom([]string{"2024-02-29", "2024-02-30T10:00:00Z", "123e4567-e89b-12d3-a456-426614174000", "12.34", "abcd", "\x00"}))
	for _, p := range patterns {
		re := regexp.MustCompile(p)
		a, err := Intersect([]string{p}, "")
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		b, err := Intersect([]string{p, `^.{1,3}$`}, `^[ab]*$`)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		short, ab := regexp.MustCompile(`^.{1,3}$`), regexp.MustCompile(`^[ab]*$`)
		rapid.Check(t, func(t *rapid.T) {
			text := texts.Draw(t, "text")
			if want := re.MatchString(text); a.run(text) != want {
				t.Errorf("%s: %q: %t", p, text, !want)
			}
			if want := re.MatchString(text) && short.MatchString(text) && !ab.MatchString(text); b.run(text) != want {
				t.Errorf("%s and another pattern: %q: %t", p, text, !want)
			}
		})
	}
}

// Schemas write escapes as in ECMA-262.
func TestAutomatonEscapes(t *testing.T) {
	for p, texts := range map[string][2]string{ // a text that matches, and one that does not
		`^[\u0041-\u005a]$`: {"B", "b"}, `^\u00e9$`: {"é", "e"}, `^\u{e9}$`: {"é", "e"}, `^\u0041\u0042$`: {"AB", "A"}, `^\\\u0041$`: {`\A`, "A"}, `^\\u0041$`: {`\u0041`, `\A`},
	} {
		a, err := Intersect([]string{p}, "")
		if err != nil || !a.run(texts[0]) || a.run(texts[1]) {
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, p := range []string{`\ud83d\ude00`, `\u12`, `\u`, `\`} {
		if _, err := Intersect([]string{p}, ""); err == nil {
			t.Errorf("%s is accepted", p)
		}
	}
}

func TestAutomatonRefuses(t *testing.T) {
	for p, want := range map[string]error{
		`\bx`: errLookAround, `(?m)^x`: errLookAround, `[à-ü]`: errUnicode, `[^é]`: errUnicode, `\pL`: errUnicode,
		`(a|b)*a(a|b){12}$`: errStates, `^x{1000}{2}$`: nil, `(?=x)`: nil, `(`: nil,
	} {
		if _, err := Intersect([]string{p}, ""); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", p, err)
		}
	}
}
