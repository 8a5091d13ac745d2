package runner

import (
	"slices"

	"github.com/callwire/callwire/corpus"
)

// opStream is the operation of the checks that stream a text. It is not one of the
// protocol.
const opStream = "stream"

// A question is what is asked at a time: one request, or one stream from its first chunk
// to its end.
type question struct {
	cuts  []int // nil if it is not a stream
	reset int   // feed that many bytes and reset the stream first; 0: don't
	twin  bool  // feed a second stream with the same text alternately

	// lockstep sends each request after the answer to the one before. Then an event that
	// comes before its bytes must be a guess.
	lockstep bool
}

const (
	largeChunk   = 1 << 16 // the chunks of a large text
	lockstepText = 64      // the longest text that is also streamed in lockstep, byte by byte
)

// questions returns what a check asks, the plainest first.
func (r *Result) questions(m corpus.Matrix) []question {
	if r.Op != opStream {
		return []question{{}}
	}
	n := len(r.Case.Text)
	if r.Case.Repeat != nil { // that it can be fed at all is what counts
		n = len(r.Case.Whole())
		return []question{{cuts: corpus.Every(largeChunk, largeChunk, n)}}
	}
	var all []question
	for _, cuts := range m.Splits(n) {
		bytewise := len(cuts) == n-1 && n <= lockstepText
		all = append(all, question{cuts: cuts, lockstep: len(cuts) == 0 || bytewise})
	}
	if n > 0 {
		half := []int{n / 2}
		for _, at := range []int{n, n/2 + 1, n/3 + 1, 1} {
			all = append(all, question{cuts: half, reset: min(at, n)})
		}
		all = append(all, question{cuts: half, twin: true})
	}
	return all
}

// The ids of a stream and its twin.
const firstID, secondID = "s1", "s2"

// requests returns the requests of a question. The text is the whole one of a stream.
func (r *Result) requests(q *question, text []byte) (all []corpus.Request) {
	whole := r.Case.Request()
	if q.cuts == nil {
		return []corpus.Request{whole}
	}
	ids := []string{firstID}
	if q.twin {
		ids = append(ids, secondID)
	}
	setting := map[string]corpus.Setting{firstID: whole.Setting, secondID: whole.Setting}
	feed := func(id string, chunk []byte) {
		all = append(all, corpus.Request{Op: corpus.Feed, ID: id, Setting: setting[id],
			Text: chunk})
		delete(setting, id) // it comes with the first chunk
	}
	if q.reset > 0 {
		feed(firstID, text[:q.reset])
		all = append(all, corpus.Request{Op: corpus.Reset, ID: firstID})
	}
	start := 0
	for _, end := range append(slices.Clone(q.cuts), len(text)) {
		for _, id := range ids {
			feed(id, text[start:end])
		}
		start = end
	}
	for _, id := range ids {
		all = append(all, corpus.Request{Op: corpus.Close, ID: id})
	}
	return all
}
