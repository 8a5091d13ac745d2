package middleware

import "fmt"

// Codes of an [Error].
const (
	EventTooLong       = "event-too-long"      // an event of a stream beyond Options.MaxResponse
	ResponseTooLong    = "response-too-long"   // a complete response beyond Options.MaxResponse
	InvalidEvent       = "invalid-event"       // event data that is not a JSON object
	TooManyChoices     = "too-many-choices"    // more choices than any provider sends
	CallMissing        = "call-missing"        // a message without the call that the request requires
	CompressedResponse = "compressed-response" // a Content-Encoding that was not accepted
	UnknownEngine      = "unknown-engine"      // Options.Constrain is not an engine
)

// An Error is the reason why a response cannot be read. Read of the body returns it
// after everything that could be read. If the response isn't a stream, the round trip
// returns it, except that a missing call becomes a response with status 422. Errors of
// the connection are passed on unchanged.
type Error struct {
	Code   string
	Offset int64 // bytes of the response before the fault

	limit  int64
	detail string
}

// Error describes the error in one line.
func (e *Error) Error() string {
	return "middleware: " + e.Code + ": " + e.text()
}

func (e *Error) text() string {
	switch e.Code {
	case EventTooLong, ResponseTooLong:
		return fmt.Sprintf("expected the end within %d bytes of offset %d of the response; raise Options.MaxResponse if the upstream is right", e.limit, e.Offset)
	case TooManyChoices:
		return fmt.Sprintf("expected at most %d, at offset %d of the response", e.limit, e.Offset)
	case InvalidEvent:
		return fmt.Sprintf("expected a JSON object, found %q at offset %d of the response; the message is incomplete without it", e.detail, e.Offset)
	case CallMissing:
		return fmt.Sprintf("the request requires a tool call, but the model answered without one, although it was told: %q", e.detail)
	case CompressedResponse:
		return fmt.Sprintf("expected a plain response, found Content-Encoding %q; switch compression off in the upstream", e.detail)
	case UnknownEngine:
		return fmt.Sprintf("Options.Constrain is %q", e.detail)
	}
	return e.detail
}
