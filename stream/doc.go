// Package stream turns model output that arrives in chunks into events: text,
// tool calls as they grow, complete tool calls, and malformed ones. The events
// are the same however the output is cut.
//
// # Life of a message
//
//	message   = { text | call | malformed | reasoning }
//	text      = text-start { text-delta } text-end
//	call      = begun tool-input-end tool-call
//	malformed = [ begun ] malformed
//	begun     = tool-input-start { tool-input-delta }
//	reasoning = reasoning-start { reasoning-delta } reasoning-end
//
// All events of one call carry one id, and so does the malformed event of a
// call that had begun. The deltas of a call, one after the other, are exactly
// the input of its tool-call event: JSON that is final as far as it goes. They
// are for display; act on tool-call only, which is delivered whole and checked.
//
// # From a chunk to an event
//
// Feed takes a chunk in one of three ways, each more general than the one before. While
// text goes on and no byte of the chunk can begin a tag, the chunk is the delta. Between
// calls, a chunk in which no tag begins is text too, and needs no reader of package
// parse: in small chunks the Decoder gives its reader to others when a call has ended,
// and is small while it waits. Everything else is fed to the reader, and each part that
// its Next returns becomes one event or more. What a part aliases is copied if a consumer
// could change what is still to be read.
//
// # Promptness
//
// Text is held back only while it could still become the beginning of a call, or
// is the beginning of a rune: no delta ends inside one. A call is delivered on
// its last byte. Input is held back where its JSON is not certain yet: a bare
// word that may become a number, a string that the schema may turn into something
// else, and everything after a group of paths that was left, because a later
// path may go back into it.
//
// # Ownership
//
// What a [Decoder] returns holds until the next call of one of its methods, and
// may share memory with the chunk. [Event.Clone] keeps an event. What a consumer
// writes to an event, or appends to its slices, changes no later one.
package stream
