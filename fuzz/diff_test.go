package fuzz

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

var (
	exhaustive = flag.Int("exhaustive", 3, "length in tokens of the exhaustive tests")
	soups      = flag.Int("soups", 20000, "number of random texts")
)

// setups are the ways in which soup is read.
var setups = []Setup{
	{},
	{Accept: true},
	{Stop: true, Tools: []string{"t", "tool"}},
	{Limits: lexer.Limits{Bytes: 24, Depth: 2, Arguments: 2, Name: 4}},
	{Limits: lexer.Limits{Bytes: 17, Depth: 1, Arguments: 1, Name: 2}, Accept: true},
	{Delims: lexer.Delims{Open: "@c", Close: "@/c"}},
	{Delims: lexer.Delims{Open: "<<call>", Close: "</call>"}},
}

// bytewise cuts n bytes into single ones.
func bytewise(n int) []byte {
	cuts := make([]byte, n)
	for i := range cuts {
		cuts[i] = 1
	}
	return cuts
}

// TestExhaustive reads every short sequence of tokens: the grammar and the
// parser agree, and every chunking gives the same.
func TestExhaustive(t *testing.T) {
	for name, tokens := range Soups {
		t.Run(name, func(t *testing.T) {
			Sequences(tokens, *exhaustive, func(text string) bool {
				check(t, text, nil)
				return !t.Failed()
			})
		})
	}
}

func check(t *testing.T, text string, r *rand.Rand) {
	t.Helper()
	for i, s := range setups {
		if r == nil && i > 3 {
			break
		}
		if diff := Diff(text, s); diff != "" {
			t.Errorf("setup %d %+v\n%s", i, s, diff)
			return
		}
		var cuts []byte
		if r == nil {
			cuts = bytewise(len(text))
		} else {
			for range r.IntN(len(text) + 1) {
				cuts = append(cuts, byte(r.IntN(4)))
			}
		}
		if diff := Split(s.catalog(), s.options(), []byte(text), cuts); diff != "" {
			t.Errorf("setup %d %+v\n%s", i, s, diff)
			return
		}
	}
}

// TestSoup is TestExhaustive for long random texts.
func TestSoup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range *soups {
		check(t, Soup(r, 1+r.IntN(14)), r)
		if t.Failed() {
			return
		}
	}
}

var _ = parse.Options{}
