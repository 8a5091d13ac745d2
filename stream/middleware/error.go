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
// after everything that could be read. In place of a response that isn't a stream, it becomes
// one with status 422, which clients don't try again, and is reported as a warning. Errors of
// the connection are passed on unchanged.
type Error struct {
	// Code is event-too-long or response-too-long (beyond [Options].MaxResponse), invalid-event
	// (not a JSON object), too-many-choices, call-missing, compressed-response (a Content-Encoding
	// that wasn't accepted) or unknown-engine ([Options].Constrain).
	Code   string
	Offset int64 // bytes of the response before the fault

	message string
}

func newError(code, format string, args ...any) *Error {
	return &Error{Code: code, message: fmt.Sprintf(format, args...)}
}

// tooLongError is the error of an event or a response that exceeds the limit.
func tooLongError(code string, limit int64) *Error {
	return newError(code, "expected the end within %d bytes; "+
		"raise Options.MaxResponse if the upstream is right", limit)
}

// Error describes the error in one line.
func (e *Error) Error() string {
	text := "middleware: " + e.Code + ": " + e.message
	if e.Offset > 0 {
		text += fmt.Sprintf(", at offset %d of the response", e.Offset)
	}
	return text
}
