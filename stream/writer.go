package stream

import "errors"

// Writer is a Decoder after an io.Writer: what is written is fed, and each
// event is given to a function. The zero value is closed.
type Writer struct {
	decoder *Decoder
	emit    func(Event) error
	err     error
}

// NewWriter returns a Writer that feeds d and gives its events to emit. They
// hold until emit returns. The error of emit ends the writing. Without emit the
// events are given to nobody.
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
// because it panicked or because it is what writes. The events after the one that
// it was given would be lost.
var ErrInterrupted = errors.New("stream: write while an event is being given")

// Write feeds p, which it does not keep. The error is that of emit, now or in
// an earlier Write, or ErrClosed, or ErrInterrupted.
func (w *Writer) Write(p []byte) (int, error) {
	if w.decoder == nil {
		return 0, ErrClosed
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.decoder.closed {
		return 0, ErrClosed
	}
	if err := w.give(w.decoder.Feed(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

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
