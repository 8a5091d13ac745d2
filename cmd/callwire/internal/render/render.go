// Package render shows what is in a text while it is read: as one line of JSON for each
// part or event, or laid out for people.
//
//	show := render.Options{Screen: terminal.ScreenOf(os.Stdout, terminal.ColorAuto)}
//	seen, err := show.Read(os.Stdin, catalog, os.Stdout)
package render

import (
	"bufio"
	"fmt"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/events"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// Options are how a text is read, and how it is shown.
type Options struct {
	Parse  parse.Options
	Follow bool            // show calls while they arrive
	Chunk  int             // bytes to read at a time; 0 reads what arrives
	JSON   bool            // for programs
	Log    io.Writer       // gets malformed calls and those with issues as JSON; may be nil
	Screen terminal.Screen // for people
}

// Tally counts what was read.
type Tally struct{ Calls, Malformed, Issues int }

// add counts an event.
func (t *Tally) add(e *stream.Event) {
	switch e.Type {
	case stream.Call:
		t.Calls++
		t.Issues += len(e.Call.Issues)
	case stream.Malformed:
		t.Malformed++
	}
}

// Read reads in to its end and shows its parts on out. It writes what is certain after each piece
// before it waits for the next one.
func (o Options) Read(in io.Reader, catalog *sig.Catalog, out io.Writer) (seen Tally, err error) {
	w := bufio.NewWriter(out)
	people := &page{Screen: o.Screen, out: w, format: o.Parse.Format, follow: o.Follow}
	programs := &jsonLines{out: terminal.Lines{Out: w}, events: o.Follow}
	logged := &jsonLines{out: terminal.Lines{Out: o.Log}, events: true}
	decoder, err := stream.NewDecoder(catalog, func(e stream.Event) error {
		seen.add(&e)
		if o.JSON {
			programs.event(&e)
		} else {
			people.event(&e)
		}
		isWrong := e.Err != nil || e.Call != nil && len(e.Call.Issues) > 0
		if isWrong && o.Log != nil {
			logged.event(&e)
		}
		return nil
	}, &o.Parse)
	if err != nil {
		return seen, err
	}
	chunk := make([]byte, MaxChunk)
	for err == nil {
		var n int
		n, err = o.read(in, chunk)
		if !o.JSON {
			people.text.add(chunk[:n])
		}
		decoder.Write(chunk[:n]) // the callback returns no error
		if err == io.EOF {
			decoder.Close()
			if !o.JSON {
				people.end(seen)
			}
		}
		if flushErr := w.Flush(); flushErr != nil {
			return seen, fmt.Errorf("cannot write: %w", flushErr)
		}
	}
	if err != io.EOF {
		return seen, fmt.Errorf("cannot read on: %w", err)
	}
	return seen, nil
}

// read reads the next chunk.
func (o Options) read(in io.Reader, chunk []byte) (int, error) {
	if o.Chunk == 0 {
		return in.Read(chunk)
	}
	n, err := io.ReadFull(in, chunk[:o.Chunk])
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// MaxChunk is how many bytes are read at a time.
const MaxChunk = 64 << 10

// jsonLines prints a line of JSON for each event, or for each part of the text when it is
// complete. Errors of the output are sticky: its Flush reports them.
type jsonLines struct {
	out    io.Writer
	events bool
	corpus.Joiner
}

func (l *jsonLines) event(e *stream.Event) {
	c := events.OfStream(e)
	if e.Type == stream.Malformed {
		c.Name, c.Message = e.Name, e.Err.Error() // for people
	}
	if l.events {
		l.print(&c)
		return
	}
	l.Add(&c) // events of our decoder are in the right order
	switch e.Type {
	case stream.TextEnd, stream.ReasoningEnd, stream.Section, stream.Call, stream.Malformed:
		l.Events = l.Events[len(l.Events)-1:] // where the next text begins
		part := l.Events[0]
		part.ID = ""
		l.print(&part)
	}
}

func (l *jsonLines) print(e *corpus.Event) { l.out.Write(append(e.AppendJSON(nil), '\n')) }
