package stream_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

const message = "Let me see, é < b. <call>tool a=\"x y\" b.c=[1, 2]</call> Then: <call>tool(</call> done €"

// events returns the events of r as one line, joined, and the error.
func events(r io.Reader, opts stream.Options) (string, error) {
	var all []stream.Event
	var failed error
	for e, err := range stream.Events(r, nil, opts) {
		if failed != nil {
			return "", errors.New("an event behind the error")
		}
		if err != nil {
			if e.Type != 0 || e.ID != "" || e.Segment != nil {
				return "", errors.New("an event beside the error")
			}
			failed = err
			continue
		}
		all = append(all, e.Clone())
	}
	return showAll(joined(all)), failed
}

// stalling reads nothing every other time.
type stalling struct {
	r    io.Reader
	turn int
}

func (s *stalling) Read(p []byte) (int, error) {
	if s.turn++; s.turn%3 != 0 {
		return 0, nil
	}
	return s.r.Read(p)
}

// However a reader gives its bytes, the events are the same.
func TestEvents(t *testing.T) {
	want := showAll(joined(decodeChunks(stream.NewDecoder(nil, stream.Options{}), message)))
	for _, c := range []struct {
		name string
		r    io.Reader
	}{
		{"at once", strings.NewReader(message)},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(message))},
		{"half of what is asked for", iotest.HalfReader(strings.NewReader(message))},
		{"the end with the last bytes", iotest.DataErrReader(strings.NewReader(message))},
		{"byte by byte, the end with the last one", iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(message)))},
		{"with pauses", &stalling{r: iotest.OneByteReader(strings.NewReader(message))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := events(c.r, stream.Options{})
			if got != want || err != nil {
				t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
			}
		})
	}
	if got, err := events(strings.NewReader(""), stream.Options{}); got != "" || err != nil {
		t.Errorf("nothing is %s, %v", got, err)
	}
}

// A message longer than what is read at once.
func TestEventsOfALongMessage(t *testing.T) {
	long := strings.Repeat(message, 200)
	want := showAll(joined(decodeChunks(stream.NewDecoder(nil, stream.Options{}), long)))
	if got, err := events(strings.NewReader(long), stream.Options{}); got != want || err != nil {
		t.Errorf("%v: %d bytes of events, want %d", err, len(got), len(want))
	}
}

// A reader that fails ends the message as Abort does: first the events that it
// leaves, then the error alone, as it is.
func TestEventsOfAFailingReader(t *testing.T) {
	broken := errors.New("broken")
	for i := range len(message) + 1 {
		for _, r := range []io.Reader{
			io.MultiReader(strings.NewReader(message[:i]), iotest.ErrReader(broken)),
			io.MultiReader(iotest.OneByteReader(strings.NewReader(message[:i])), iotest.ErrReader(broken)),
			iotest.DataErrReader(io.MultiReader(strings.NewReader(message[:i]), iotest.ErrReader(broken))),
		} {
			d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{AcceptAtEnd: true}})
			var all []stream.Event
			for _, e := range d.FeedString(message[:i]) {
				all = append(all, e.Clone())
			}
			want := showAll(joined(append(all, d.Abort()...)))
			got, err := events(r, stream.Options{Options: parse.Options{AcceptAtEnd: true}})
			if got != want || err != broken {
				t.Fatalf("broken at %d: %v\ngot  %s\nwant %s", i, err, got, want)
			}
		}
	}
}

