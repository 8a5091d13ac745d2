package main

import "github.com/callwire/callwire/stream"

// audience takes the events of a text, in order. It must not keep what it is
// given.
type audience interface {
	source(chunk []byte)   // the next chunk of the text itself, before its events
	event(e *stream.Event) // the next event
	pause()                // that is all that the chunk has brought
	end(seen tally)        // the text has ended
}

// follower is the intake of parse --follow: it gives the events of a text to an
// audience.
type follower struct {
	decoder *stream.Decoder
	to      audience
	seen    tally
}

func (f *follower) feed(chunk []byte) {
	f.to.source(chunk)
	f.give(f.decoder.Feed(chunk))
	f.to.pause()
}

func (f *follower) close() tally {
	f.give(f.decoder.Close())
	f.to.end(f.seen)
	return f.seen
}

func (f *follower) give(events []stream.Event) {
	for i := range events {
		e := &events[i]
		switch e.Type {
		case stream.ToolCall:
			f.seen.calls++
			f.seen.issues += len(e.Issues)
		case stream.Malformed:
			f.seen.malformed++
		}
		f.to.event(e)
	}
}
