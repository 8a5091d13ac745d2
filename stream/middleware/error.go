package middleware

import "fmt"

// Code names what went wrong with a response. Codes are stable.
type Code string

// The codes of errors.
const (
	EventTooLong       Code = "event-too-long"      // an event of a stream beyond Options.MaxResponse
	ResponseTooLong    Code = "response-too-long"   // a response that is not streamed beyond Options.MaxResponse
	InvalidEvent       Code = "invalid-event"       // data of an event that is not a JSON object
	TooManyChoices     Code = "too-many-choices"    // more choices, or content blocks open at once, than any provider sends
	CallMissing        Code = "call-missing"        // a message without the call that the request requires
	CompressedResponse Code = "compressed-response" // a Content-Encoding that was not asked for
	Interrupted        Code = "interrupted"         // a callback of the options panicked in an earlier Read
)

// Error says why the response of an upstream cannot be read. It is an error of
// the body's Read, after everything that could be read, or for
// CompressedResponse of the round trip. Errors of the connection are passed on
// as they are.
type Error struct {
	Code   Code
	Offset int64 // bytes of the response before the fault
	Limit  int64 // the limit that was exceeded, if any
	Detail string
}

// Error says what was expected and what was found. Compare Code instead.
func (e *Error) Error() string {
	switch e.Code {
	case EventTooLong, ResponseTooLong:
		return fmt.Sprintf("middleware: %s: expected the end within %d bytes of offset %d of the response; raise Options.MaxResponse if this upstream is right", e.Code, e.Limit, e.Offset)
	case TooManyChoices:
		return fmt.Sprintf("middleware: %s: expected at most %d, at offset %d of the response; the upstream does not keep to the protocol", e.Code, e.Limit, e.Offset)
	case InvalidEvent:
		return fmt.Sprintf("middleware: %s: expected data that is a JSON object, found %q at offset %d of the response; without it the message is incomplete, so nothing after it is read", e.Code, e.Detail, e.Offset)
	case CallMissing:
		return fmt.Sprintf("middleware: %s: expected what the model was told: %s It did not do so", e.Code, e.Detail)
	case CompressedResponse:
		return fmt.Sprintf("middleware: %s: expected a plain response, since no encoding was accepted, found Content-Encoding %q; switch compression off in the upstream", e.Code, e.Detail)
	case Interrupted:
		return fmt.Sprintf("middleware: %s: expected callbacks that return, found one that has panicked, before offset %d of the response; what it was told of is lost, so nothing after it is read", e.Code, e.Offset)
	}
	return "middleware: " + string(e.Code)
}
