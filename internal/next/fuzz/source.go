package fuzz

import "pgregory.net/rapid"

// Source makes the choices of a generator. Every generator of this package is a plain
// function of a Source, so that it works with three drivers: a *rand.Rand, for volume;
// [Drawn], for shrinking; [Choices], for native fuzzing.
//
// Generators put the simplest choice first: a source of zeros gives the smallest example.
type Source interface {
	IntN(n int) int // a number from 0 up to, not including, n
}

// Drawn returns a Source whose choices rapid draws and shrinks.
func Drawn(t *rapid.T) Source { return drawn{t} }

type drawn struct{ t *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

// Choices is a Source that takes its choices from bytes, one or more for each; after the
// last it always chooses 0.
type Choices struct{ Bytes []byte }

// IntN implements [Source].
func (c *Choices) IntN(n int) int {
	x := 0
	for m := n - 1; m > 0 && len(c.Bytes) > 0; m >>= 8 {
		x = x<<8 | int(c.Bytes[0])
		c.Bytes = c.Bytes[1:]
	}
	return x % n
}

// oneOf chooses an element of list.
func oneOf[T any](s Source, list ...T) T { return list[s.IntN(len(list))] }

// chance is true in one of n cases, and never for a source of zeros.
func chance(s Source, n int) bool { return s.IntN(n) == n-1 }
