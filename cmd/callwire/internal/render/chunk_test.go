package render

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestChunks reads pieces of one size, however the bytes arrive.
func TestChunks(t *testing.T) {
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
			chunk := make([]byte, MaxChunk)
			for r := Chunks(in, c.n); ; {
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
