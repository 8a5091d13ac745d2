package middleware

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwire/callwire/internal/rawjson"
)

// A body is the body of a streamed response. It has no goroutine: it reads from the
// upstream only within Read.
type body struct {
	x    *exchange
	form form

	closed   atomic.Bool
	mu       sync.Mutex // guards upstream; Close may be called during Read
	upstream io.ReadCloser

	cancel func() // ends requests that are sent again
	in     *frames
	read   []event // memory for the events of a frame
	out    []byte  // not read yet
	memory []byte  // for out
	end    error   // comes after out
	at     int64   // offset of the frame
	name   string  // that events get, if the API gives them none of their own
	failed bool    // the upstream has failed: what follows is not read, and only errors pass
}

func newBody(x *exchange, upstream io.ReadCloser) *body {
	b := &body{x: x, form: x.form(x), upstream: upstream}
	b.in = newFrames(upstream, x.lines, x.opts.MaxResponse)
	x.ctx, b.cancel = context.WithCancel(x.req.Context())
	x.settle = b.settle
	return b
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	switch {
	case b.closed.Load():
		return 0, http.ErrBodyReadAfterClose
	case len(p) == 0:
		return 0, nil
	}
	for len(b.out) == 0 && b.end == nil {
		b.out = b.memory[:0]
		b.step()
	}
	if len(b.out) == 0 {
		return 0, b.end
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// Close implements [io.Closer]. It may be called while another goroutine reads.
func (b *body) Close() error {
	b.closed.Store(true)
	b.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.upstream.Close()
}

// replace continues with the response that replaces the one being read. The events of
// the old one must all be written.
func (b *body) replace() {
	b.drain()
	b.form.again()
	b.flush()
	resp := b.x.replied
	b.x.replied = nil
	b.mu.Lock()
	b.upstream = resp.Body
	if b.closed.Load() {
		resp.Body.Close()
	}
	b.mu.Unlock()
	keep := b.in.ends()
	b.in = newFrames(resp.Body, b.x.lines, b.x.opts.MaxResponse)
	b.in.keep = keep
	clear(b.x.voices)
	b.x.spent.restart()
}

// How much of a message is read after it was sent back: for its usage, or if no other comes.
const (
	mostDrained  = 256 << 10
	drainingTime = time.Second
)

// settle takes the rest of a message, as far as it comes soon, and ends its request. Some servers
// answer a request only after the one before it.
func (b *body) settle() {
	upstream := b.upstream
	timer := time.AfterFunc(drainingTime, func() { upstream.Close() })
	rest, err := io.ReadAll(io.LimitReader(b.in.in, mostDrained))
	isLate := !timer.Stop()
	upstream.Close()
	if isLate || len(rest) == mostDrained {
		err = io.ErrUnexpectedEOF
	}
	tail, end := io.Pipe()
	end.CloseWithError(err)
	b.in.in.Reset(io.MultiReader(bytes.NewReader(rest), tail))
}

// drain reads on for the usage of a message that was sent back.
func (b *body) drain() {
	b.settle()
	for b.in.next() {
		if bytes.HasPrefix(b.in.data, doneMark) {
			return
		}
		if o := readValid(b.in.data); o != nil {
			b.in.object = o
			b.form.read(nil, &b.in.frame)
		}
	}
}

// step takes a frame, or the end of the stream.
func (b *body) step() {
	b.at = b.in.taken
	if b.in.next() {
		b.take(&b.in.frame)
		return
	}
	switch err := b.in.err; err {
	case nil:
		b.finish(false)
		b.end = io.EOF
	case bufio.ErrTooLong:
		b.fail(tooLongError(eventTooLong, b.x.opts.MaxResponse))
	case errReturn:
		b.fail(newError(invalidEvent, "expected line feeds, found %v", err))
	default:
		b.finish(false)
		b.end = err
	}
}

// fail ends the response with an error, after what was held back.
func (b *body) fail(err *Error) {
	b.finish(false)
	b.end = err
	if err.Code == callMissing {
		b.form.fault(err)
		b.flush()
	}
	err.Offset = b.at
}

func (b *body) take(f *frame) {
	switch {
	case len(f.data) == 0: // a comment, for example
		b.out = append(b.out, f.raw...)
	case bytes.HasPrefix(f.data, doneMark):
		b.finish(true)
		b.out = append(b.out, f.raw...)
	case slices.Contains(nothing, string(f.data)):
	default:
		f.object, _ = rawjson.AppendValid(f.object[:0], f.data)
		if f.object == nil {
			b.fail(newError(invalidEvent, "expected a JSON object, found %q; "+
				"the message is incomplete without it", f.data[:min(len(f.data), 40)]))
			b.out = append(b.out, f.raw...)
		} else {
			b.takeEvents(f)
		}
	}
}

func (b *body) takeEvents(f *frame) {
	b.read = b.form.read(b.read[:0], f)
	list := b.read
	switch {
	case list[0].kind == kindFailure:
		b.finish(false)
		b.name, b.failed = f.name, true
		b.write(list, f)
		return
	case b.failed:
		return
	}
	b.name = f.name
	same, err := b.x.filter(list)
	if err != nil {
		b.write(b.x.events, nil)
		b.fail(err)
		return
	}
	if b.x.ended != nil {
		b.end = b.x.ended
		return
	}
	if !same {
		f = nil
	}
	b.write(b.x.events, f)
	switch {
	case b.x.replied != nil:
		b.replace()
	case b.x.missing:
		b.drain()
		b.fail(b.x.failure())
	case int64(b.x.kept) > b.x.opts.MaxResponse:
		b.fail(tooLongError(responseTooLong, b.x.opts.MaxResponse))
	}
}

// finish writes what is held back.
func (b *body) finish(last bool) {
	if b.failed {
		return
	}
	b.x.close(last)
	b.write(b.x.events, nil)
	b.form.end()
	b.flush()
}

// write writes events; f is nil unless it contains exactly these.
func (b *body) write(list []event, f *frame) {
	size := mostWritten
	if f != nil {
		size = len(list)
	}
	for part := range slices.Chunk(list, size) {
		b.x.frame = f
		b.form.write(b.x.inPieces(part))
		b.flush()
	}
}

// flush writes what the form has written: the frame itself if nothing in it has changed.
func (b *body) flush() {
	x := b.x
	if x.frame != nil && len(x.written) == 1 {
		b.out = x.frame.pass(b.out)
		x.written = x.written[:0]
	}
	for _, o := range x.written {
		name := b.name
		if x.named {
			name = o.Text("type")
		}
		if x.lines {
			b.out = append(o.Append(b.out), b.in.ends()...)
		} else {
			b.out = appendFrame(b.out, b.in.ends(), name, o)
		}
		b.memory = b.out[:0]
	}
	x.frame, x.written = nil, x.written[:0]
}

// readValid returns the members of data, or nil if it is not a JSON object.
func readValid(data []byte) object {
	o, _ := rawjson.AppendValid(make(object, 0, 8), data)
	return o
}

// isFailure reports whether an event is an error of the upstream.
func isFailure(name string, o object) bool {
	switch failure := string(o.Get("error")); failure {
	case "", "null", `""`, "{}", "[]", "false":
	default:
		return true
	}
	return name == "error" || string(o.Get("object")) == `"error"`
}

// nothing is what some servers send as the data of an event. Clients cannot read it.
var nothing = []string{"null", "[]", `""`}

var doneMark = []byte("[DONE]")

// maxChoices is how many messages a response may have, as OpenAI allows.
const maxChoices = 128

// filter sets x.events to what the application gets of a list of events. Same reports that they are
// the original ones. If x.replied is set afterwards, nothing more of the response counts.
func (x *exchange) filter(list []event) (same bool, err *Error) {
	x.events, same = x.events[:0], true
	for i := range list {
		e := &list[i]
		if e.kind == kindMeta && e.id != "" {
			x.reply = e.id
		}
		n, v := len(x.events), x.voices[e.choice]
		switch {
		case v == nil && len(x.voices) == maxChoices:
			return false, newError(tooManyChoices, "expected at most %d", maxChoices)
		case v == nil:
			v = x.newVoice(e.choice)
			x.voices[e.choice] = v
		}
		v.take(e)
		if x.replied != nil {
			return false, nil
		}
		same = same && len(x.events) == n+1 && x.events[n].same
	}
	return same, nil
}

// deliver appends an event that the application gets.
func (x *exchange) deliver(e event) { x.events = append(x.events, e) }

// close sets x.events to what is held back of messages that have not ended. Last reports the end of
// the response.
func (x *exchange) close(last bool) {
	x.events = x.events[:0]
	for _, n := range slices.Sorted(maps.Keys(x.voices)) {
		if v := x.voices[n]; v.phase != hasEnded {
			v.abandon(last)
		}
	}
}
