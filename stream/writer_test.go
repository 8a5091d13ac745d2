package stream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// What is written gives the events that it gives when it is fed.
func TestWriter(t *testing.T) {
	want := showAll(joined(decodeChunks(stream.NewDecoder(nil, stream.Options{}), message)))
	for _, c := range []struct {
		name  string
		write func(*stream.Writer) (int64, error)
	}{
		{"a string", func(w *stream.Writer) (int64, error) {
			n, err := io.WriteString(w, message)
			return int64(n), err
		}},
		{"byte by byte", func(w *stream.Writer) (int64, error) {
			return io.Copy(w, iotest.OneByteReader(strings.NewReader(message)))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []stream.Event
			w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(e stream.Event) error {
				all = append(all, e.Clone())
				return nil
			})
			if n, err := c.write(w); n != int64(len(message)) || err != nil {
				t.Errorf("%d bytes of %d, %v", n, len(message), err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if got := showAll(joined(all)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// After Close nothing can be written, and a second Close says nothing.
func TestWriterClosed(t *testing.T) {
	n := 0
	w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(stream.Event) error { n++; return nil })
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Close(); err != nil || n != 3 {
			t.Errorf("%d events, %v", n, err)
		}
	}
	if k, err := w.Write([]byte("more")); k != 0 || err != stream.ErrClosed || n != 3 {
		t.Errorf("%d bytes, %v, %d events", k, err, n)
	}
}

// A Writer that is closed stays so, whatever becomes of its Decoder.
func TestWriterClosedForGood(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{})
	w := stream.NewWriter(d, nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d.Reset()
	if k, err := w.WriteString("more"); k != 0 || err != stream.ErrClosed {
		t.Errorf("%d bytes, %v", k, err)
	}
}

// The error of the function ends the writing, at whatever event it comes.
func TestWriterFails(t *testing.T) {
	full := errors.New("full")
	total := len(decodeChunks(stream.NewDecoder(nil, stream.Options{}), message))
	for stop := 1; stop <= total; stop++ {
		n := 0
		w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(stream.Event) error {
			if n++; n == stop {
				return full
			}
			return nil
		})
		_, err := w.WriteString(message)
		if err == nil {
			err = w.Close()
		}
		if err != full || n != stop {
			t.Errorf("full at event %d: %v after %d", stop, err, n)
		}
		if k, err := w.Write([]byte("more")); k != 0 || err != full || n != stop {
			t.Errorf("full at event %d: then %d bytes, %v", stop, k, err)
		}
		if err := w.Close(); err != full || n != stop {
			t.Errorf("full at event %d: then %v", stop, err)
		}
	}
}

// No memory of the caller is kept.
func TestWriterKeepsNothing(t *testing.T) {
	var call string
	w := stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(e stream.Event) error {
		if e.Type == stream.ToolCall {
			call = string(e.Input)
		}
		return nil
	})
	chunk := make([]byte, 3)
	for text := `<call>t a="some string" b=word</call>`; len(text) > 0; {
		n := copy(chunk, text)
		if _, err := w.Write(chunk[:n]); err != nil {
			t.Fatal(err)
		}
		copy(chunk, "###")
		text = text[n:]
	}
	if call != `{"a":"some string","b":"word"}` {
		t.Errorf("the call is %s", call)
	}
}

// Where the function panics, what it was not given cannot be had any more, and
// writing on says so. So it does to a function that writes.
func TestWriterInterrupted(t *testing.T) {
	n := 0
	var w *stream.Writer
	w = stream.NewWriter(stream.NewDecoder(nil, stream.Options{}), func(stream.Event) error {
		if n++; n == 1 {
			if k, err := w.WriteString("from the inside"); k != 0 || err != stream.ErrInterrupted {
				t.Errorf("%d bytes, %v", k, err)
			}
		} else if n == 3 {
			panic("no more")
		}
		return nil
	})
	if !panics(func() { _, _ = w.WriteString(message) }) {
		t.Error("no panic")
	}
	if k, err := w.WriteString("more"); k != 0 || err != stream.ErrInterrupted || n != 3 {
		t.Errorf("%d bytes, %v, %d events", k, err, n)
	}
	if err := w.Close(); err != stream.ErrInterrupted || n != 3 {
		t.Errorf("%v, %d events", err, n)
	}
}

// panics reports whether f does.
func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// A Writer without a function reads all the same.
func TestWriterToNobody(t *testing.T) {
	var d stream.Decoder
	w := stream.NewWriter(&d, nil)
	if n, err := w.Write([]byte("a <call>t</call> b")); n != 18 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// What is written to a Writer whose Decoder somebody has closed is not lost in silence.
func TestWriterOverClosedDecoder(t *testing.T) {
	var d stream.Decoder
	w := stream.NewWriter(&d, nil)
	d.Close()
	if n, err := w.Write([]byte("a")); n != 0 || !errors.Is(err, stream.ErrClosed) {
		t.Errorf("%d, %v", n, err)
	}
	d.Reset()
	if n, err := w.WriteString("a"); n != 1 || err != nil {
		t.Errorf("after Reset %d, %v", n, err)
	}
}

// A function of the options that calls its own Decoder gets nothing, and loses nothing:
// all events come out of the call that it stands in.
func TestCallbackThatFeeds(t *testing.T) {
	const text = "a <call>t(</call> b <call>u a=1</call> c"
	for name, again := range map[string]func(*stream.Decoder) []stream.Event{
		"Feed":       func(d *stream.Decoder) []stream.Event { return d.Feed([]byte("x <call>evil</call>")) },
		"FeedString": func(d *stream.Decoder) []stream.Event { return d.FeedString("x") },
		"Close":      (*stream.Decoder).Close,
		"Abort":      (*stream.Decoder).Abort,
	} {
		for _, n := range []int{1, 5, len(text)} {
			read := func(calls bool) (all string) {
				var d *stream.Decoder
				inside := func() {
					if calls && len(again(d)) > 0 {
						t.Errorf("%s: events in a function of the options", name)
					}
				}
				d = stream.NewDecoder(nil, stream.Options{
					Options: parse.Options{OnMalformed: func(parse.Segment) { inside() }},
					NewID:   func(int) string { inside(); return "id" },
				})
				note := func(events []stream.Event) {
					for _, e := range events {
						if e.Type == stream.TextDelta {
							all += string(e.Delta)
						} else {
							all += fmt.Sprintf("[%s %s]", e.Type, e.Name)
						}
					}
				}
				for from := 0; from < len(text); from += n {
					note(d.Feed([]byte(text[from:min(len(text), from+n)])))
				}
				note(d.Close())
				return all
			}
			if got, want := read(true), read(false); got != want {
				t.Errorf("%s in chunks of %d:\n got %s\nwant %s", name, n, got, want)
			}
		}
	}
}
