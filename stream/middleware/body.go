package middleware

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A body is the body of a streamed or complete response. It has no goroutine: it reads
// from the upstream only within Read.
type body struct {
	x       *exchange
	form    form
	lines   bool
	streams bool

	mu     sync.Mutex // guards the two fields below; Close may be called during Read
	up     io.ReadCloser
	closed bool

	cancel  func() // ends what is sent to the upstream again
	in      *frames
	left    *frames   // of a message that was sent back
	leftUp  io.Closer // the same
	out     []byte    // not read yet
	err     error     // comes after out
	over    bool      // the upstream has failed: nothing more is read
	reading bool      // in Read, or a callback panicked in the last one
	voices  map[int]*voice
}

func newBody(x *exchange, up io.ReadCloser, streams bool) *body {
	a := &body{x: x, up: up, streams: streams, lines: x.dialect == ollamaAPI, form: x.dialect.form(x), cancel: func() {}}
	a.reset(up)
	x.replace = a.replace
	if x.retries > 0 || x.mayLoad() {
		x.ctx, a.cancel = context.WithCancel(x.req.Context())
	}
	return a
}

func (a *body) reset(up io.Reader) {
	a.in = newFrames(up, a.lines, a.x.opts.MaxResponse)
	a.voices = make(map[int]*voice)
}

// Read implements [io.Reader].
func (a *body) Read(p []byte) (int, error) {
	a.mu.Lock()
	gone := a.closed
	a.mu.Unlock()
	switch {
	case gone:
		return 0, http.ErrBodyReadAfterClose
	case len(p) == 0:
		return 0, nil
	case a.reading:
		a.out, a.err = nil, &Error{Code: Interrupted, Offset: a.in.taken}
	}
	a.reading = true
	for len(a.out) == 0 && a.err == nil {
		if a.out = nil; a.streams {
			a.step()
		} else {
			a.whole()
		}
	}
	a.reading = false
	if len(a.out) == 0 {
		return 0, a.err
	}
	n := copy(p, a.out)
	a.out = a.out[n:]
	return n, nil
}

// Close implements [io.Closer]. It may be called while another goroutine reads.
func (a *body) Close() error {
	a.mu.Lock()
	a.closed = true
	up := a.up
	a.mu.Unlock()
	a.cancel()
	return up.Close()
}

