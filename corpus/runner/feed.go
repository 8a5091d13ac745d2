package runner

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/callwire/callwire/corpus"
)

// streamsAtOnce are how many streams are open at a time. Each is fed its next
// chunk when the answer to the one before is there, and not sooner: no event can
// come before its bytes. Meanwhile the others keep the pipe busy.
const streamsAtOnce = 128

// A feeding is a stream while it is fed.
type feeding struct {
	request
	index   int // of the request
	id      string
	chunks  [][]byte
	fed     int // how many of them
	cleared bool
	closed  bool
	batches [][]step
	stopped bool // skipped, or wrong already
}

func newFeeding(r request, index int, id string) *feeding {
	f := &feeding{request: r, index: index, id: id}
	start := 0
	for _, cut := range r.cuts {
		f.chunks = append(f.chunks, r.text[start:cut])
		start = cut
	}
	f.chunks = append(f.chunks, r.text[start:])
	if r.reset > 0 {
		f.chunks = append([][]byte{r.text[:r.reset]}, f.chunks...)
	}
	return f
}

// appendNext appends the next request of the stream as one line.
func (f *feeding) appendNext(b []byte, seq int) []byte {
	op := opFeed
	switch {
	case f.reset > 0 && f.fed == 1 && !f.cleared:
		op = opReset
	case f.fed == len(f.chunks):
		op = opClose
	}
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, int64(seq), 10)
	b = append(b, `,"op":"`+op+`","id":"`+f.id+`"`...)
	switch op {
	case opReset:
		f.cleared = true
	case opClose:
		f.closed = true
	default:
		if f.fed == 0 {
			b = append(b, f.body...)
		}
		text, err := corpus.Bytes(f.chunks[f.fed]).MarshalJSON()
		if err != nil {
			panic("runner: " + err.Error()) // bytes are always written
		}
		b = append(append(b, `,"text":`...), text...)
		f.fed++
	}
	return append(b, "}\n"...)
}

// take takes the answer to the request before.
func (f *feeding) take(batch []step) {
	if f.cleared && f.fed == 1 {
		f.batches = nil // what came before does not count
		return
	}
	f.batches = append(f.batches, batch)
}

// feed asks streams chunk by chunk, some of them at a time. It is to requests of
// protocol 2 what exchange is to others: done are the requests that were answered
// to the end, and the error is a breakdown.
func (k *trial) feed(requests []request, wrong func(i int, v verdict)) (done map[int]bool, err error) {
	done = map[int]bool{}
	var open []*feeding
	var lines []byte
	for next := 0; next < len(requests) || len(open) > 0; {
		for next < len(requests) && len(open) < streamsAtOnce {
			open = append(open, newFeeding(requests[next], next, "s"+strconv.Itoa(next%(2*streamsAtOnce))))
			next++
		}
		first := k.child.seq + 1
		k.child.seq += len(open)
		lines = lines[:0]
		for i, f := range open {
			lines = f.appendNext(lines, first+i)
		}
		written := k.child.write(func(yield func([]byte) bool) { yield(lines) })
		for i, f := range open {
			line, err := k.child.line()
			if err != nil {
				return done, k.child.explain(err)
			}
			if err := k.takeBatch(f, first+i, line, wrong); err != nil {
				return done, err
			}
			if f.closed {
				done[f.index] = true
				k.res.Requests++
			}
		}
		<-written
		open = slices.DeleteFunc(open, func(f *feeding) bool { return f.closed })
	}
	return done, nil
}

// takeBatch reads the answer to the last request of a stream, and judges the
// stream when it was the last of all.
func (k *trial) takeBatch(f *feeding, seq int, line []byte, tell func(i int, v verdict)) error {
	a, v, err := decodeAnswer(request{op: opFeed}, seq, line, k.config.Check)
	if err != nil || f.stopped {
		return err
	}
	switch {
	case v.what != "" || a == nil:
	case a.Skip != nil:
		k.res.Status, k.res.Skip = Skipped, *a.Skip
		f.stopped = true
		return nil
	case a.Error != nil:
		v = wrong("the request failed: %s: %s", a.Error.Code, a.Error.Message)
		v.want = wanted(k.c)
	case a.Events == nil || !settle(a.Events):
		v = shapeVerdict(line, request{op: opFeed})
	case f.cleared && f.fed == 1 && len(a.Events) > 0:
		v = wrong("the answer to reset has events")
	default:
		f.take(a.Events)
	}
	if v.what == "" && f.closed && !k.config.Check {
		v = judgeStream(k.c, f.cuts, f.batches)
	}
	if v.what != "" {
		f.stopped = true
		if f.reset > 0 {
			v.what += fmt.Sprintf(" (the stream had been fed %d bytes and was reset)", f.reset)
		}
		tell(f.index, v)
	}
	return nil
}
