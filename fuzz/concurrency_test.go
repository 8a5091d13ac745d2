package fuzz

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestConcurrency: any number of readers share a catalog, each in its own goroutine.
// Run it with -race.
func TestConcurrency(t *testing.T) {
	const readers, messages = 8, 200
	s := Setup{Catalog: types}
	in := make([][]byte, messages)
	want := make([][]Part, messages)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range in {
		in[i] = Message(r)
		want[i], _ = Read(newDecoderReader(s), in[i])
	}
	var wg sync.WaitGroup
	for g := range readers {
		wg.Go(func() {
			c := rand.New(rand.NewPCG(7, uint64(g)))
			own := newDecoderReader(s)
			for range messages {
				i := c.IntN(messages)
				own.Reset()
				got, err := Read(own, Chunks(in[i], Cuts(c, len(in[i])))...)
				if err != nil || Differ(want[i], got) != "" {
					t.Errorf("%q: %v, %s", in[i], err, Differ(want[i], got))
					return
				}
				tr := Trip(c, types)
				if wrong, _ := tr.check(); wrong != "" {
					t.Error(wrong)
					return
				}
			}
		})
	}
	wg.Wait()
}
