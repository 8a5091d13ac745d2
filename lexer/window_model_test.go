package lexer

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// However a window is fed, read and kept, it is a part of the input, at its offset,
// with the byte before it, up to the end of what was fed.
func TestWindowIsOfTheInput(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var w window
		var input []byte
		keep := 0 // offset of the first byte that is still needed
		check := func(what string) {
			t.Helper()
			at := w.base + len(w.win)
			if at > len(input) || !bytes.Equal(w.win, input[w.base:at]) || w.base > keep {
				t.Fatalf("after %s: %q at %d, of %q; kept from %d", what, w.win, w.base, input, keep)
			}
			if !bytes.Equal(w.chunk[w.used:], input[at:]) {
				t.Fatalf("after %s: %q is still to be read of %q, after %d", what, w.chunk[w.used:], input, at)
			}
			if w.base > 0 && w.prev != input[w.base-1] {
				t.Fatalf("after %s: the byte before %d is %q, of %q", what, w.base, w.prev, input)
			}
		}
		for range 1 + r.IntN(8) {
			chunk := make([]byte, []int{0, 1, 3, 100, 600, 2000}[r.IntN(6)])
			for i := range chunk {
				chunk[i] = byte('a' + r.IntN(26))
			}
			input = append(input, chunk...)
			w.feed(chunk, keep-w.base)
			check("feed")
			for more := true; more; {
				w.pos += r.IntN(len(w.win) - w.pos + 1)
				w.scan = w.pos
				if r.IntN(2) == 0 {
					w.pos, w.scan = len(w.win), len(w.win)
				}
				keep += r.IntN(w.base + w.pos - keep + 1)
				if r.IntN(3) == 0 {
					keep = w.base + w.pos
				}
				if r.IntN(6) == 0 { // not all of it is read before the next chunk
					break
				}
				more = w.refill(keep - w.base)
				if !more {
					clear(chunk) // nothing of it may be needed any more
				}
				check("refill")
			}
		}
	}
}
