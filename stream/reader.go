package stream

import (
	"errors"
	"io"
	"iter"

	"github.com/callwire/callwire/sig"
)

// Events decodes the message that r reads, up to its end, and yields the events
// as they arrive. Each holds until the next one is asked for; Clone keeps it.
//
// A read error ends the message as Abort does: the last events come first, then the
// error alone, unwrapped. A reader that returns neither bytes nor an error a hundred
// times ends with [io.ErrNoProgress]; one that returns an impossible number of bytes,
// or is nil, ends with [ErrInvalidRead]. If the tags of opts are not legal, r is not
// read and the error alone is yielded.
func Events(r io.Reader, catalog *sig.Catalog, opts Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) { decodeAll(r, catalog, opts, yield) }
}

// ErrInvalidRead is the error of a reader that claims to have read fewer than zero
// bytes, or more than there was room for.
var ErrInvalidRead = errors.New("stream: the reader returned an impossible number of bytes")

// readSize is how many bytes are asked for at once.
const readSize = 4096

func decodeAll(r io.Reader, catalog *sig.Catalog, opts Options, yield func(Event, error) bool) {
	d := NewDecoder(catalog, opts)
	if err := d.Err(); err != nil {
		yield(Event{}, err)
		return
	}
	if r == nil {
		yield(Event{}, ErrInvalidRead)
		return
	}
	buf := make([]byte, readSize)
	idle := 0
	for {
		n, err := r.Read(buf)
		if n < 0 || n > len(buf) {
			n, err = 0, ErrInvalidRead
		}
		if n > 0 {
			idle = 0
			if !yieldAll(d.Feed(buf[:n]), yield) {
				return
			}
		} else if idle++; err == nil && idle >= 100 {
			err = io.ErrNoProgress
		}
		switch err {
		case nil:
		case io.EOF:
			yieldAll(d.Close(), yield)
			return
		default:
			if yieldAll(d.Abort(), yield) {
				yield(Event{}, err)
			}
			return
		}
	}
}

func yieldAll(events []Event, yield func(Event, error) bool) bool {
	for i := range events {
		if !yield(events[i], nil) {
			return false
		}
	}
	return true
}
