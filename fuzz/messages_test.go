package fuzz

import (
	"flag"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

var (
	messages    = flag.Int("messages", 20000, "number of random messages, under -long")
	messageSeed = flag.Uint64("messages.seed", 2, "which random messages")
)

// TestMessages: properties 1, 2, 3 and 19, in volume and without shrinking. Each new reader
// reads every message whole, and in chunks after a Reset in the middle of another message:
// the result is the same, and no rune is broken.
func TestMessages(t *testing.T) {
	n := often(*messages)
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		r := rand.New(rand.NewPCG(1, *messageSeed))
		used := make([]Reader, len(setups))
		for i, s := range setups {
			used[i] = open(s)
		}
		for range n {
			i := r.IntN(len(setups))
			s, reader := setups[i], used[i]
			before, in := s.Message(r), s.Message(r)
			for _, chunk := range Chunks(before[:r.IntN(len(before)+1)], Cuts(r, len(before))) {
				reader.Feed(chunk)
			}
			reader.Reset()
			cuts := Cuts(r, len(in))
			got, err := Read(reader, Chunks(in, cuts)...)
			if err != nil {
				t.Fatalf("%+v\n%q cut %v behind %q: %v", s, in, cuts, before, err)
			}
			if d, ok := reader.(*decoderReader); ok && d.ragged && utf8.Valid(in) {
				t.Fatalf("%+v\n%q cut %v: a delta ends inside a rune", s, in, cuts)
			}
			reader.Reset()
			want, err := Read(open(s), in)
			if err != nil {
				t.Fatalf("%+v\n%q: %v", s, in, err)
			}
			if diff := Differ(want, got); diff != "" {
				t.Fatalf("%+v\n%q cut %v behind %q: %s", s, in, cuts, before, diff)
			}
		}
	})
}
