package middleware

import "fmt"

// The codes of an [Error].
const (
	eventTooLong       = "event-too-long"
	responseTooLong    = "response-too-long"
	invalidEvent       = "invalid-event"
	tooManyChoices     = "too-many-choices"
	callMissing        = "call-missing"
	compressedResponse = "compressed-response"
	unknownEngine      = "unknown-engine"
)

// An Error is the reason why a response cannot be read. Read of the body returns it
// after everything that could be read. If the response isn't a stream, the round trip
// returns it, except that a missing call becomes a response with status 422. Errors of
// the connection are passed on unchanged.
type Error struct {
	// Code is event-too-long or response-too-long (beyond [Options].MaxResponse),
	// invalid-event (not a JSON object), too-many-choices, call-missing,
	// compressed-response (a Content-Encoding that wasn't accepted) or unknown-engine
	// ([Options].Constrain).
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
	case eventTooLong, responseTooLong:
		return fmt.Sprintf("expected the end within %d bytes of offset %d of the response; "+
			"raise Options.MaxResponse if the upstream is right", e.limit, e.Offset)
	case tooManyChoices:
		return fmt.Sprintf("expected at most %d, at offset %d of the response", e.limit, e.Offset)
	case invalidEvent:
		return fmt.Sprintf("expected a JSON object, found %q at offset %d of the response; "+
			"the message is incomplete without it", e.detail, e.Offset)
	case callMissing:
		return fmt.Sprintf("the request requires a tool call, but the model answered without one, "+
			"although it was instructed: %q", e.detail)
	case compressedResponse:
		return fmt.Sprintf("expected a plain response, found Content-Encoding %q; "+
			"turn off compression in the upstream", e.detail)
	case unknownEngine:
		return fmt.Sprintf("Options.Constrain is %q", e.detail)
	}
	return e.detail
}
