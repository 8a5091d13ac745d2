package protocol

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Any reads several protocols at once. A call belongs to the protocol whose opener
// comes first; if two share an opener, to the one named first. Until the call ends, the
// others are ignored. Calls are written in the first protocol. It panics without
// protocols; nil is the wire format.
//
// It reads text byte by byte with each of them: it is meant for formats that leak into
// text, not for speed.
func Any(protocols ...parse.Protocol) parse.Protocol {
	if len(protocols) == 0 {
		panic("protocol: any of none")
	}
	protocols = slices.Clone(protocols)
	for i, p := range protocols {
		if p == nil {
			protocols[i] = Wire
		}
	}
	if len(protocols) == 1 {
		return protocols[0]
	}
	return several(protocols)
}

type several []parse.Protocol

// String returns the names.
func (s several) String() string {
	names := make([]string, len(s))
	for i, p := range s {
		names[i] = p.String()
	}
	return strings.Join(names, ",")
}

func (s several) AppendCall(dst []byte, catalog *sig.Catalog, name string, input []byte, o parse.FormatOptions) ([]byte, error) {
	o.Protocol = s[0]
	return s[0].AppendCall(dst, catalog, name, input, o)
}

func (s several) NewReader(catalog *sig.Catalog, o parse.Options) (parse.Reader, error) {
	r := &anyReader{claim: -1, readers: make([]parse.Reader, len(s)), released: make([]int, len(s)), most: o.Limits.OrDefault().Bytes, stops: o.StopAfterMalformed, coded: o.Code}
	o.Code = false // the readers do not see all the text
	for i, p := range s {
		o.Protocol = p
		var err error
		if own, ok := p.(Protocol); ok {
			r.readers[i], err = own.newReader(catalog, o, !s.share(own.Frame.Open))
		} else {
			r.readers[i], err = p.NewReader(catalog, o)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// share reports whether several of them have that opener; then only one of them can
// read what is between the tags.
func (s several) share(open string) bool {
	n := 0
	for _, p := range s {
		if p, ok := p.(Protocol); ok && p.Frame.Open == open {
			n++
		}
	}
	return n > 1
}

// anyReader gives each byte of text to all readers until one of them begins a call;
// that one gets what follows until the call has ended.
type anyReader struct {
	readers []parse.Reader
	whole   []byte // the chunk
	base    int    // its offset
	chunk   []byte // its unread end
	closed  bool
	aborted bool

	pos      int    // bytes of the message given to the readers
	released []int  // the offset up to which each reader has released text
	emitted  int    // the offset up to which text was returned
	text     []byte // the bytes from there to pos
	most     int    // how many bytes before pos may be read again

	claim   int // the reader that has begun a call at a place where an earlier one may begin one too; -1 for none
	claimed int // the offset up to which it has read

	owner   parse.Reader // of the call or reasoning being read
	thinks  bool         // it reads reasoning
	due     parse.Part   // a part of that, read ahead
	told    bool         // the owner was told that the message has ended
	damaged bool         // a malformed call was read, an open quote, or an opener that prose mentions
	stops   bool         // after damage no call is delivered
	coded   bool         // no call in Markdown code is delivered
	code    lexer.Markdown

	seg   parse.Segment
	delta []byte
}

func (r *anyReader) Feed(chunk []byte) {
	if !r.closed {
		r.take(chunk)
	}
}

func (r *anyReader) Close() {
	r.take(r.chunk)
	r.closed = true
}

func (r *anyReader) Abort() {
	r.Close()
	r.aborted = true
}

// take makes chunk the input to read.
func (r *anyReader) take(chunk []byte) { r.whole, r.base, r.chunk = chunk, r.pos, chunk }

// firstPiece is how many bytes of a chunk the owner gets first; then it gets as many as
// it has had, so little is read again after a short call.
const firstPiece = 256

func (r *anyReader) Reset() {
	for _, reader := range r.readers {
		reader.Reset()
	}
	clear(r.released)
	*r = anyReader{claim: -1, readers: r.readers, released: r.released, most: r.most, stops: r.stops, coded: r.coded}
}

func (r *anyReader) Segment() *parse.Segment {
	if r.owner != nil {
		return r.owner.Segment()
	}
	return &r.seg
}

func (r *anyReader) Delta() []byte { return r.delta }

// Opening returns the byte that all have in common, 0 if each byte matters.
func (r *anyReader) Opening() byte {
	if r.coded {
		return 0
	}
	first := r.readers[0].Opening()
	for _, reader := range r.readers {
		if reader.Opening() != first {
			return 0
		}
	}
	return first
}

func (r *anyReader) Skip(n int, text []byte) bool {
	if n < 0 || n > math.MaxInt/2-r.pos || r.owner != nil || len(r.text) > 0 || len(r.chunk) > 0 {
		return false
	}
	for _, reader := range r.readers {
		first := reader.Opening()
		if len(text) > 0 && (first == 0 || bytes.IndexByte(text, first) >= 0) { // every reader must be able to tell
			return false
		}
	}
	for i, reader := range r.readers { // none of them holds anything back
		reader.Skip(n, text)
		r.released[i] += n
	}
	r.pos += n
	r.emitted += n
	return true
}

func (r *anyReader) Steps() (n int) {
	for _, reader := range r.readers {
		n += reader.Steps()
	}
	return n
}

func (r *anyReader) Next() parse.Part {
	if r.owner == nil {
		for len(r.chunk) > 0 && r.owner == nil {
			r.step()
		}
		if r.owner == nil && r.closed && r.claim >= 0 {
			r.own(r.claim)
		}
		if part := r.emit(); part != parse.NoPart || r.owner == nil {
			return part
		}
	}
	for {
		part := r.due
		if r.due = parse.NoPart; part == parse.NoPart {
			if part = r.owner.Next(); r.owner == nil { // a callback of the options has called Reset
				return parse.NoPart
			}
		}
		r.delta = bytes.Clone(r.owner.Delta()) // the owner may be reset before the chunk is used up
		switch {
		case part == parse.CallPart || part == parse.MalformedPart:
			return r.end(part)
		case part == parse.TextPart: // an opener that prose mentions
			r.text, r.emitted = r.text[len(r.delta):], r.emitted+len(r.delta)
			r.damaged = true
			r.pass()
			r.next(r.emitted)
			return part
		case part >= parse.ReasoningStartPart:
			r.text, r.emitted = r.text[len(r.delta):], r.emitted+len(r.delta)
			if r.thinks = part != parse.ReasoningEndPart; !r.thinks {
				r.next(r.emitted)
			}
			return part
		case part != parse.NoPart && r.refused() == "":
			return part
		case part != parse.NoPart: // of a call that is not delivered
		case len(r.chunk) > 0:
			if n := len(r.text) - r.most; n > r.most {
				r.text, r.emitted = append([]byte(nil), r.text[n:]...), r.emitted+n
			}
			piece := r.chunk[:min(len(r.chunk), max(firstPiece, len(r.text)))]
			r.owner.Feed(piece)
			r.text, r.pos, r.chunk = append(r.text, piece...), r.pos+len(piece), r.chunk[len(piece):]
		case r.closed && !r.told:
			if r.told = true; r.aborted {
				r.owner.Abort()
			} else {
				r.owner.Close()
			}
		default:
			return parse.NoPart
		}
	}
}

// step gives the next byte of text to all readers.
func (r *anyReader) step() {
	b := r.chunk[:1]
	r.chunk = r.chunk[1:]
	r.text = append(r.text, b[0])
	r.pos++
	for i, reader := range r.readers {
		if i == r.claim || r.owner != nil && r.claim >= 0 {
			continue
		}
		reader.Feed(b)
		part := reader.Next()
		for part == parse.TextPart {
			r.released[i] += len(reader.Delta())
			part = reader.Next()
		}
		if r.pos == 0 { // a callback of the options has called Reset
			return
		}
		if r.owner == nil && (part != parse.NoPart || reader.Segment().Kind == parse.Unfinished) {
			switch {
			case part == parse.NoPart && r.claim < 0 && r.awaited(i):
				r.claim, r.claimed = i, r.pos
			case r.claim < 0 || i < r.claim:
				r.owner, r.due = reader, part
			}
		}
	}
	if r.owner == nil && r.claim >= 0 && !r.awaited(r.claim) {
		r.own(r.claim)
	}
}

// awaited reports whether a reader before reader i may still begin a call where reader
// i has begun one.
func (r *anyReader) awaited(i int) bool {
	return slices.ContainsFunc(r.released[:i], func(n int) bool { return n <= r.released[i] })
}

// own makes reader i the owner and gives it the bytes that it has missed.
func (r *anyReader) own(i int) {
	r.owner = r.readers[i]
	r.owner.Feed(r.text[r.claimed-r.emitted:])
}

// emit returns text that all readers take for text, or that stands before a call.
func (r *anyReader) emit() parse.Part {
	low := r.pos
	for i, n := range r.released {
		if r.owner == r.readers[i] {
			low = n
			break
		}
		if r.owner == nil && !r.closed {
			low = min(low, n)
		}
	}
	n := low - r.emitted
	if n <= 0 {
		return parse.NoPart
	}
	r.delta, r.text = r.text[:n:n], r.text[n:]
	r.emitted = low
	r.pass()
	return parse.TextPart
}

// pass records the text that is returned.
func (r *anyReader) pass() {
	for i := 0; r.coded && i < len(r.delta); i++ {
		r.code.Pass(r.delta[i])
	}
}

// refused returns the code for the call being read if it must not be delivered, else
// "".
func (r *anyReader) refused() lexer.Code {
	switch {
	case r.coded && r.code.Code():
		return lexer.InCode
	case r.stops && r.damaged:
		return lexer.AfterMalformed
	}
	return ""
}

// end ends the owner's call and starts over after it.
func (r *anyReader) end(part parse.Part) parse.Part {
	s := r.owner.Segment().Clone()
	s.AfterMalformed = s.AfterMalformed || r.damaged
	code := r.refused()
	if code == lexer.InCode || code != "" && part == parse.CallPart {
		if part == parse.CallPart {
			s.Kind, s.Closed, s.Input, s.Issues = parse.Malformed, true, nil, nil
			s.Text = bytes.Clone(r.text[s.Start-r.emitted : s.End-r.emitted])
		}
		part, r.delta = parse.MalformedPart, nil
		s.Err = &lexer.Error{Code: code, Offset: s.Start, Tool: s.Name}
	}
	opened := slices.ContainsFunc(s.Issues, func(i parse.Issue) bool { return i.Code == lexer.OpenQuote })
	r.damaged = r.damaged || opened || part == parse.MalformedPart && s.Err.Code != lexer.InCode
	r.code.Call()
	r.seg = s
	r.next(s.End)
	return part
}

// next starts over at the offset end, with all readers.
func (r *anyReader) next(end int) {
	if end < r.base { // what was read ahead comes before the chunk
		r.whole, r.base = append(bytes.Clone(r.text[end-r.emitted:r.base-r.emitted]), r.whole...), end
	}
	r.chunk = r.whole[end-r.base:]
	r.owner, r.told, r.claim = nil, false, -1
	r.pos, r.emitted, r.text = end, end, nil
	for i, reader := range r.readers {
		reader.Reset()
		reader.Skip(r.pos, nil)
		r.released[i] = r.pos
	}
}
