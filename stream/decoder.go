package stream

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Decoder turns the chunks of one message after another into events. The zero
// value decodes without a catalog under default options. A Decoder must not
// be copied after its first use, nor used by two goroutines at once; any number
// may share a catalog.
//
//	decoding = { Feed } Close [ Reset decoding ]
//
// Memory is bounded: 16 times the limit on the bytes of a call, 256 bytes for each key
// of its paths (the limits on arguments and depth bound these), and 2 MB, mostly for
// issues. In addition, the events of a chunk take memory linear in its length. Work is
// linear in the message plus the number of chunks. If chunks have at most eight bytes,
// a Decoder has a parser only while it reads a call, or after a call of the message was
// malformed or had issues; without one it holds less than a kilobyte.
type Decoder struct {
	parser  parse.Reader
	catalog *sig.Catalog
	opts    Options
	err     error

	events   []Event
	segments []*parse.Segment // used again by the events of the next chunk
	used     int              // of segments

	first    byte         // of the opener; 0 before it is known
	tags     *lexeme.Tags // of the options, if they are not the default ones
	seen     int          // while prose: offset up to which the parser has seen the message
	pos      int          // offset of the next text
	last     byte         // before what comes next
	tail     [4]byte      // its beginning of a rune that a chunk ended in: tail[:held]
	held     int
	memory   []byte // of the events of the chunk, where they may not share that of chunk and parser
	inText   bool
	prose    bool // events are one text delta, in the run of text that goes on; the parser may have seen none of it
	closed   bool
	id       string // of the call that has begun, or of the run of text
	calls    int    // ids given to calls; leading text is over with the first one
	texts    int    // ids given to runs of text
	thoughts int    // ids given to reasoning
	begun    bool   // a call has begun and not ended
	marked   bool   // the parser remembers more of the message than where it is
}

// NewDecoder returns a Decoder. A nil catalog leaves everything untyped. If the tags of
// opts or of its protocol are not legal (see [lexer.Delims.Validate]), no text holds a
// call and Err says why.
//
// [lexer.Delims.Validate]: https://pkg.go.dev/github.com/callwire/callwire/lexer#Delims.Validate
func NewDecoder(catalog *sig.Catalog, opts Options) *Decoder {
	return &Decoder{catalog: catalog, opts: opts}
}

// each holds each byte once.
var each = func() (b [256]byte) {
	for c := range b {
		b[c] = byte(c)
	}
	return b
}()

// one returns c as a slice. It is not part of a Decoder, which would then move to the
// heap.
func one(c byte) []byte { return each[c : int(c)+1 : int(c)+1] }

// Err returns why the tags of the options are not legal, or nil.
func (d *Decoder) Err() error {
	d.init()
	return d.err
}

// init makes the parser, when it is first needed.
func (d *Decoder) init() {
	if d.parser != nil || d.err != nil {
		return
	}
	p, err := parse.NewReader(d.catalog, d.opts.Options)
	if err != nil {
		d.err = err
		return
	}
	if d.pos > 0 {
		p.Skip(d.pos, one(d.last)) // a light Decoder has read it: no region begins there
	}
	d.parser = p
	d.first = p.Opening()
}

// Reset prepares for a new message, as a new Decoder with the same catalog and options
// would be. Buffers are kept. The events that the last Feed or Close returned are gone,
// and so are those of the one that is running, if a function of the options calls it.
func (d *Decoder) Reset() {
	if d.parser != nil {
		d.parser.Reset()
	}
	d.events, d.used, d.prose = d.events[:0], 0, false
	d.pos, d.inText, d.closed, d.begun = 0, false, false, false
	d.marked = false
	d.id, d.calls, d.texts, d.held = "", 0, 0, 0
	d.thoughts = 0
}