// replace replaces the response being read.
func (a *body) replace(resp *http.Response) bool {
	if streams, ok := a.x.readable(resp); !ok || streams != a.streams {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	a.left, a.leftUp = a.in, a.up
	a.up = resp.Body
	a.reset(resp.Body)
	return true
}

// again ends a message that was replaced, once what it said was written.
func (a *body) again() {
	a.out = a.form.again(a.out)
	if a.streams {
		a.drain(a.left, a.leftUp)
	}
	a.leftUp.Close()
	a.left, a.leftUp = nil, nil
	a.x.spent.restart()
}

// How much of a message that was sent back is read to learn its usage.
const (
	mostDrained  = 256 << 10
	drainingTime = 10 * time.Second
)

func (a *body) drain(in *frames, up io.Closer) {
	timer := time.AfterFunc(drainingTime, func() { up.Close() })
	defer timer.Stop()
	for limit := in.taken + mostDrained; in.taken < limit && in.next(); {
		if o := readValid(in.data); bytes.HasPrefix(in.data, doneMark) || o != nil && a.form.spend(o) {
			return
		}
	}
}

// step takes a frame, or the end of the stream.
func (a *body) step() {
	if a.in.next() {
		a.take(&a.in.frame)
		return
	}
	switch err := a.in.Err(); err {
	case nil:
		a.finish(true)
		if a.err = io.EOF; a.x.missing {
			a.fail(a.x.failure())
		}
	case bufio.ErrTooLong:
		a.fail(&Error{Code: EventTooLong, Offset: a.in.taken, Limit: a.x.opts.MaxResponse})
	default:
		a.finish(false)
		a.err = err
	}
}

// fail ends the response with an error of ours, after what was held back.
func (a *body) fail(err *Error) {
	a.finish(false)
	if a.err = err; err.Code == CallMissing {
		a.out = a.form.fault(a.out, err)
	}
}

// take takes a frame.
func (a *body) take(f *frame) {
	at := a.in.taken - int64(len(f.raw)-f.torn)
	switch {
	case len(f.data) == 0 || a.over: // comments and the like
		a.out = append(a.out, f.raw...)
	case bytes.HasPrefix(f.data, doneMark):
		a.finish(true)
		a.out = append(a.out, f.raw...)
	case isNothing(f.data): // some servers send it, but clients cannot read it
	default:
		o := readValid(f.data)
		if o == nil {
			a.finish(false)
			a.out = append(a.out, f.raw...)
			a.err = &Error{Code: InvalidEvent, Offset: at, Detail: excerpt(f.data)}
			return
		}
		if a.takeEvents(f, o); a.err == nil && a.x.missing {
			a.fail(a.x.failure())
		}
		if err, _ := a.err.(*Error); err != nil && err.Offset == 0 {
			err.Offset = at
		}
	}
	if f.torn > 0 { // the last one; only one of ours needs its end
		if out := a.out; a.err == nil {
			a.finish(true)
			if len(a.out) == len(out) && bytes.HasSuffix(out, f.raw) {
				a.out = out[:len(out)-f.torn]
			}
		}
	}
}

// event takes what a frame says.
func (a *body) takeEvents(f *frame, o object) {
	list := a.form.read(f, o)
	if list[0].kind == kindFailure {
		a.finish(true)
		a.over = true
		a.out = a.form.write(a.out, list, f)
		return
	}
	out, same, ok := a.filter(list)
	if !same {
		f = nil
	}
	if a.err != nil {
		return
	}
	if a.out = a.form.write(a.out, out, f); !ok {
		a.again()
	}
}

// filter returns the events that the application gets. Same says that they are those
// that came; ok is false if the message was sent back: nothing after that counts.
func (a *body) filter(list []event) (out []event, same, ok bool) {
	same = true
	for _, e := range list {
		n, v := len(out), a.voice(e.choice)
		if v == nil {
			a.fail(&Error{Code: TooManyChoices, Limit: maxChoices})
			return nil, false, true
		}
		v.out = out
		ok = v.take(e)
		if out = v.out; !ok {
			return out, false, false
		}
		same = same && len(out) == n+1 && out[n].same
	}
	return out, same, true
}

// finish writes what is held back.
func (a *body) finish(last bool) {
	if a.over {
		return
	}
	a.out = a.form.write(a.out, a.close(nil, last), nil)
	a.out = a.form.end(a.out)
}

// close returns what is held back of messages that have not ended.
func (a *body) close(out []event, last bool) []event {
	for _, n := range slices.Sorted(maps.Keys(a.voices)) {
		if v := a.voices[n]; !v.done {
			v.out, v.fixed = out, true // it is too late for a new message
			if v.closing == nil {
				v.close(true)
			} else {
				v.take(event{kind: kindEnd, cut: true})
				v.out = v.out[:len(v.out)-1]
			}
			if v.done = true; last && v.calls > 0 {
				v.out = append(v.out, event{kind: kindEnd, choice: n, called: true})
			}
			out = v.out
		}
	}
	return out
}

// whole reads a response that is not streamed.
func (a *body) whole() {
	for {
		limit := a.x.opts.MaxResponse
		data, err := io.ReadAll(io.LimitReader(&steady{r: a.up}, limit+1))
		o := readValid(data)
		switch {
		case int64(len(data)) > limit:
			a.err = &Error{Code: ResponseTooLong, Limit: limit}
			return
		case err != nil:
			a.out, a.err = data, err
			return
		case o == nil: // not a message: the client will say so
			a.out, a.err = data, io.EOF
			return
		}
		out, same, ok := a.filter(a.form.readWhole(o))
		if !ok {
			a.again()
			continue
		}
		if a.err = io.EOF; a.x.missing {
			a.err = a.x.failure()
			return
		}
		if same {
			out = nil
		}
		if a.out = data; !same || a.x.spent.before != nil {
			a.out = a.form.writeWhole(o, out).appendTo(nil)
		}
		return
	}
}

// readValid returns the members of data, nil if it is not a JSON object.
func readValid(data []byte) object {
	if !json.Valid(data) {
		return nil
	}
	return readObject(nil, data)
}

// isFailure reports whether an event says that the upstream cannot go on.
func isFailure(name string, o object) bool {
	switch failure := string(o.get("error")); failure {
	case "", "null", `""`, "{}", "[]", "false":
	default:
		return true
	}
	return name == "error" || string(o.get("object")) == `"error"`
}

// isNothing reports whether data says nothing.
func isNothing(data []byte) bool {
	switch string(data) {
	case "null", "[]", `""`:
		return true
	}
	return false
}

var doneMark = []byte("[DONE]")

// excerpt returns the beginning of data.
func excerpt(data []byte) string { return string(data[:min(len(data), 40)]) }
