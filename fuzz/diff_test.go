package fuzz

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var (
	exhaustive = flag.Int("exhaustive", 3, "length in tokens of the exhaustive tests")
	soups      = flag.Int("soups", 3000, "number of random texts, under -long")
)

// TestExhaustive reads every short sequence of tokens: the grammar and the parser
// agree, and the result does not depend on the chunks.
func TestExhaustive(t *testing.T) {
	for name, tokens := range Soups {
		t.Run(name, func(t *testing.T) {
			Sequences(tokens, *exhaustive, func(text string) bool {
				check(t, text, setups[:4], Bytewise(len(text)))
				return !t.Failed()
			})
		})
	}
}

// check reads text in all setups, with the grammar and in chunks with all readers.
func check(t *testing.T, text string, ways []Setup, cuts []byte) {
	t.Helper()
	for _, s := range ways {
		text := Retag(text, s.Delims)
		if diff := Diff(text, s); !s.typed() && diff != "" {
			t.Errorf("%+v\n%s", s, diff)
			return
		}
		for _, r := range Readers {
			if diff := split(r.New, s, []byte(text), cuts); diff != "" {
				t.Errorf("%s, %+v\n%s", r.Name, s, diff)
				return
			}
		}
	}
}

// TestSoup is TestExhaustive for long random texts.
func TestSoup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range often(*soups) {
		text := Soup(r, 1+r.IntN(14))
		check(t, text, setups, Cuts(r, len(text)))
		if t.Failed() {
			return
		}
	}
}