// Feed decodes the next chunk of the message, which may be empty and may be cut
// anywhere, and returns the events that it completes. The events of even the shortest
// call take about 500 bytes, so feed long, untrusted text in pieces, as Events and
// Writer do. After Close, and after a panic of a function of the options, it returns
// none: only Reset is of use then. Called by a function of the options, neither Feed nor
// Close does anything.
func (d *Decoder) Feed(chunk []byte) []Event {
	if d.prose { // by far the most frequent chunk
		plain := false
		switch n := len(chunk); {
		case n > 8:
			plain = chunk[n-1] < utf8.RuneSelf && bytes.IndexByte(chunk, d.first) < 0
		case n >= 4:
			plain = d.plain(uint64(binary.LittleEndian.Uint32(chunk)) | uint64(binary.LittleEndian.Uint32(chunk[n-4:]))<<32)
		case n > 0:
			plain = d.plain(uint64(chunk[0]) | uint64(chunk[n/2])<<8 | uint64(chunk[n-1])<<16)
		}
		if plain {
			return d.lengthen(chunk)
		}
		d.catchUp()
	}
	if n := len(chunk); d.inText && d.held == 0 && n > 0 && d.opts.StripText == StripNone &&
		(chunk[n-1] < utf8.RuneSelf || lexeme.PartialRune(chunk) == 0) && !d.closed && d.prosaic(chunk) {
		d.events = append(d.events[:0], Event{Type: TextDelta, ID: d.id, Delta: chunk[:n:n], Start: d.pos, End: d.pos + n})
		d.pos += n
		d.prose, d.seen = true, d.pos
		return d.events
	}
	return d.feed(chunk)
}

// prosaic takes the chunk if it is text in which no tag can begin, and reports whether
// it did.
func (d *Decoder) prosaic(chunk []byte) bool {
	if d.first == 0 || d.retires(chunk) || bytes.IndexByte(chunk, d.first) >= 0 {
		return false
	}
	d.last = chunk[len(chunk)-1]
	return d.parser == nil || d.skip(len(chunk))
}

// skip says to the parser that the next n bytes, the last of which is d.last, are
// text in which no tag begins, and reports whether it agrees.
func (d *Decoder) skip(n int) bool {
	if d.opts.Protocol == nil && !(d.opts.Salvage && d.last == '\n') { // nothing asks what else they end with
		return d.parser.Skip(n, nil)
	}
	return d.parser.Skip(n, one(d.last)) || d.parser.Skip(n, nil) // it may end a line; not every Reader can look
}

// lengthen makes chunk the text delta that is the only event.
func (d *Decoder) lengthen(chunk []byte) []Event {
	e := &d.events[0]
	e.Type, e.ID, e.Name, e.Segment = TextDelta, d.id, "", nil // a consumer may have changed them
	e.Delta, e.Start = chunk[:len(chunk):len(chunk)], d.pos
	d.pos += len(chunk)
	d.last = chunk[len(chunk)-1]
	e.End = d.pos
	return d.events
}

// plain reports whether all eight bytes of x are ASCII, and no tag begins with one
// of them.
func (d *Decoder) plain(x uint64) bool {
	const ones = 0x0101010101010101
	y := x ^ uint64(d.first)*ones
	return ((y-ones)&^y|x)&(0x80*ones) == 0
}

// catchUp ends the run of chunks that went past the parser.
func (d *Decoder) catchUp() {
	if n := d.pos - d.seen; d.prose && n > 0 && d.parser != nil {
		d.skip(n)
	}
	d.prose = false
}

// feed is Feed for all chunks.
func (d *Decoder) feed(chunk []byte) []Event {
	if d.closed { // events may be on their way to the caller of whoever calls this
		return nil
	}
	d.events, d.used, d.memory = d.events[:0], 0, d.memory[:0]
	d.closed = true // stands if a function of the options panics
	if d.parser == nil && !d.idle(chunk) {
		d.init()
	}
	if d.parser == nil {
		d.text(chunk)
	} else {
		d.parser.Feed(chunk)
		d.read()
	}
	if d.inText { // else the last event is not text
		d.hold()
	}
	if !d.begun && d.retires(chunk) {
		d.retire()
	}
	d.closed = false
	return d.events
}

// token is the longest chunk of a decoder that waits for a model: a server has tens of
// thousands of them.
const token = 8

// retires reports whether the parser is not needed after the chunk until the next call.
func (d *Decoder) retires(chunk []byte) bool {
	return d.parser != nil && !d.marked && len(chunk) <= token && d.light() && d.first != 0 && d.parser.Skip(0, nil)
}

// retire gives the parser to other decoders, until the next call of this one. The
// events get memory of their own.
func (d *Decoder) retire() {
	for i := range d.events {
		if e := &d.events[i]; e.Type == Malformed || e.Type == ToolCall && (len(e.Issues) > 0 || len(e.Input) > 256) {
			return // too much to copy
		}
	}
	for i := range d.events {
		switch e := &d.events[i]; e.Type {
		case TextDelta, ReasoningDelta:
			e.Delta = d.own(e.Delta)
		case ToolCall:
			e.Input = d.own(e.Input)
		}
	}
	if parse.Release(d.parser) {
		d.parser = nil
	}
}

