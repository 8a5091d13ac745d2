package stream

import "errors"

// Writer feeds a Decoder what is written, and gives each event to a function. The zero
// value is closed.
type Writer struct {
	decoder *Decoder
	emit    func(Event) error
	err     error
}

// NewWriter returns a Writer that feeds d and gives its events to emit. They
// hold until emit returns. The error of emit ends the writing. If emit is nil, the
// events are dropped.
func NewWriter(d *Decoder, emit func(Event) error) *Writer {
	if emit == nil {
		emit = func(Event) error { return nil }
	}
	return &Writer{decoder: d, emit: emit}
}

// ErrClosed is the error of writing to a Writer that is closed, or whose Decoder is:
// by Close, or by a function of the options that has not returned.
var ErrClosed = errors.New("stream: write after close")

// ErrInterrupted is the error of writing to a Writer whose function has not returned,
// because it panicked or is the one that writes. The events after the one it was given
// would be lost.
var ErrInterrupted = errors.New("stream: write while an event is being given")

// Write feeds p, in pieces if it is long, and does not keep it. The error is that of
// emit, now or in an earlier Write, or ErrClosed, or ErrInterrupted; n is the length of
// the pieces before the one whose events emit refused.
func (w *Writer) Write(p []byte) (n int, err error) {
	for {
		switch {
		case w.decoder == nil:
			return n, ErrClosed
		case w.err != nil:
			return n, w.err
		case w.decoder.closed:
			return n, ErrClosed
		}
		piece := p[n:min(n+mostFed, len(p))]
		if err := w.give(w.decoder.Feed(piece)); err != nil {
			return n, err
		}
		if n += len(piece); n == len(p) {
			return n, nil
		}
	}
}

// mostFed is how many bytes are fed at once: their events may take a hundred times that.
const mostFed = 64 << 10

// WriteString is Write for a string.
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Close ends the message.
func (w *Writer) Close() error {
	if w.decoder == nil || w.err == ErrClosed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	if err := w.give(w.decoder.Close()); err != nil {
		return err
	}
	w.err = ErrClosed
	return nil
}

func (w *Writer) give(events []Event) error {
	for _, e := range events {
		w.err = ErrInterrupted // stands if emit does not return
		if w.err = w.emit(e); w.err != nil {
			return w.err
		}
	}
	return nil
}
