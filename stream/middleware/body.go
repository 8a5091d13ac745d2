package middleware

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// body is the body of a response that is read for calls. Everything happens in Read:
// there is no goroutine, and the upstream is read only when the reader wants more.
type body struct {
	x     *exchange
	codec codec

	mu     sync.Mutex // guards the two fields below; Close may be called during Read
	up     io.ReadCloser
	closed bool

	cancel func() // ends what is sent to the upstream again

	streams bool
	scanner scanner
	block   block
	memory  object
	in      steady // reads up
	out     []byte // rewritten, out[given:] is not read yet
	given   int
	err     error // that the upstream ended with, or ours
	last    bool  // only err comes after out
	reading bool  // in Read, or a callback panicked in the last one
}

// codec reads the messages of one family of APIs. Every method that takes dst appends
// to it what the application gets.
type codec interface {
	// event takes an event whose data is a JSON object.
	event(dst []byte, b *block, data object) []byte

	// again takes the next event of a stream, if it is complete and differs from the
	// last one only in its text, and returns true; or does nothing.
	again(dst []byte, s *scanner) ([]byte, bool)

	// done takes an event whose data is [DONE].
	done(dst []byte, b *block) []byte

	// end says that the stream is over; clean is false if it broke off.
	end(dst []byte, clean bool) []byte

	// spend records the usage that an event reports, for a message that was sent back.
	// It reports whether nothing more is expected.
	spend(b *block, data object) bool

	// restart says that another message replaces this one, or follows the part of it
	// that was delivered.
	restart()

	// whole takes a message that is not streamed. Restarted says that another replaces
	// it.
	whole(dst, data []byte) (out []byte, restarted bool)

	// fault appends an error of ours, in the API's form.
	fault(dst []byte, err *Error) []byte

	// lines reports whether each line is a chunk, not each event.
	lines() bool

	// err returns what is wrong with the response.
	err() *Error
}

func newBody(x *exchange, up io.ReadCloser, streams bool) *body {
	b := &body{x: x, up: up, streams: streams, codec: x.dialect.codec(x), cancel: func() {}}
	if x.custom != "" {
		b.codec = newCustomCodec(b.codec, x.custom)
	}
	b.scanner.lines = b.codec.lines()
	x.replace = b.replace
	if x.retries > 0 || x.mayLoad() {
		x.ctx, b.cancel = context.WithCancel(x.req.Context())
	}
	return b
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.isClosed() {
		return 0, http.ErrBodyReadAfterClose
	}
	if len(p) == 0 {
		return 0, nil
	}
	if b.reading {
		b.out, b.given, b.last, b.err = nil, 0, true, &Error{Code: Interrupted, Offset: b.scanner.taken}
	}
	b.reading = true
	n, err := b.read(p)
	b.reading = false
	return n, err
}

func (b *body) read(p []byte) (int, error) {
	for b.given == len(b.out) {
		if b.last {
			return 0, b.err
		}
		b.out, b.given = b.out[:0], 0
		if cap(b.out) > keep {
			b.out = nil
		}
		if !b.streams {
			b.whole()
			continue
		}
		b.step()
		for len(b.out) < len(p) && !b.last && b.next() {
		}
	}
	n := copy(p, b.out[b.given:])
	b.given += n
	return n, nil
}

// keep is how many bytes of output memory are kept from one Read to the next.
const keep = 64 << 10

// Close implements io.Closer. It may be called while another goroutine reads.
func (b *body) Close() error {
	b.mu.Lock()
	b.closed = true
	up := b.up
	b.mu.Unlock()
	b.cancel()
	return up.Close()
}

func (b *body) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// replace replaces the response being read with another one, once it has reported its
// usage.
func (b *body) replace(resp *http.Response) bool {
	if streams, ok := b.x.readable(resp); !ok || streams != b.streams {
		return false
	}
	if b.streams {
		b.drain()
	}
	b.mu.Lock()
	old, closed := b.up, b.closed
	if !closed {
		b.up = resp.Body
	}
	b.mu.Unlock()
	if closed {
		return false
	}
	old.Close()
	b.scanner = scanner{lines: b.scanner.lines}
	b.err = nil
	b.codec.restart()
	return true
}

// How much of a message that was sent back is read to learn its usage.
const (
	mostDrained  = 256 << 10
	drainingTime = 10 * time.Second
)