// light reports whether a Decoder needs no parser, which is most of its memory, for text
// in which no tag begins, if there is a byte with which every tag begins.
func (d *Decoder) light() bool { return d.opts.Protocol == nil && !d.opts.InReasoning }

// idle reports whether a Decoder without a parser needs none for the chunk.
func (d *Decoder) idle(chunk []byte) bool {
	o := &d.opts
	c := lexer.Config{Delims: o.Delims, Reasoning: o.Reasoning, Code: o.Code, NearMisses: o.Salvage && !o.Strict}
	first := c.Opening()
	if d.err != nil || !d.light() || first == 0 {
		return d.err != nil
	}
	tags := d.tagsOf(c)
	if tags.Open == "" {
		return false
	}
	d.first = first
	if bytes.IndexByte(chunk, first) < 0 {
		return true
	}
	n, _ := tags.ConsumeSimpleText(chunk)
	return n == len(chunk)
}

// tagsOf returns the tags of c, which is that of the options. Making other than the default
// ones costs as much as a small call, so it is done once.
func (d *Decoder) tagsOf(c lexer.Config) lexeme.Tags {
	if c.Delims.IsDefault() {
		return c.Tags()
	}
	if d.tags == nil {
		tags := c.Tags()
		d.tags = &tags
	}
	return *d.tags
}

// FeedString is Feed for a string.
func (d *Decoder) FeedString(chunk string) []Event { return d.Feed([]byte(chunk)) }

// Close ends the message and returns the last events. A second Close returns
// none.
func (d *Decoder) Close() []Event {
	if d.closed {
		return nil
	}
	d.catchUp()
	d.events, d.used, d.memory = d.events[:0], 0, d.memory[:0]
	d.closed = true
	if d.parser != nil {
		d.parser.Close()
		d.read()
	}
	d.endText()
	if d.parser != nil {
		d.retire()
	}
	return d.events
}

// Abort ends a message that broke off, for instance because its reader failed. It is
// Close, except that the end of the message never counts as a close tag: neither
// AcceptAtEnd nor Salvage delivers a call that is still open.
func (d *Decoder) Abort() []Event {
	if d.parser != nil && !d.closed {
		d.parser.Abort()
	}
	return d.Close()
}

// read takes the parser's parts as events.
func (d *Decoder) read() {
	p := d.parser
	for {
		switch p.Next() {
		case parse.NoPart:
			return
		case parse.TextPart:
			d.text(p.Delta())
		case parse.StartPart:
			d.start(p.Segment())
		case parse.InputPart:
			d.emit(ToolInputDelta, d.id).Delta = d.own(p.Delta())
		case parse.CallPart:
			d.call(p.Segment(), p.Delta())
		case parse.MalformedPart:
			d.malformed(p.Segment())
		case parse.ReasoningStartPart:
			d.endText()
			d.thoughts++
			d.id = reasoningIDs.id(d.thoughts)
			d.reasoning(ReasoningStart, p.Delta())
		case parse.ReasoningPart:
			d.reasoning(ReasoningDelta, p.Delta())
		case parse.ReasoningEndPart:
			d.reasoning(ReasoningEnd, p.Delta())
		}
	}
}

// reasoning takes a piece of reasoning, or one of its tags.
func (d *Decoder) reasoning(t Type, text []byte) {
	e := d.emit(t, d.id)
	e.Start = d.pos
	d.pos += len(text)
	e.End = d.pos
	if t == ReasoningDelta {
		e.Delta = slices.Clip(text)
	}
}

// emit appends an event, which the caller fills in place: copying one takes as long
// as reading four bytes.
func (d *Decoder) emit(t Type, id string) *Event {
	n := len(d.events)
	if n == cap(d.events) {
		d.events = slices.Grow(d.events, n+1) // append copies millions of events five times
	}
	d.events = d.events[:n+1]
	e := &d.events[n]
	*e = Event{Type: t, ID: id}
	return e
}

// own returns a copy of b for an event. It holds until the next Feed, and nothing here
// reads what a consumer writes to it.
func (d *Decoder) own(b []byte) []byte {
	n := len(d.memory)
	d.memory = append(d.memory, b...)
	return slices.Clip(d.memory[n:])
}

