package runner

import (
	"fmt"
	"strconv"

	"github.com/callwire/callwire/corpus"
)

// opStream is the operation of the checks that stream a text. It is not one of the
// protocol.
const opStream = "stream"

// A check is one case under one operation: its own, or opStream.
type check struct {
	*corpus.Case
	op string
}

func (c check) name() string { return c.op + " " + c.ID }

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
func (c check) questions(m corpus.Matrix) []question {
	if c.op != opStream {
		return []question{{}}
	}
	n := len(c.Text)
	if c.Repeat != nil { // that it can be fed at all is what counts
		n = len(c.Whole())
		return []question{{cuts: corpus.Every(largeChunk, largeChunk, n)}}
	}
	var all []question
	for cuts := range m.Splits(n) {
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

// A request is one line of a question.
type request struct {
	op, id  string
	members []byte // those after seq
}

const firstID, secondID = "s1", "s2"

// requests returns the requests of a question. The text is the whole one of a stream.
func (c check) requests(q *question, text []byte) []request {
	r := c.Request()
	if q.cuts == nil {
		return []request{{c.op, "", r.AppendMembers(fmt.Appendf(nil, `"op":"%s"`, c.op), true)}}
	}
	all := make([]request, 0, len(q.cuts)+4)
	add := func(op, id string) *request {
		members := append(make([]byte, 0, 64), `"op":"`...)
		members = append(append(members, op...), `","id":"`...)
		members = append(append(members, id...), '"')
		all = append(all, request{op, id, members})
		return &all[len(all)-1]
	}
	setting := map[string][]byte{
		firstID: r.AppendMembers(nil, false), secondID: r.AppendMembers(nil, false),
	}
	feed := func(id string, chunk []byte) {
		fed := add(corpus.Feed, id)
		fed.members = append(append(fed.members, setting[id]...), `,"text":`...)
		fed.members = append(fed.members, quoteBytes(chunk)...)
		setting[id] = nil // it comes with the first chunk
	}
	if q.reset > 0 {
		feed(firstID, text[:q.reset])
		add(corpus.Reset, firstID)
	}
	start := 0
	for i := range len(q.cuts) + 1 {
		end := len(text)
		if i < len(q.cuts) {
			end = q.cuts[i]
		}
		feed(firstID, text[start:end])
		if q.twin {
			feed(secondID, text[start:end])
		}
		start = end
	}
	add(corpus.Close, firstID)
	if q.twin {
		add(corpus.Close, secondID)
	}
	return all
}

// appendLine appends the request as a line.
func (r *request) appendLine(dst []byte, seq int) []byte {
	dst = strconv.AppendInt(append(dst, `{"seq":`...), int64(seq), 10)
	dst = append(append(dst, ','), r.members...)
	return append(dst, "}\n"...)
}
