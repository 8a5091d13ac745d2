package runner

import (
	"fmt"
	"slices"
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
	twin  bool  // feed a second stream with the same text by turns

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

// A step is one request of a question.
type step struct {
	op   string
	id   string
	text []byte
}

// steps returns the requests of a stream of text.
func (q *question) steps(text []byte) (all []step) {
	if q.reset > 0 {
		all = append(all, step{op: corpus.Feed, id: firstID, text: text[:q.reset]},
			step{op: corpus.Reset, id: firstID})
	}
	feed := func(chunk []byte) {
		all = append(all, step{op: corpus.Feed, id: firstID, text: chunk})
		if q.twin {
			all = append(all, step{op: corpus.Feed, id: secondID, text: chunk})
		}
	}
	start := 0
	for _, cut := range q.cuts {
		feed(text[start:cut])
		start = cut
	}
	feed(text[start:])
	all = append(all, step{op: corpus.Close, id: firstID})
	if q.twin {
		all = append(all, step{op: corpus.Close, id: secondID})
	}
	return all
}

const firstID, secondID = "s1", "s2"

// A script is the requests of a question, as lines.
type script struct {
	steps []step
	lines [][]byte
	seq   int // of the first
}

// script writes the requests of a question, which are numbered from seq on.
func (c check) script(q *question, text []byte, seq int) script {
	request := c.Request()
	s := script{seq: seq}
	if q.cuts == nil {
		s.steps = []step{{op: c.op}}
		s.lines = [][]byte{endLine(request.AppendMembers(beginLine(seq, c.op), true))}
		return s
	}
	s.steps = q.steps(text)
	setting := request.AppendMembers(nil, false)
	begun := map[string]bool{}
	for i, step := range s.steps {
		line := beginLine(seq+i, step.op)
		line = append(append(append(line, `,"id":"`...), step.id...), '"')
		if step.op == corpus.Feed {
			if !begun[step.id] {
				line = append(line, setting...)
			}
			begun[step.id] = true
			line = append(append(line, `,"text":`...), quoteBytes(step.text)...)
		}
		s.lines = append(s.lines, endLine(line))
	}
	return s
}

func beginLine(seq int, op string) []byte {
	line := strconv.AppendInt([]byte(`{"seq":`), int64(seq), 10)
	return append(append(append(line, `,"op":"`...), op...), '"')
}

func endLine(line []byte) []byte { return append(line, "}\n"...) }

// readAnswer reads the answer to a step. The error is a breakdown: what the child writes
// doesn't follow the protocol.
func (s *script) readAnswer(i int, line []byte, strict bool) (corpus.Answer, []string, error) {
	a, faults := corpus.ReadAnswer(s.steps[i].op, line, strict)
	due := strconv.Itoa(s.seq + i)
	switch {
	case string(line)+"\n" == string(s.lines[i]):
		return a, nil, &breakdown{kind: notAnAnswer, what: "it echoed the request"}
	case a.Seq == nil && len(faults) > 0:
		what := faults[0]
		if !slices.Contains([]byte("{["), firstByte(line)) {
			what = fmt.Sprintf("a line of standard output is not JSON: %s"+
				" (other output belongs to standard error)",
				quoteBytes([]byte(excerpt(string(line), 200))))
		}
		return a, nil, &breakdown{kind: notAnAnswer, what: what}
	case string(a.Seq) != due:
		return a, nil, &breakdown{kind: outOfOrder, what: fmt.Sprintf(
			"the answer has the seq %s where %s is due"+
				" (answers come in the order of the requests)", a.Seq, due)}
	}
	return a, faults, nil
}

func firstByte(line []byte) byte {
	if len(line) == 0 {
		return 0
	}
	return line[0]
}
