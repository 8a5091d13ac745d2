package render

import (
	"bufio"
	"fmt"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// intake takes a text in chunks and prints what is in it.
type intake interface {
	feed(chunk []byte) // the next chunk, which changes after that
	close() Tally      // the text has ended
}

// Tally counts what was read.
type Tally struct{ Calls, Malformed, Issues int }

// Options say how a text is read, and how it is shown.
type Options struct {
	Parse  parse.Options
	Follow bool            // show calls while they arrive
	JSON   bool            // for programs
	Screen terminal.Screen // for people
}

// Read reads in to its end and shows on out what is in it. What is known after each
// piece that arrives is written before the next one is waited for.
func (o Options) Read(in io.Reader, catalog *sig.Catalog, out io.Writer) (Tally, error) {
	w := bufio.NewWriter(out)
	to, err := o.intake(catalog, w)
	if err != nil {
		return Tally{}, err
	}
	return read(in, to, w)
}

// read gives in to an intake, to its end. What is known after each piece that
// arrives is written before the next one is waited for.
func read(in io.Reader, to intake, out *bufio.Writer) (Tally, error) {
	chunk := make([]byte, MaxChunk)
	for {
		n, err := in.Read(chunk)
		to.feed(chunk[:n])
		if err == io.EOF {
			break
		}
		if flushErr := out.Flush(); flushErr != nil {
			return Tally{}, fmt.Errorf("cannot write: %w", flushErr)
		}
		if err != nil {
			return Tally{}, fmt.Errorf("cannot read on: %w", err)
		}
	}
	seen := to.close()
	if err := out.Flush(); err != nil {
		return seen, fmt.Errorf("cannot write: %w", err)
	}
	return seen, nil
}

// intake returns what reads and prints as the options say.
func (o Options) intake(catalog *sig.Catalog, out *bufio.Writer) (intake, error) {
	if o.Follow {
		f := &follower{decoder: stream.NewDecoder(catalog, stream.Options{Options: o.Parse}), to: NewStreamPrinter(out)}
		if !o.JSON {
			live := newLive(out, o.Screen)
			live.format = o.Parse.Protocol
			f.to = live
		}
		return f, f.decoder.Err()
	}
	parser, err := parse.NewReader(catalog, o.Parse)
	if err != nil {
		return nil, err
	}
	if o.JSON {
		return &parts{parser: parser, to: newEventPrinter(out)}, nil
	}
	page := newRenderer(out, o.Screen)
	page.format = o.Parse.Protocol
	return &parts{parser: parser, to: page}, nil
}
