package constrain

import (
	"errors"
	"regexp"
	"testing"

	"github.com/callwire/callwire/internal/format"
)

// flat is a schema with many kinds of values, none nested in its own kind.
const flat = `{"type":"object","properties":{
	"s":{"type":"string"},"n":{"type":"number"},"i":{"type":"integer","minimum":-5,"maximum":117},"e":{"enum":["a b","x","it's",7,null]},
	"l":{"type":"array","items":{"type":"string","maxLength":3}},"d":{"type":"string","format":"date"},"p":{"type":"string","pattern":"^[a-z]+/é?$"},
	"o":{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":["string","boolean"]}}}},"required":["s"]}`

// near returns texts that differ from text in one character.
func near(s interface{ IntN(int) int }, text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return text
	}
	i := s.IntN(len(r))
	c := rune(' ' + s.IntN(95))
	switch s.IntN(4) {
	case 0:
		return string(r[:i]) + string(r[i+1:])
	case 1:
		return string(r[:i]) + string(c) + string(r[i:])
	case 2:
		return string(r[:i])
	}
	r[i] = c
	return string(r)
}

func TestRegex(t *testing.T) {
	for _, d := range []format.Tags{{}, {Open: "<<", Close: ">>"}, {Open: "(*aab", Close: "$^"}} {
		for _, o := range []Options{{}, {Required: true}, {Required: true, Last: true}, {Last: true}} {
			o.Tags = d
			g := newGrammar(t, one(t, flat), o)
			text, err := g.Regex()
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			re, err := regexp.Compile(text)
			if err != nil {
				t.Fatalf("%+v: %v in %s", o, err, text)
			}
			r := random(1)
			for i := range 300 {
				text := g.Sample(r, i)
				if !re.MatchString(text) {
					t.Fatalf("%q is not matched by %s", text, re)
				}
				if text = near(r, text); re.MatchString(text) != match(g, text) {
					t.Fatalf("%q: %t, by %s", text, !match(g, text), re)
				}
			}
		}
	}
}

func TestNotFlat(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"v":{}}}`,
		`{"type":"object","properties":{"n":{"type":"array","items":{"$ref":"#/$defs/n"}}},"$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}}}}}`,
	} {
		if text, err := newGrammar(t, one(t, schema), Options{}).Regex(); !errors.Is(err, ErrNotFlat) {
			t.Errorf("%s: %s, %v", schema, text, err)
		}
	}
}