// A time-out is an error like others.
func TestEventsOfATimeout(t *testing.T) {
	got, err := events(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab"))), stream.Options{})
	if err != iotest.ErrTimeout || got != "text-start#text-1 text-delta#text-1(a)[0:1] text-end#text-1" {
		t.Errorf("got %s, %v", got, err)
	}
}

// silent gives n empty reads, and then the end.
type silent struct{ n, reads int }

func (s *silent) Read([]byte) (int, error) {
	if s.reads++; s.reads > s.n {
		return 0, io.EOF
	}
	return 0, nil
}

// A reader that gives nothing is asked a hundred times.
func TestEventsOfASilentReader(t *testing.T) {
	for _, c := range []struct {
		n    int
		want error
	}{{0, nil}, {99, nil}, {100, io.ErrNoProgress}, {1 << 30, io.ErrNoProgress}} {
		s := &silent{n: c.n}
		if _, err := events(s, stream.Options{}); err != c.want || s.reads > 100 {
			t.Errorf("%d empty reads: %v after %d", c.n, err, s.reads)
		}
	}
	got, err := events(io.MultiReader(&silent{n: 99}, strings.NewReader("a"), &silent{n: 99}, strings.NewReader("b")), stream.Options{})
	if err != nil || got != "text-start#text-1 text-delta#text-1(ab)[0:2] text-end#text-1" {
		t.Errorf("a byte now and then: %s, %v", got, err)
	}
}

// liar is a reader that returns a number of bytes that cannot be.
type liar int

func (n liar) Read(p []byte) (int, error) { return copy(p, "text") + int(n), nil }

// A reader that returns more bytes than there is room for, or less than none, ends
// the message with an error of its own.
func TestEventsOfALyingReader(t *testing.T) {
	for _, n := range []liar{1 << 20, 4093, -5, math.MinInt} {
		got, err := events(io.MultiReader(strings.NewReader("some "), n), stream.Options{})
		if want := "text-start#text-1 text-delta#text-1(some )[0:5] text-end#text-1"; err != stream.ErrInvalidRead || got != want {
			t.Errorf("%d: %s, %v", n, got, err)
		}
	}
}

// No reader is a lying one.
func TestEventsOfNoReader(t *testing.T) {
	if got, err := events(nil, stream.Options{}); err != stream.ErrInvalidRead || got != "" {
		t.Errorf("%s, %v", got, err)
	}
}

// Tags that are not legal are an error, not a message without calls.
func TestEventsOfIllegalTags(t *testing.T) {
	r := strings.NewReader("<call>t</call>")
	opts := stream.Options{Options: parse.Options{Delims: lexer.Delims{Open: "[[", Close: "]]"}}}
	n := 0
	for event, err := range stream.Events(r, nil, opts) {
		n++
		var illegal *lexer.DelimsError
		if !errors.As(err, &illegal) || event.Type != 0 || event.Segment != nil || event.Delta != nil {
			t.Errorf("%v, %v", event, err)
		}
	}
	if n != 1 || r.Len() == 0 {
		t.Errorf("%d pairs, %d bytes left", n, r.Len())
	}
}

// A loop can be left at any event; the reader is then not read any more.
func TestEventsLeftEarly(t *testing.T) {
	total := 0
	for range stream.Events(strings.NewReader(message), nil, stream.Options{}) {
		total++
	}
	for stop := 1; stop <= total; stop++ {
		r := &counting{r: iotest.OneByteReader(strings.NewReader(message))}
		n, reads := 0, 0
		for range stream.Events(r, nil, stream.Options{}) {
			if n++; n == stop {
				reads = r.reads
				break
			}
		}
		if n != stop || r.reads != reads {
			t.Errorf("left at event %d: %d events, %d reads more", stop, n, r.reads-reads)
		}
	}
	broken := errors.New("broken")
	for _, err := range stream.Events(iotest.ErrReader(broken), nil, stream.Options{}) {
		if err == broken {
			break
		}
	}
}

type counting struct {
	r     io.Reader
	reads int
}

func (c *counting) Read(p []byte) (int, error) {
	c.reads++
	return c.r.Read(p)
}

// An iterator can be used again, as its reader allows.
func TestEventsTwice(t *testing.T) {
	r := strings.NewReader(message)
	all := stream.Events(r, nil, stream.Options{})
	n := [2]int{}
	for i := range n {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		for range all {
			n[i]++
		}
	}
	if n[0] == 0 || n[0] != n[1] {
		t.Errorf("%d events, then %d", n[0], n[1])
	}
}
