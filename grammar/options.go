package grammar

// Options of reading. The zero value reads without a catalogue.
type Options struct {
	Limits Limits

	// AcceptAtEnd accepts a call whose body is complete at the end of the
	// text, for callers whose model stops at the close tag without writing
	// it.
	//
	// Rule: option.accept-at-end
	AcceptAtEnd bool

	// StopAfterMalformed makes every call malformed that would be marked
	// AfterMalformed.
	//
	// Rule: option.stop-after-malformed
	StopAfterMalformed bool

	// Known tells the names of the tools; nil knows every name.
	Known func(name string) bool
}
