package grammar

// Options control reading. The zero value reads without a catalog.
type Options struct {
	Limits Limits

	// AcceptAtEnd accepts a call whose body is complete at the end of the text,
	// for callers that use the close tag as a stop sequence: the text ends before it.
	//
	// Rule: option.accept-at-end
	AcceptAtEnd bool

	// StopAfterMalformed makes calls malformed that would be marked
	// AfterMalformed.
	//
	// Rule: option.stop-after-malformed
	StopAfterMalformed bool

	// Known reports whether there is a tool with that name; nil means any name.
	Known func(name string) bool
}

// knows reports whether there is a tool with that name.
func (r *reader) knows(name string) bool {
	return r.options.Known == nil || r.options.Known(name)
}
