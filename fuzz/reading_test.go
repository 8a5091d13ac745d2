package fuzz

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/stream"
)

var errBroken = errors.New("the connection broke")

// dribble is a reader that returns a few bytes at a time, sometimes none, and at the end an
// error, with or after the last bytes.
type dribble struct {
	in   []byte
	c    Source
	err  error
	late bool
	idle int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.in) == 0 {
		return 0, d.err
	}
	if chance(d.c, 3) && d.idle < 50 {
		d.idle++
		return 0, nil
	}
	d.idle = 0
	n := min(len(p), len(d.in), 1+d.c.IntN(9))
	copy(p, d.in[:n])
	d.in = d.in[n:]
	if len(d.in) == 0 && !d.late {
		return n, d.err
	}
	return n, nil
}

// collect reads all events of a reader.
func collect(r io.Reader, s Setup) (*decoderReader, error) {
	book := newDecoderReader(s)
	for e, err := range stream.Events(r, s.Catalog, s.stream()) {
		if err != nil {
			return book, err
		}
		book.event(e)
	}
	return book, nil
}

// TestReaders: properties 2 and 5 for readers. One that dribbles, stalls, or returns its
// error with the last bytes yields the events of the whole text; one that fails midway
// yields those of a message truncated there, followed by its error once.
func TestReaders(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		c := Drawn(rt)
		read := len(s.in)
		fails := chance(c, 2)
		d := &dribble{c: c, err: io.EOF, late: chance(c, 2)}
		if fails {
			read = c.IntN(len(s.in) + 1)
			d.err = errBroken
		}
		d.in = s.in[:read]
		got, err := collect(d, s.setup)
		if fails != (err == errBroken) || !fails && err != nil {
			rt.Fatalf("error %v", err)
		}
		want := newDecoderReader(s.setup)
		want.Feed(s.in[:read])
		if fails {
			want.Abort()
		} else {
			want.Close()
		}
		if diff := Differ(want.Parts(), got.Parts()); diff != "" {
			rt.Fatalf("%q: %s", s.in[:read], diff)
		}
	})
}

// TestReadersOfTheLibrary: the same, for the readers of testing/iotest.
func TestReadersOfTheLibrary(t *testing.T) {
	const in = `Hi <call>t a="é" b=1</call> there <call>u(</call>`
	want, err := Read(newDecoderReader(Setup{}), []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data and error": iotest.DataErrReader,
	} {
		got, err := collect(wrap(strings.NewReader(in)), Setup{})
		if err != nil || Differ(want, got.Parts()) != "" {
			t.Errorf("%s: %v, %s", name, err, Differ(want, got.Parts()))
		}
	}
	if _, err := collect(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(in))), Setup{}); err != iotest.ErrTimeout {
		t.Errorf("time-out: %v", err)
	}
}

// stalled is a reader that never makes progress.
type stalled struct{}

func (stalled) Read([]byte) (int, error) { return 0, nil }

// TestStalledReader: property 1 for readers. One that never returns anything ends in
// io.ErrNoProgress.
func TestStalledReader(t *testing.T) {
	if _, err := collect(stalled{}, Setup{}); err != io.ErrNoProgress {
		t.Errorf("error %v", err)
	}
}

// TestBreakOff: a loop over events can be left at any event.
func TestBreakOff(t *testing.T) {
	in := []byte(`a <call>t a="long long" b=1</call> b <call>u(</call> c`)
	for stop := range 20 {
		n := 0
		for _, err := range stream.Events(&dribble{in: in, c: &Choices{}, err: errBroken}, nil, stream.Options{}) {
			if err != nil && err != errBroken {
				t.Fatal(err)
			}
			if n++; n > stop {
				break
			}
		}
	}
}

// TestWriter: properties 2 and 18 for the writer. Writing in any pieces gives the events of
// the whole; an error of the receiver ends the writing.
func TestWriter(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		got := newDecoderReader(s.setup)
		w := stream.NewWriter(got.dec, func(e stream.Event) error { got.event(e); return nil })
		for _, c := range Chunks(s.in, s.cuts) {
			if n, err := w.Write(c); n != len(c) || err != nil {
				rt.Fatalf("wrote %d of %d bytes, %v", n, len(c), err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		if _, err := w.WriteString("x"); err != stream.ErrClosed || w.Close() != nil {
			rt.Fatalf("after Close: %v", err)
		}
		want, err := Read(newDecoderReader(s.setup), s.in)
		if err != nil || got.Err() != nil {
			rt.Fatal(err, got.Err())
		}
		if diff := Differ(want, got.Parts()); diff != "" {
			rt.Fatalf("%q: %s", s.in, diff)
		}

		n, stop := 0, Drawn(rt).IntN(4)
		w = stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(stream.Event) error {
			if n++; n > stop {
				return errBroken
			}
			return nil
		})
		_, err = w.Write(s.in)
		if n > stop && err != errBroken {
			rt.Fatalf("Write hides the error: %v", err)
		}
		if err == nil {
			err = w.Close()
		}
		if n > stop+1 || n > stop && err != errBroken {
			rt.Fatalf("%d events after the error, %v", n-stop-1, err)
		}
	})
}
