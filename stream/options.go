package stream

import "github.com/callwire/callwire/parse"

// Strip says which text outside calls is left out of the events.
type Strip uint8

// What is left out.
const (
	StripNone    Strip = iota
	StripLeading       // text before the first call: all of it, in a message without a call
	StripAll           // all text
)

// Options say how to decode. The zero value decodes as the specification says.
type Options struct {
	parse.Options // how calls are read; with WholeCalls, all events of a call come at its end

	// StripText leaves text out of the events. Malformed spans are events of
	// their own and never left out.
	StripText Strip

	// MalformedAsText also makes the source text of a malformed span text, after its
	// event, so nothing is missing if only text is shown.
	MalformedAsText bool

	// NewID returns the id of call n of the message, counted from 1. By
	// default it is "call-" and n, which allocates nothing up to 999.
	NewID func(n int) string
}

// callID returns the id of call n.
func (o *Options) callID(n int) string {
	if o.NewID != nil {
		return o.NewID(n)
	}
	return callIDs.id(n)
}
