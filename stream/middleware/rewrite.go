package middleware

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A Rewrite reports one thing that was rewritten, or the reason why something was not.
// Its bytes are valid until the hook returns. They are bodies and text, never headers.
type Rewrite struct {
	Stage Stage

	// API is the name of the API, such as "chat completions" or "messages".
	API string

	// Before and After are the body of the request (Request, Retry, Load), or what the model wrote
	// and what the application gets: the JSON of a Call, or the text in place of a Malformed call.
	Before, After []byte

	// Repairs are the names of the repairs by which a Call was read.
	Repairs []string

	// Reason is the reason of an Untouched request, the fault of a Malformed call, the
	// feedback of a Retry, or the subject of a warning.
	Reason string
}

// A Stage is what a Rewrite is about.
type Stage string

// The stages.
const (
	Request   Stage = "request"   // a request was rewritten
	Untouched Stage = "untouched" // a request is sent unchanged
	Call      Stage = "call"      // a call was delivered
	Malformed Stage = "malformed" // a malformed call was not delivered
	Retry     Stage = "retry"     // a message was sent back to the model
	Invented  Stage = "invented"  // the message ends where the model invented a result
	Load      Stage = "load"      // a call of the loader of lazy tools was answered
	Warned    Stage = "warned"    // something could not be done
)

// tell reports something now.
func (x *exchange) tell(r Rewrite) {
	if x.opts.OnRewrite != nil {
		r.API = x.name
		x.opts.OnRewrite(x.req, r)
	}
}

// repairsOf returns the names of the repairs by which a call was read.
func repairsOf(call *parse.Call) (names []string) {
	for _, issue := range call.Issues {
		if issue.Code == lexer.Repaired {
			names = append(names, issue.Path)
		}
	}
	return names
}
