package runner

import (
	"fmt"
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

// largeTime is how many timeouts the answer to a large text may take.
const largeTime = 10

// mostAtOnce bounds the questions that are asked together.
const mostAtOnce = 64

// atOnce returns how many questions are asked together: one, if it is asked in lockstep.
func atOnce(questions []question) int {
	n := 1
	for !questions[0].lockstep && n < min(len(questions), mostAtOnce) && !questions[n].lockstep {
		n++
	}
	return n
}

// questions returns what a check asks, the plainest first.
func (r *Result) questions(config *Config) []question {
	m := config.Matrix
	if config.Check {
		m = corpus.Ends
	}
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

// requests returns the requests of a question.
func (q *question) requests(r *Result) (all []corpus.Request) {
	whole := r.Case.Request()
	if q.cuts == nil {
		return []corpus.Request{whole}
	}
	ids := []string{firstID}
	if q.twin {
		ids = append(ids, secondID)
	}
	text := r.Case.Whole()
	add := func(op, id string, chunk []byte) {
		all = append(all, corpus.Request{Op: op, ID: id, Text: chunk})
	}
	if q.reset > 0 {
		add(corpus.Feed, firstID, text[:q.reset])
		add(corpus.Reset, firstID, nil)
	}
	start := 0
	for _, end := range append(slices.Clone(q.cuts), len(text)) {
		for _, id := range ids {
			add(corpus.Feed, id, text[start:end])
		}
		start = end
	}
	for i, id := range ids {
		add(corpus.Close, id, nil)
		all[i].Setting = whole.Setting // it comes with the first chunk
	}
	return all
}

// judge judges the answers to a question, up to the first one that is wrong. skip is why one was
// not given.
func (q *question) judge(
	c *corpus.Case, answers []answer, shapeOnly bool,
) (v Failure, skip string) {
	batches := map[string][][]corpus.Event{} // by stream
	for i := 0; i < len(answers) && v.What == ""; i++ {
		a := &answers[i]
		for _, fault := range a.faults {
			v.fault("the shape of answers", "%s", fault)
		}
		switch {
		case v.What != "":
		case a.Skip != "":
			return v, a.Skip
		case a.id == "" && shapeOnly:
		case a.id == "":
			return judge(c, &a.Answer), ""
		case a.Error != nil:
			v = refused(c, a.Error)
		case a.op != corpus.Reset:
			batches[a.id] = append(batches[a.id], a.Events)
		case len(a.Events) > 0:
			v.fault(wrongReset, "the answer to reset has events")
		default:
			delete(batches, a.id) // what came before doesn't count
		}
	}
	for _, id := range []string{firstID, secondID} {
		if batches[id] != nil && v.What == "" && !shapeOnly {
			v = judgeStream(c, q.cuts, batches[id])
		}
	}
	switch {
	case v.What == "":
	case q.reset > 0:
		v.Kind = wrongReset
		v.What += fmt.Sprintf(" (the stream had been fed %d bytes and was reset)", q.reset)
	case q.twin:
		v.What += " (a second stream was fed by turns)"
	}
	return v, ""
}
