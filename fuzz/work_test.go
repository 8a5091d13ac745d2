package fuzz

import (
	"fmt"
	"math"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// TestLinearWork: property 9. Twice the text takes at most 2.2 times the steps, for every
// family of adversaries, with limits and without, whatever the chunks. It counts steps, not
// seconds, and reports the growth exponent.
func TestLinearWork(t *testing.T) {
	const n = 1 << 13
	for _, a := range someAdversaries() {
		t.Run(a.Name, func(t *testing.T) {
			worst, at := 0.0, ""
			for i, s := range a.setups() {
				for _, size := range []int{1, 7, 4096, 1 << 20} {
					once, twice := steps(s, a.Text(n), size), steps(s, a.Text(2*n), size)
					ratio := max(float64(twice.parser)/float64(once.parser), float64(twice.lexer)/float64(once.lexer))
					if ratio > worst {
						worst, at = ratio, fmt.Sprintf("setup %d, chunks of %d: %d bytes %d steps, %d bytes %d steps", i, size, n, once.parser, 2*n, twice.parser)
					}
				}
			}
			t.Logf("exponent %.2f (%s)", math.Log2(worst), at)
			if worst > growth {
				t.Errorf("twice the text is %.2f times the work: %s", worst, at)
			}
		})
	}
}

// TestWorkPerByte: property 9. No byte is read more than a few times, whatever the chunks.
func TestWorkPerByte(t *testing.T) {
	const n, most = 1 << 13, 8
	for _, a := range someAdversaries() {
		text := a.Text(n)
		for _, s := range a.setups() {
			for _, size := range []int{1, 4096} {
				if got := steps(s, text, size); got.parser > most*len(text) {
					t.Errorf("%s, chunks of %d: %d steps for %d bytes", a.Name, size, got.parser, len(text))
				}
			}
		}
	}
}

// TestLinearCopying: property 9. Steps do not include bytes that are merely copied: those show
// in allocations. Eight times the text, in chunks of one size, allocates at most twelve times
// the memory, freed or not.
func TestLinearCopying(t *testing.T) {
	const n, times, most = 1 << 12, 8, 12
	for _, a := range someAdversaries() {
		small, large := a.Text(n), a.Text(times*n)
		for _, s := range a.setups() {
			for _, size := range []int{1, 61} {
				once, more := s.cost([]byte(small), size).Allocated, s.cost([]byte(large), size).Allocated
				if more > most*(once+64<<10) {
					t.Errorf("%s, chunks of %d: %d bytes are allocated for %d, %d for %d", a.Name, size, once, len(small), more, len(large))
				}
			}
		}
	}
}

// TestMemoryPerByte: property 9. With the default limits a long text allocates at most forty
// bytes per byte, freed or not.
func TestMemoryPerByte(t *testing.T) {
	const n, most = 1 << 20, 40
	for _, a := range someAdversaries() {
		c := a.Cost(n, 4096, lexer.Limits{})
		if per := float64(c.Allocated) / float64(c.Bytes); per > most {
			t.Errorf("%s: %.1f bytes are allocated for each of %d", a.Name, per, c.Bytes)
		}
	}
}

type work struct{ lexer, parser int }

// steps counts the steps of reading text in chunks of one size.
func steps(s Setup, text string, size int) (w work) {
	lex, err := lexer.New(s.lexer())
	if err != nil {
		panic(err)
	}
	p, err := parse.NewParser(s.Catalog, s.parse())
	if err != nil {
		panic(err)
	}
	drain := func() {
		for len(lex.Tokens()) > 0 {
		}
		for p.Next() != parse.NoPart {
		}
	}
	for _, c := range Sized([]byte(text), size) {
		lex.Feed(c)
		p.Feed(c)
		drain()
	}
	lex.Close()
	p.Close()
	drain()
	return work{lex.Steps(), p.Steps()}
}