// drain reads the rest of a message that was sent back.
func (b *body) drain() {
	up := b.up
	timer := time.AfterFunc(drainingTime, func() { up.Close() })
	defer timer.Stop()
	var rest block
	for left, in := mostDrained, (steady{r: up}); left > 0; {
		for b.scanner.next(&rest) {
			data := bytes.TrimSpace(rest.data)
			if o, ok := cutObject(nil, data); bytes.HasPrefix(data, doneMark) || ok && b.codec.spend(&rest, o) {
				return
			}
		}
		n, err := in.Read(b.scanner.free(readSize))
		b.scanner.fill(n)
		if left -= n; err != nil {
			return
		}
	}
}

// readSize is how many bytes one read of the upstream asks for.
const readSize = 4 << 10

// step takes one event, or reads on.
func (b *body) step() {
	if b.next() {
		return
	}
	if b.err != nil {
		b.end()
		return
	}
	if held := int64(b.scanner.held()); held > b.x.opts.MaxResponse {
		b.fail(&Error{Code: EventTooLong, Offset: b.scanner.taken, Limit: b.x.opts.MaxResponse})
		return
	}
	b.in.r = b.up
	n, err := b.in.Read(b.scanner.free(readSize))
	b.scanner.fill(n)
	if b.err = err; err == io.EOF {
		b.scanner.end()
	}
}

// end ends the response as the upstream did.
func (b *body) end() {
	b.out = b.codec.end(b.out, b.err == io.EOF)
	b.last = true
	if err := b.codec.err(); err != nil && b.err == io.EOF {
		b.out, b.err = b.codec.fault(b.out, err), err
	}
}

// fail ends the response with an error of ours, after what was held back.
func (b *body) fail(err *Error) {
	b.out = b.codec.end(b.out, false)
	if err.Code == CallMissing {
		b.out = b.codec.fault(b.out, err)
	}
	b.err, b.last = err, true
}

// next takes the next event, if it is complete.
func (b *body) next() bool {
	if b.last {
		return false
	}
	if int64(b.scanner.held()) <= b.x.opts.MaxResponse {
		out, ok := b.codec.again(b.out, &b.scanner) // then its lines need no search
		if b.out = out; ok {
			return true
		}
	}
	if !b.scanner.next(&b.block) {
		return false
	}
	b.take()
	if n := b.scanner.added; n > 0 { // the last event; only one of ours needs its end
		if !b.last {
			b.end()
		}
		if bytes.HasSuffix(b.out, b.block.raw) {
			b.out = b.out[:len(b.out)-n]
		}
	}
	return true
}

// take takes the event that was scanned.
func (b *body) take() {
	at := b.scanner.taken - int64(len(b.block.raw))
	if limit := b.x.opts.MaxResponse; int64(len(b.block.raw)) > limit {
		b.fail(&Error{Code: EventTooLong, Offset: at, Limit: limit})
		return
	}
	switch data := bytes.TrimSpace(b.block.data); {
	case len(data) == 0: // comments and the like
		b.out = append(b.out, b.block.raw...)
	case bytes.HasPrefix(data, doneMark):
		b.out = b.codec.done(b.out, &b.block)
	case isNothing(data): // some servers send it, but clients cannot read it
	default:
		var ok bool
		if b.memory, ok = cutObject(b.memory[:0], data); !ok {
			b.out = b.codec.end(b.out, false)
			b.out = append(b.out, b.block.raw...)
			b.err, b.last = &Error{Code: InvalidEvent, Offset: at, Detail: excerpt(data)}, true
			return
		}
		b.block.data = data
		b.out = b.codec.event(b.out, &b.block, b.memory)
		if err := b.codec.err(); err != nil {
			err.Offset = at
			b.fail(err)
		}
	}
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

// whole reads a response that is not streamed.
func (b *body) whole() {
	for {
		limit := b.x.opts.MaxResponse
		data, err := io.ReadAll(io.LimitReader(&steady{r: b.up}, limit+1))
		switch {
		case int64(len(data)) > limit:
			b.err, b.last = &Error{Code: ResponseTooLong, Limit: limit}, true
			return
		case err != nil:
			b.out, b.err, b.last = append(b.out, data...), err, true
			return
		case !validObject(data): // not a message: the client will say so
			b.out, b.err, b.last = append(b.out, data...), io.EOF, true
			return
		}
		out, restarted := b.codec.whole(b.out, data)
		if restarted {
			continue
		}
		if err := b.codec.err(); err != nil {
			b.err, b.last = err, true
			return
		}
		b.out, b.err, b.last = out, io.EOF, true
		return
	}
}
