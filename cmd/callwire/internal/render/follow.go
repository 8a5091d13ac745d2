package render

import "github.com/callwire/callwire/stream"

// audience takes the events of a text, in order. It must not keep what it is
// given.
type audience interface {
	source(chunk []byte)   // the next chunk of the text itself, before its events
	Event(e *stream.Event) // the next event
	pause()                // that is all that the chunk has brought
	end(seen Tally)        // the text has ended
}

// follower is the intake of parse --follow: it gives the events of a text to an
// audience.
type follower struct {
	decoder *stream.Decoder
	to      audience
	seen    Tally
}

func (f *follower) feed(chunk []byte) {
	f.to.source(chunk)
	f.give(f.decoder.Feed(chunk))
	f.to.pause()
}

func (f *follower) close() Tally {
	f.give(f.decoder.Close())
	f.to.end(f.seen)
	return f.seen
}

func (f *follower) give(events []stream.Event) {
	for i := range events {
		e := &events[i]
		switch e.Type {
		case stream.ToolCall:
			f.seen.Calls++
			f.seen.Issues += len(e.Issues)
		case stream.Malformed:
			f.seen.Malformed++
		}
		f.to.Event(e)
	}
}
