package middleware

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// Rewrite reports one thing that was rewritten or left as it is. Its bytes are valid
// until the function that gets them returns. They are bodies: they never hold a header.
type Rewrite struct {
	Stage Stage

	// API is the name of the API that the request is for, such as "chat
	// completions" or "messages", and Path that of the request's URL.
	API, Path string

	// Before and After are the body of the request (Request, Retry, Load); the text
	// that the model wrote, and the JSON of the call that the application gets
	// (Call) or the text it gets (Malformed). Untouched has neither.
	Before, After []byte

	// Repairs are the names of the repairs by which a Call was read: see
	// [parse.Repairs].
	Repairs []string

	// Reason says in words why a request is Untouched, or what is wrong with a
	// Malformed call.
	Reason string
}

// Stage is what a Rewrite is about.
type Stage uint8

// The stages.
const (
	Request   Stage = iota // a request was rewritten
	Untouched              // a request is sent as it is
	Call                   // a call was delivered
	Malformed              // a malformed call was given to the application as text
	Retry                  // a malformed call was sent back to the model
	Invented               // a result that the model invented was cut off, and all after it
	Load                   // a call of the loader of lazy tools was answered
)

// String returns the stage in words.
func (s Stage) String() string {
	switch s {
	case Request:
		return "request"
	case Untouched:
		return "untouched"
	case Call:
		return "call"
	case Malformed:
		return "malformed"
	case Retry:
		return "retry"
	case Invented:
		return "invented"
	case Load:
		return "load"
	}
	return "unknown"
}

// repairsOf returns the names of the repairs by which a call was read.
func repairsOf(s *parse.Segment) (names []string) {
	for _, issue := range s.Issues {
		if issue.Code == lexer.Repaired {
			names = append(names, issue.Path)
		}
	}
	return names
}