// text takes a piece of text.
func (d *Decoder) text(text []byte) {
	d.hold()
	start := d.pos
	d.pos += len(text)
	if len(text) > 0 {
		d.last = text[len(text)-1]
	}
	if d.opts.StripText == StripAll || d.opts.StripText == StripLeading && d.calls == 0 {
		return
	}
	for d.held > 0 && len(text) > 0 {
		if utf8.RuneStart(text[0]) { // what is held goes on no more
			d.release(start)
			break
		}
		d.tail[d.held] = text[0]
		d.held++
		text = text[1:]
		start++
		if utf8.FullRune(d.tail[:d.held]) {
			d.release(start)
		}
	}
	if len(text) > 0 {
		d.textDelta(text, start, d.pos)
	}
}

// hold takes the beginning of a rune at the end of the chunk off the last event: no
// delta ends inside a rune.
func (d *Decoder) hold() {
	n := len(d.events) - 1
	if n < 0 || d.events[n].Type != TextDelta || d.events[n].End != d.pos {
		return
	}
	e := &d.events[n]
	k := lexeme.PartialRune(e.Delta)
	if k == 0 {
		return
	}
	e.End -= k
	d.held = copy(d.tail[:], e.Delta[e.End-e.Start:])
	e.Delta = e.Delta[:e.End-e.Start]
	if len(e.Delta) > 0 {
		return
	}
	d.events = d.events[:n]
	if n > 0 && d.events[n-1].Type == TextStart {
		d.events = d.events[:n-1]
		d.inText = false
		d.texts--
	}
}

// release gives out what is held, which ends at offset end.
func (d *Decoder) release(end int) {
	n := d.held
	d.held = 0
	d.textDelta(d.own(d.tail[:n]), end-n, end)
}

func (d *Decoder) textDelta(text []byte, start, end int) {
	if !d.inText {
		d.inText = true
		d.texts++
		d.id = textIDs.id(d.texts)
		d.emit(TextStart, d.id)
	}
	e := d.emit(TextDelta, d.id)
	e.Delta, e.Start, e.End = text, start, end
}

func (d *Decoder) endText() {
	if d.held > 0 {
		d.release(d.pos)
	}
	if d.inText {
		d.inText = false
		d.emit(TextEnd, d.id)
	}
}

// start begins a call.
func (d *Decoder) start(s *parse.Segment) {
	d.endText()
	d.begun = true
	d.calls++
	d.id = d.opts.callID(d.calls)
	e := d.emit(ToolInputStart, d.id)
	e.Name, e.Start = s.Name, s.Start
}

// call delivers a call; rest is the input that has not been emitted yet.
func (d *Decoder) call(s *parse.Segment, rest []byte) {
	if s.Mended || !d.begun {
		if d.begun { // what was begun is not what is delivered
			o := d.segment(s)
			o.Kind, o.Name, o.Mended = parse.Malformed, s.Err.Tool, false
			err := *o.Err
			o.Err, o.Text = &err, d.own(o.Text)
			o.Input, o.Issues = nil, nil
			e := d.emit(Malformed, d.id)
			e.Name, e.Start, e.End, e.Segment = o.Name, o.Start, o.End, o
		}
		d.start(s)
	}
	if len(rest) > 0 {
		d.emit(ToolInputDelta, d.id).Delta = d.own(rest)
	}
	d.emit(ToolInputEnd, d.id)
	e := d.emit(ToolCall, d.id)
	e.Name, e.Start, e.End, e.Segment = s.Name, s.Start, s.End, d.segment(s)
	d.begun = false
	d.pos, d.last = s.End, '>'
	d.marked = d.marked || s.Mended || len(s.Issues) > 0
}

// malformed delivers a malformed span.
func (d *Decoder) malformed(s *parse.Segment) {
	d.endText()
	id := ""
	if d.begun {
		id = d.id
	}
	e := d.emit(Malformed, id)
	e.Name, e.Start, e.End, e.Segment = s.Name, s.Start, s.End, d.segment(s)
	d.begun = false
	d.pos, d.last = s.End, '>'
	d.marked = true
	if d.opts.MalformedAsText {
		text := s.Text
		if s.Cut {
			text = text[:len(text)-lexeme.PartialRune(text)]
		}
		d.textDelta(d.own(text), s.Start, s.Start+len(text))
	}
}

// segment returns a copy of s, in memory that the next Feed uses again.
func (d *Decoder) segment(s *parse.Segment) *parse.Segment {
	if d.used == len(d.segments) {
		d.segments = append(d.segments, new(parse.Segment))
	}
	o := d.segments[d.used]
	d.used++
	*o = *s
	return o
}
