package middleware

import "slices"

// A response is a list of events. A form reads them from what an API sends and writes them as that
// API does. In between, a voice turns text into calls. An event that comes out as it went in is
// written with its original bytes. A stream is one list of events per frame. A response that isn't
// streamed is one list: that of the stream that would have sent it.

// An event is one thing that a response contains. Which fields are set depends on its kind.
type event struct {
	kind   kind
	choice int    // the message it belongs to
	at     int    // index of its block, item or call, as the upstream counts
	value  []byte // kindText: the text as a JSON string; other kinds: the original JSON
	text   []byte // kindText: the text; kindCallInput: a piece of arguments
	id     string // of the call or the response
	end    int    // kindTextEnd, kindCallEnd: offset in the message's text of what follows
	name   string // of the call; kindOther: not empty if a tool of the upstream was called
	reason string // kindEnd: the finish reason in the words of the API

	cut    bool   // kindEnd: the message was cut off; kindCallEnd: the call is broken
	called bool   // kindEnd: the message has calls that the upstream doesn't know about
	source object // the JSON that contains the event, as far as it is written again
	own    bool   // its frame doesn't spell it like this
	same   bool   // unchanged
}

// finish sets the reason of an end, in the words of an API, to that of a message with calls, or of
// one without them if the upstream's calls aren't delivered.
func (e *event) finish(called, stopped string) {
	switch {
	case e.called && called != "":
		e.reason = called
	case !e.called && (e.reason == "tool_calls" || e.reason == "tool_use"):
		e.reason = stopped
	}
}

type kind uint8

const (
	kindMeta       kind = iota // neither text nor a call, such as the start of a response
	kindOther                  // a part that isn't text
	kindText                   // a piece of text
	kindTextStart              // the beginning of a block of text, if it is more than its text
	kindTextEnd                // the end of a block of text
	kindNative                 // a call that the upstream makes itself
	kindNativeMore             // a continuation of it, or of another part
	kindCallStart              // the name of a call that is still arriving
	kindCallInput              // a piece of its arguments
	kindCallEnd                // its end
	kindCall                   // a call that arrived complete
	kindEnd                    // the end of a message
	kindFailure                // an error of the upstream
)

// inPieces returns the events with each complete call as native servers send it: its name first,
// then its arguments. Until they are written, one event takes less memory than three.
func (d *dialect) inPieces(list []event) []event {
	isCall := func(e event) bool { return e.kind == kindCall }
	if !d.pieces || !slices.ContainsFunc(list, isCall) {
		return list
	}
	var out []event
	for _, e := range list {
		if isCall(e) {
			start, input := e, e
			start.kind, start.text = kindCallStart, nil
			input.kind, e.kind = kindCallInput, kindCallEnd
			out = append(out, start, input)
		}
		out = append(out, e)
	}
	return out
}

// A form reads and writes the responses of an API. It keeps the state of the one
// response it writes.
type form interface {
	// read appends the events of a frame, and notes the usage in it.
	read(list []event, f *frame) []event

	// write writes events by exchange.put. If x.frame isn't nil, it contains exactly these.
	write(list []event)

	// end writes what the form itself holds back.
	end()

	// again announces that the events that follow come from another message that
	// continues this one.
	again()

	// fault writes an error.
	fault(err *Error)

	// unroll returns the events of a stream that sends the same as a whole response.
	unroll(o object) []object

	// fold returns a whole response with these events in place of its own messages.
	fold(o object, list []event) object
}
