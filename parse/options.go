package parse

import (
	"log/slog"

	"github.com/callwire/callwire/lexer"
)

// Options say how to read. The zero value reads as the specification says.
type Options struct {
	Delims lexer.Delims // the tags; zero means the default ones
	Limits lexer.Limits // fields that are zero have their defaults

	// Strict turns issues into faults: a call that has one is malformed.
	Strict bool

	// StopAfterMalformed makes every call after a malformed span malformed
	// itself (after-malformed). Whoever executes calls without asking should
	// set it: a broken call is also what an injection looks like.
	StopAfterMalformed bool

	// AcceptAtEnd takes a call whose body is complete at the end of input for
	// a whole one, where a stop string has swallowed the close tag.
	AcceptAtEnd bool

	// Mend may mend a malformed call. It gets the malformed segment, which it
	// must not keep, and returns the text of one call instead. That text is
	// read under the same options; if it is exactly one call, the call is
	// delivered in the place of the malformed span and marked as mended; the
	// offsets of its issues are those of its own text. What [Parser] has handed
	// out of the malformed call's input is void then. Later calls are marked
	// AfterMalformed all the same.
	Mend func(Segment) (call string, ok bool)

	// Logger, if set, gets, at debug level, malformed spans, of mended
	// calls and of issues.
	Logger *slog.Logger
}
