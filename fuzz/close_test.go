package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestAfterCloseNothing: property 18. After Close, a second Close, an Abort or further
// chunks emit nothing.
func TestAfterCloseNothing(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		lex, _ := lexer.New(s.setup.lexer())
		lex.Feed(s.in)
		drain := func() (n int) {
			for toks := lex.Tokens(); len(toks) > 0; toks = lex.Tokens() {
				n++
			}
			return n
		}
		drain()
		lex.Close()
		drain()
		lex.Close()
		lex.Abort()
		if n := drain(); n > 0 {
			rt.Fatalf("%q: the lexer went on after its end", s.in)
		}

		p, _ := parse.NewParser(s.setup.Catalog, s.setup.parse())
		p.Feed(s.in)
		next := func() (n int) {
			for p.Next() != parse.NoPart {
				n++
			}
			return n
		}
		next()
		p.Close()
		next()
		p.Close()
		p.Abort()
		if n := next(); n > 0 {
			rt.Fatalf("%q: the parser went on after its end", s.in)
		}

		d := stream.NewDecoder(s.setup.Catalog, s.setup.stream())
		for _, chunk := range Chunks(s.in, s.cuts) {
			d.Feed(chunk)
		}
		d.Close()
		if n := len(d.FeedString("x")) + len(d.Close()) + len(d.Abort()) + len(d.Feed(s.in)) + len(d.FeedString("x")) + len(d.Close()); n > 0 {
			rt.Fatalf("%q: %d events after Close", s.in, n)
		}
	})
}
