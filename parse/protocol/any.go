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

// Any reads several protocols at once. A call belongs to the one whose opener comes
// first; if two share an opener, to the one named first. Until the call ends, the
// others mean nothing. Calls are written as in the first protocol. It panics if there
// are none; nil is the wire format.
//
// It reads text byte by byte with each of them: it is meant for formats that leak into
// a text, not for speed.
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
	r := &anyReader{claim: -1, ahead: -1, readers: make([]parse.Reader, len(s)), released: make([]int, len(s)), most: o.Limits.OrDefault().Bytes, stops: o.StopAfterMalformed, coded: o.Code}
	o.Code = false // the readers do not see all of the text
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

// share reports whether several of them have that opener: then what is between the tags
// is for one of them.
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
	chunk   []byte // the end of the chunk, which no reader has yet
	closed  bool
	aborted bool

	pos      int    // bytes of the message that all readers have
	released []int  // the offset up to which each reader has found text
	emitted  int    // the offset up to which text was returned
	text     []byte // the bytes from there on that any reader has
	most     int    // how many bytes before pos may be read once more
	steps    int    // that readers made before they last started over

	claim   int // the reader that has begun a call before which one of another may begin; -1 for none
	claimed int // the offset up to which it has read, unless it is ahead
	ahead   int // the reader that was the owner last, while it has read more than the others; -1

	owner   parse.Reader // of the call or reasoning being read
	fed     int          // the offset up to which it has read, or the reader that is ahead
	thinks  bool         // it reads reasoning
	due     parse.Part   // the part with which it begins
	told    bool         // it knows that the message has ended, as it does when it is ahead
	damaged bool         // a malformed call was read, an open quote, or an opener that prose mentions
	stops   bool         // after damage no call is delivered
	coded   bool         // no call is delivered in Markdown code
	code    lexer.Markdown

	seg   parse.Segment
	delta []byte
}

func (r *anyReader) Feed(chunk []byte) {
	if !r.closed {
		r.chunk = chunk
	}
}

func (r *anyReader) Close() { r.closed = true }

func (r *anyReader) Abort() {
	r.Close()
	r.aborted = true
}

// firstPiece is how many bytes of a chunk the owner gets at once, or as many as it has
// had, so that little is kept for the others after a short call.
const firstPiece = 256

func (r *anyReader) Reset() {
	for _, reader := range r.readers {
		reader.Reset()
	}
	clear(r.released)
	*r = anyReader{claim: -1, ahead: -1, readers: r.readers, released: r.released, most: r.most, stops: r.stops, coded: r.coded}
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
	n = r.steps
	for _, reader := range r.readers {
		n += reader.Steps()
	}
	return n
}

func (r *anyReader) Next() parse.Part {
	if r.owner == nil {
		for r.owner == nil && (r.pos < r.end() || len(r.chunk) > 0) {
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
			return r.finish(part)
		case part == parse.TextPart: // an opener that prose mentions
			r.text, r.emitted = r.text[len(r.delta):], r.emitted+len(r.delta)
			r.damaged = true
			r.pass()
			r.next(r.emitted, true)
			return part
		case part >= parse.ReasoningStartPart:
			r.text, r.emitted = r.text[len(r.delta):], r.emitted+len(r.delta)
			if r.thinks = part != parse.ReasoningEndPart; !r.thinks {
				r.next(r.emitted, true)
			}
			return part
		case part != parse.NoPart && r.refused() == "":
			return part
		case part != parse.NoPart: // of a call that is not delivered
		case r.fed < r.end():
			r.owner.Feed(r.text[r.fed-r.emitted:])
			r.fed = r.end()
		case len(r.chunk) > 0:
			if n := len(r.text) - r.most; n > r.most {
				r.text, r.emitted = append([]byte(nil), r.text[n:]...), r.emitted+n
			}
			piece := r.chunk[:min(len(r.chunk), max(firstPiece, len(r.text)))]
			r.text, r.chunk = append(r.text, piece...), r.chunk[len(piece):]
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

// end returns the offset of the end of the text.
func (r *anyReader) end() int { return r.emitted + len(r.text) }

// step gives the next byte of text to all readers. The one that is ahead has it, and is
// asked what it has read when the others have come that far.
func (r *anyReader) step() {
	if r.pos == r.end() {
		r.text, r.chunk = append(r.text, r.chunk[0]), r.chunk[1:]
	}
	b := r.text[r.pos-r.emitted:][:1:1]
	r.pos++
	for i, reader := range r.readers {
		switch {
		case i == r.claim:
			continue
		case i != r.ahead:
			reader.Feed(b)
		case r.pos < r.fed && (r.pos <= r.released[i] || r.awaited(i)):
			continue
		}
		part := reader.Next()
		// Text of the reader ahead that begins where its last call did is an opener that
		// prose mentions: that reader becomes the owner for it.
		for part == parse.TextPart && (i != r.ahead || reader.Segment().Start != r.released[i]) {
			r.released[i] += len(reader.Delta())
			if part = parse.NoPart; i != r.ahead || r.pos > r.released[i] || r.pos == r.fed {
				part = reader.Next()
			}
		}
		if r.pos == 0 { // a callback of the options has called Reset
			return
		}
		begun := r.pos > r.released[i] && (part != parse.NoPart || reader.Segment().Kind == parse.Unfinished)
		if begun && (r.claim < 0 || r.precedes(i, r.claim)) {
			r.claim, r.claimed, r.due = i, r.pos, part
		}
	}
	switch {
	case r.claim >= 0 && !r.awaited(r.claim):
		r.own(r.claim)
	case r.pos == r.fed && r.claim != r.ahead:
		r.ahead, r.told = -1, false
	}
}

// precedes reports whether a call of reader i, if it begins where the text of that ends,
// goes before one of reader k.
func (r *anyReader) precedes(i, k int) bool {
	return r.released[i] < r.released[k] || r.released[i] == r.released[k] && i < k
}

// awaited reports whether a call of another reader may still precede that of reader i.
func (r *anyReader) awaited(i int) bool {
	for k := range r.readers {
		if r.precedes(k, i) {
			return true
		}
	}
	return false
}

// own makes reader i the owner.
func (r *anyReader) own(i int) {
	if r.owner = r.readers[i]; i != r.ahead {
		r.fed, r.told = r.claimed, false
	}
}

// emit returns what is text to all readers, or stands before a call.
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

// refused returns the code of the call being read if it must not be delivered, else "".
func (r *anyReader) refused() lexer.Code {
	switch {
	case r.coded && r.code.Code():
		return lexer.InCode
	case r.stops && r.damaged:
		return lexer.AfterMalformed
	}
	return ""
}

// finish ends the owner's call and starts over after it.
func (r *anyReader) finish(part parse.Part) parse.Part {
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
	r.next(s.End, code != lexer.InCode)
	return part
}

// next starts over at the offset end, with all readers but the owner, which reads on, if
// so it may.
func (r *anyReader) next(end int, on bool) {
	r.text, r.emitted, r.pos = r.text[end-r.emitted:], end, end
	r.claim, r.ahead = -1, -1
	for i, reader := range r.readers {
		r.released[i] = end
		switch {
		case !on || reader != r.owner:
			r.steps += reader.Steps()
			reader.Reset()
			reader.Skip(end, nil)
		case end < r.fed:
			r.ahead = i
		default:
			reader.Next() // nothing is left
		}
	}
	r.owner = nil
	r.told = r.told && r.ahead >= 0
}
