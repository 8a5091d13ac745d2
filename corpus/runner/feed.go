package runner

import (
	"fmt"
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
	trial    *trial
	id       string
	chunks   [][]byte
	fed      int // how many of them
	seq      int // of the last request
	cleared  bool
	closed   bool
	answered bool // to the end
	batches  [][]step
	stopped  bool // skipped, or wrong already
}

func newFeeding(k *trial, r request) *feeding {
	f := &feeding{request: r, trial: k}
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
	f.seq = seq
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

// feed feeds streams chunk by chunk, some of them at a time. It is to streams of
// protocol 2 what exchange is to other requests. The error is a breakdown.
func (w *worker) feed(streams []*feeding) error {
	var asked []*feeding // in the order of their answers
	var free []string    // ids whose streams were closed
	var lines []byte
	unsent := 0
	ask := func(f *feeding) {
		w.child.seq++
		lines = f.appendNext(lines, w.child.seq)
		asked = append(asked, f)
		unsent++
	}
	for next := 0; ; {
		for ; next < len(streams) && len(asked) < streamsAtOnce; next++ {
			if len(free) == 0 {
				free = append(free, "s"+strconv.Itoa(next))
			}
			streams[next].id, free = free[0], free[1:]
			ask(streams[next])
		}
		if len(asked) == 0 {
			return nil
		}
		// Half of the requests are written at a time: the child has the other half
		// to answer meanwhile.
		if 2*unsent >= len(asked) {
			written := lines
			w.child.write(func(yield func([]byte) bool) { yield(written) })
			lines, unsent = nil, 0
		}
		f := asked[0]
		asked = asked[1:]
		line, err := w.child.line()
		if err != nil {
			return w.child.explain(err)
		}
		if err := f.trial.takeBatch(f, line); err != nil {
			return err
		}
		if !f.closed {
			ask(f)
			continue
		}
		f.answered, free = true, append(free, f.id)
		f.trial.res.Requests++
	}
}

// takeBatch reads the answer to the last request of a stream, and judges the
// stream when it was the last of all.
func (k *trial) takeBatch(f *feeding, line []byte) error {
	a, v, err := decodeAnswer(request{op: opFeed}, f.seq, line, k.config.Check)
	if err != nil || f.stopped {
		return err
	}
	switch {
	case v.what != "" || a == nil:
	case a.Skip != nil:
		k.res.Status, k.res.Skip = Skipped, *a.Skip
		f.stopped, f.closed = true, true // there is nothing to feed or to close
		return nil
	case a.Error != nil:
		v = refused(k.c, a)
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
			v.what += fmt.Sprintf(wasReset+"%d bytes and was reset)", f.reset)
		}
		k.wrong(f.request, v)
	}
	return nil
}
