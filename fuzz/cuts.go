package fuzz

import "slices"

// Chunks divides in into chunks of the lengths in cuts, in bytes; the last chunk is the
// rest.
func Chunks(in, cuts []byte) [][]byte {
	var chunks [][]byte
	for _, n := range cuts {
		k := min(int(n), len(in))
		chunks = append(chunks, in[:k])
		in = in[k:]
	}
	return append(chunks, in)
}

// Sized divides in into chunks of n bytes; the last may be shorter.
func Sized(in []byte, n int) [][]byte { return slices.Collect(slices.Chunk(in, max(n, 1))) }

// Cuts returns cuts for about n bytes: none, short ones, empty ones and long
// ones.
func Cuts(s Source, n int) []byte {
	var cuts []byte
	for at := 0; at < n && !chance(s, 12); {
		c := oneOf(s, 1, 2, 0, 3, 1+s.IntN(16), 1+s.IntN(200))
		cuts = append(cuts, byte(c))
		at += c
	}
	return cuts
}
