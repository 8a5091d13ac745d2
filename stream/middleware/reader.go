package middleware

import (
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A reader finds the calls in the text of one message. It adapts package parse, and
// keeps the text that it may still be asked for.
type reader struct {
	parser  parse.Reader
	catalog *sig.Catalog
	opts    parse.Options

	// Text holds what was fed and may still be needed: the source of a call, or a
	// message that may be sent back. The parser counts offsets from text[base], which
	// moves when the parser starts over or text is dropped.
	text []byte
	base int
	pos  int // end of the last part, as the parser counts

	most int  // bytes of text kept at most
	full bool // more was fed, so the text is incomplete
}

// A part is a part of a message. Its bytes are valid until the next one is read.
type part struct {
	kind parse.Part
	text []byte         // of text and reasoning; of InputPart the piece of arguments
	call *parse.Segment // of StartPart, CallPart and MalformedPart
}

func newReader(catalog *sig.Catalog, opts parse.Options, most int) (*reader, error) {
	parser, err := parse.NewReader(catalog, opts)
	return &reader{parser: parser, catalog: catalog, opts: opts, most: most}, err
}

// feed lends the next piece of text.
func (r *reader) feed(text []byte) {
	if r.full || len(r.text)+len(text) > r.most {
		r.full, r.text = true, nil
	} else {
		r.text = append(r.text, text...)
	}
	r.parser.Feed(text)
}

// next returns the next part; its kind is parse.NoPart if there is none.
func (r *reader) next() part {
	p := part{kind: r.parser.Next()}
	switch p.kind {
	case parse.TextPart, parse.ReasoningStartPart, parse.ReasoningPart, parse.ReasoningEndPart:
		p.text = r.parser.Delta()
		r.pos += len(p.text)
	case parse.InputPart:
		p.text = r.parser.Delta()
	case parse.StartPart:
		p.call = r.parser.Segment()
	case parse.CallPart, parse.MalformedPart:
		p.call = r.parser.Segment()
		r.pos = p.call.End
	}
	return p
}

// end ends the text. If it was cut off, a call at its end is malformed.
func (r *reader) end(cutOff bool) {
	if cutOff {
		r.parser.Abort()
	} else {
		r.parser.Close()
	}
}

// restart reads what comes next as the beginning of text.
func (r *reader) restart() {
	r.base, r.pos = len(r.text), 0
	if !r.opts.InReasoning {
		r.parser.Reset()
		return
	}
	r.opts.InReasoning = false // only the beginning of a message is inside reasoning
	parser, err := parse.NewReader(r.catalog, r.opts)
	if err == nil {
		r.parser = parser
	}
}

// idle reports whether no text is held back.
func (r *reader) idle() bool { return r.parser.Skip(0, nil) }

// drop forgets the text up to the last part.
func (r *reader) drop() {
	n := min(r.base+r.pos, len(r.text))
	r.text = r.text[:copy(r.text, r.text[n:])]
	r.base -= n
	if len(r.text) == 0 && r.idle() {
		r.full = false
		r.base = -r.pos
	}
}

// cut forgets everything after the last part, less the n bytes before its end.
func (r *reader) cut(n int) {
	r.text = r.text[:max(0, min(len(r.text), r.base+r.pos-n))]
}

// source returns the text of a call, or nil if it was not kept.
func (r *reader) source(s *parse.Segment) []byte {
	from, to := r.base+s.Start, r.base+s.End
	if r.full || from < 0 || to > len(r.text) {
		return nil
	}
	return r.text[from:to]
}

// upTo returns the text up to an offset of the parser.
func (r *reader) upTo(end int) []byte {
	return r.text[:max(0, min(len(r.text), r.base+end))]
}
