package main

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestInChunks reads pieces of one size, however the bytes arrive.
func TestInChunks(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want []string
	}{
		{"", 3, nil},
		{"ab", 3, []string{"ab"}},
		{"abc", 3, []string{"abc"}},
		{"abcdefg", 3, []string{"abc", "def", "g"}},
		{"abc", 1, []string{"a", "b", "c"}},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
			var got []string
			chunk := make([]byte, largestChunk)
			for r := inChunks(in, c.n); ; {
				n, err := r.Read(chunk)
				if n > 0 {
					got = append(got, string(chunk[:n]))
				}
				if err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q by %d: %q", c.text, c.n, got)
			}
		}
	}
}

// TestChunkPrintsTheSame: --chunk changes no line that parse prints.
func TestChunkPrintsTheSame(t *testing.T) {
	for _, args := range [][]string{{"parse", sample}, {"parse", "--json", sample}} {
		want := callwire("", args...)
		for _, n := range []string{"1", "2", "65536"} {
			if got := callwire("", append(args, "--chunk", n)...); got != want || got.code != exitOK {
				t.Errorf("%v --chunk %s: code %d\n%s", args, n, got.code, got.stdout)
			}
		}
	}
}
