package parse

import (
	"sync"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Reader reads a message in chunks, part by part. [Parser] is the one of the wire
// format; a [Protocol] brings another. What Parser says of its methods holds for
// every Reader, and so do the promises of the package: the parts are the same at
// any split, their spans tile the message, the deltas of a call are its input.
//
//	reading = { Feed { Next } } ( Close | Abort ) { Next } [ Reset reading ]
type Reader interface {
	Feed(chunk []byte) // lends the next chunk
	Next() Part        // reads on to the next part
	Close()            // says that the message has ended
	Abort()            // says that it broke off
	Reset()            // prepares for a new message

	Segment() *Segment // the call or malformed span being read, or read last
	Delta() []byte     // the piece of text or of input

	// Opening returns the byte with which everything begins that Next does not
	// return as text, and 0 if there is no such byte or it is not known. Skip
	// says that the next n bytes are text, and will not be fed: text is the end of
	// them, up to which the caller knows that they are without it. After nil it is not
	// known whether a line has ended. It returns false if it cannot skip them.
	Opening() byte
	Skip(n int, text []byte) bool

	Steps() int // made since Reset, linear in the input plus the number of chunks
}

// Protocol is a way in which calls are written.
// Package protocol has those of many models. A Protocol does not change, and may
// be used by several goroutines at once.
type Protocol interface {
	String() string // its name

	// NewReader returns a Reader of calls under o, whatever the Protocol in it.
	// The error says why it cannot.
	NewReader(catalog *sig.Catalog, o Options) (Reader, error)

	// AppendCall appends the call of a tool with the given arguments, one JSON
	// object, as FormatOptions.Append does. What it writes reads back; what it
	// cannot write so is refused.
	AppendCall(dst []byte, catalog *sig.Catalog, name string, input []byte, o FormatOptions) ([]byte, error)
}

// Prompter is a Protocol that has its own way to show tools and results in a prompt.
type Prompter interface {
	Protocol

	// AppendTools appends the list of tools, and how to call them.
	AppendTools(dst []byte, catalog *sig.Catalog) []byte

	// ResultTags returns what stands before and after what the tool of that name has
	// answered, in lines of their own.
	ResultTags(name string) (open, close string)

	// Tags returns the tags that untrusted text must not contain where these tools can be
	// called; a nil catalog knows every tool.
	Tags(catalog *sig.Catalog) []string
}

// Hinter is a Protocol that says how its calls are written right.
type Hinter interface {
	Protocol

	// Hint says, for whoever wrote a call that is at fault, what was expected and how to
	// fix it. Both are "" where what the table of codes says holds for this format, too.
	Hint(code lexer.Code) (expected, fix string)
}

// NewReader returns a Reader of the protocol of opts, of the wire format if that is
// nil. See [NewParser]. Where it returns an error, all of a message is text to the
// Reader.
func NewReader(catalog *sig.Catalog, opts Options) (Reader, error) {
	if opts.InReasoning {
		opts.InReasoning = false
		r, err := NewReader(catalog, opts)
		return &prelude{Reader: r}, err
	}
	if opts.Protocol == nil {
		return NewParser(catalog, opts)
	}
	r, err := opts.Protocol.NewReader(catalog, opts)
	if err != nil {
		r, _ = NewParser(nil, Options{Delims: lexer.Delims{Open: "|", Close: "|"}}) // no legal tags
	}
	return r, err
}

// pool has the memory of Parsers that nobody reads with. It is no state: what a Parser
// of it reads does not depend on what was read before.
var pool sync.Pool

// mostPooled is how long the input of a Parser's calls may have been, in bytes, if it
// is released.
const mostPooled = 4096

// Release gives the memory of r, about three kilobytes, to Readers that are made later,
// and reports whether it did. What r has returned is void then, and r must not be used
// any more. A Parser that has read a long call, and Readers of other protocols, are not
// released.
func Release(r Reader) bool {
	p, ok := r.(*Parser)
	if !ok || p == nil || cap(p.b.out) > mostPooled {
		return false
	}
	p.catalog, p.tool, p.folds, p.delta = nil, nil, nil, nil
	p.opts.Protocol, p.opts.Mend, p.opts.OnMalformed, p.opts.Logger = nil, nil, nil, nil
	pool.Put(p)
	return true
}

// Opening is [lexer.Config.Opening].
func (p *Parser) Opening() byte { return p.config.Opening() }
