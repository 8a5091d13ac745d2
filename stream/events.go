package stream

import (
	"errors"
	"io"
	"iter"

	"github.com/callwire/callwire/sig"
)

// Events returns the events of the message that r reads, as they arrive. Nil options mean the
// defaults. The Delta of an event is valid until the next event. The events can be ranged over only
// once, because r is read.
//
// If r fails, the message ends as by [Decoder.Abort], and the error of r comes last, alone. A
// reader that returns nothing a hundred times in a row fails with [io.ErrNoProgress]. If the
// options cannot be read, the error comes alone and r is not read.
func Events(catalog *sig.Catalog, r io.Reader, o *Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		d, err := NewDecoder(catalog, func(e Event) error {
			if !yield(e, nil) {
				return errStopped
			}
			return nil
		}, o)
		if err == nil {
			err = d.readFrom(r)
		}
		if err != nil && err != errStopped {
			yield(Event{}, err)
		}
	}
}

// errStopped is the error of emit when the loop over the events has ended.
var errStopped = errors.New("stream: stopped")

const (
	readSize = 4096 // bytes asked for at once
	maxIdle  = 100  // reads in a row that return nothing
)

// readFrom decodes what r reads. It returns the error of r or of emit.
func (d *Decoder) readFrom(r io.Reader) error {
	chunk := make([]byte, readSize)
	for idle := 0; ; {
		n, err := r.Read(chunk)
		if n < 0 || n > len(chunk) {
			n, err = 0, errInvalidRead
		}
		idle++
		if n > 0 {
			idle = 0
		} else if err == nil && idle == maxIdle {
			err = io.ErrNoProgress
		}
		if _, err := d.Write(chunk[:n]); err != nil {
			return err
		}
		switch {
		case err == io.EOF:
			return d.Close()
		case err != nil:
			if aborted := d.Abort(); aborted != nil {
				return aborted
			}
			return err
		}
	}
}

// errInvalidRead is the error for a reader that breaks the contract of [io.Reader].
var errInvalidRead = errors.New("stream: the reader returned an impossible number of bytes")
