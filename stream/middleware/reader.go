package middleware

import (
	"bytes"

	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/stream"
	"github.com/callwire/callwire/sig"
)

// A reader finds the calls in the text of one message. It adapts package stream, and
// keeps the text that it may still be asked for.
type reader struct {
	decoder *stream.Decoder // nil: all is text
	catalog *sig.Catalog
	opts    parse.Options
	whole   bool   // nothing of a call is returned before its end
	queue   []part // found, and not returned
	taken   int    // of queue

	// Text holds what was fed and may still be needed: the source of a call, or a
	// message that may be sent back. The decoder counts offsets from text[base], which
	// moves when the decoder starts over or text is dropped.
	text []byte
	base int
	fed  int // bytes that the decoder has got
	pos  int // end of the last part, as the decoder counts

	most int  // bytes of text kept at most
	full bool // more was fed, so the text is incomplete
}

// A part is a part of a message. Its bytes are valid until text is fed again.
type part struct {
	kind partKind
	text []byte   // of partText and partReasoning; of partInput the piece of arguments
	call *segment // of partStart, partCall and partMalformed
	end  int      // as the decoder counts
}

type partKind uint8

const (
	noPart        partKind = iota
	partText               // text
	partReasoning          // reasoning and its tags
	partStart              // the name of a call
	partInput              // a piece of its arguments
	partCall               // a complete call
	partMalformed          // a malformed call
)

// A segment is a call, or a malformed one.
type segment struct {
	Start, End int
	Name       string
	Input      []byte
	Issues     []parse.Issue
	Text       []byte // source of a malformed call, as much as is kept of it
	Err        *parse.Error
}

// isCut reports whether there is more source than is kept.
func (s *segment) isCut() bool { return s.Err != nil && s.End-s.Start > len(s.Text) }

// forFeedback returns a segment as package manual takes it.
func (s *segment) forFeedback() parse.Segment {
	out := parse.Segment{Start: s.Start, End: s.End, Text: string(s.Text), Err: s.Err}
	if s.Err == nil {
		out.Call = &parse.Call{Name: s.Name, Input: s.Input, Issues: s.Issues}
	}
	return out
}

func newReader(catalog *sig.Catalog, opts parse.Options, whole bool, most int) (*reader, error) {
	r := &reader{catalog: catalog, opts: opts, whole: whole, most: most}
	var err error
	r.decoder, err = stream.NewDecoder(catalog, r.take, &r.opts)
	if err != nil {
		r.decoder = nil
	}
	return r, err
}

// take takes an event of the decoder.
func (r *reader) take(e stream.Event) error {
	p := part{end: max(e.End, e.Start)}
	switch e.Type {
	case stream.TextDelta:
		p.kind, p.text = partText, bytes.Clone(e.Delta)
	case stream.ReasoningDelta:
		p.kind, p.text = partReasoning, bytes.Clone(e.Delta)
	case stream.Section:
		p.kind = partText // without any: the tags are markup
	case stream.ReasoningStart, stream.ReasoningEnd:
		p.kind, p.text = partReasoning, r.span(e.Start, e.End)
	case stream.InputStart:
		p.kind, p.call = partStart, &segment{Start: e.Start, Name: e.Name}
	case stream.InputDelta:
		p.kind, p.text = partInput, bytes.Clone(e.Delta)
	case stream.Call:
		p.kind = partCall
		p.call = &segment{Start: e.Start, End: e.End, Name: e.Call.Name, Input: e.Call.Input, Issues: e.Call.Issues}
	case stream.Malformed:
		p.kind = partMalformed
		p.call = &segment{Start: e.Start, End: e.End, Name: e.Name, Text: []byte(e.Text), Err: e.Err}
	default:
		return nil
	}
	if r.whole && (p.kind == partStart || p.kind == partInput) {
		return nil
	}
	r.queue = append(r.queue, p)
	return nil
}

// feed reads the next piece of text.
func (r *reader) feed(text []byte) {
	if r.full || len(r.text)+len(text) > r.most {
		r.full, r.text = true, nil
	} else {
		r.text = append(r.text, text...)
	}
	r.queue, r.taken = r.queue[:0], 0
	r.fed += len(text)
	if r.decoder == nil {
		r.queue = append(r.queue, part{kind: partText, text: text, end: r.fed})
		return
	}
	r.decoder.Write(text)
}

// next returns the next part; its kind is noPart if there is none.
func (r *reader) next() part {
	if r.taken == len(r.queue) {
		return part{}
	}
	p := r.queue[r.taken]
	r.taken++
	if p.kind != partStart && p.kind != partInput {
		r.pos = p.end
	}
	return p
}

// end ends the text. If it was cut off, a call at its end is malformed.
func (r *reader) end(cutOff bool) {
	r.queue, r.taken = r.queue[:0], 0
	switch {
	case r.decoder == nil:
	case cutOff:
		r.decoder.Abort()
	default:
		r.decoder.Close()
	}
}

// restart reads what comes next as the beginning of text.
func (r *reader) restart() {
	r.base, r.pos, r.fed = len(r.text), 0, 0
	r.queue, r.taken = r.queue[:0], 0
	switch {
	case r.decoder == nil:
	case r.opts.Reasoning != parse.StartedReasoning:
		r.decoder.Reset()
	default: // only the beginning of a message is inside reasoning
		r.opts.Reasoning = parse.TaggedReasoning
		decoder, err := stream.NewDecoder(r.catalog, r.take, &r.opts)
		if err == nil {
			r.decoder = decoder
		}
	}
}

// idle reports whether no text is held back.
func (r *reader) idle() bool { return r.pos == r.fed && r.taken == len(r.queue) }

// drop forgets the text up to the last part.
func (r *reader) drop() {
	n := max(0, min(r.base+r.pos, len(r.text)))
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

// span returns a part of the text, or nil if it was not kept.
func (r *reader) span(start, end int) []byte {
	from, to := r.base+start, r.base+end
	if r.full || from < 0 || to > len(r.text) {
		return nil
	}
	return r.text[from:to]
}

// upTo returns the text up to an offset of the decoder.
func (r *reader) upTo(end int) []byte {
	return r.text[:max(0, min(len(r.text), r.base+end))]
}
