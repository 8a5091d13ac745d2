package fuzz

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Reader reads a message in chunks and keeps what was emitted, in normal form. There are
// three: the lexer, the parser and the decoder. At every step it checks the promised order
// of events, that nothing is taken back, and that spans tile the message.
type Reader interface {
	Feed(chunk []byte)
	Close()
	Abort()
	Reset()

	Parts() []Part // emitted so far
	Done() int     // everything before this offset has been emitted
	Err() error    // the first broken promise
}

// Readers are the three readers.
var Readers = []struct {
	Name string
	New  func(Setup) Reader
}{
	{"lexer", func(s Setup) Reader { return newLexerReader(s) }},
	{"parser", func(s Setup) Reader { return newParserReader(s) }},
	{"decoder", func(s Setup) Reader { return newDecoderReader(s) }},
}

// Read feeds chunks to r and closes it. Each chunk has its own memory, which is overwritten
// as soon as r must no longer use it.
func Read(r Reader, chunks ...[]byte) ([]Part, error) {
	for _, c := range chunks {
		if err := Lend(r, c); err != nil {
			return nil, err
		}
	}
	r.Close()
	return r.Parts(), r.Err()
}

// Lend feeds r a copy of chunk and overwrites it afterward.
func Lend(r Reader, chunk []byte) error {
	own := bytes.Clone(chunk)
	r.Feed(own)
	if !bytes.Equal(own, chunk) {
		return fmt.Errorf("chunk %q was changed to %q", chunk, own)
	}
	for i := range own {
		own[i] = '"'
	}
	return r.Err()
}

// book is the state that all readers share.
type book struct {
	parts []Part
	done  int
	err   error
}

func (b *book) Parts() []Part { return b.parts }
func (b *book) Done() int     { return b.done }
func (b *book) Err() error    { return b.err }

func (b *book) reset() { *b = book{} }

func (b *book) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// add adds the next part, which must begin where the last one ended.
func (b *book) add(p Part) {
	if p.Start != b.done || p.End < p.Start {
		b.fail("%s [%d,%d) after offset %d", p.Kind, p.Start, p.End, b.done)
	}
	b.done = p.End
	b.parts = join(b.parts, p)
}

// lexerReader is the lexer as a Reader.
type lexerReader struct {
	book
	lex    lexer.Lexer
	config lexer.Config
}

func newLexerReader(s Setup) *lexerReader {
	r := &lexerReader{config: s.lexer()}
	if err := r.lex.Reset(r.config); err != nil {
		panic(err)
	}
	return r
}

func (r *lexerReader) Feed(chunk []byte) { r.lex.Feed(chunk); r.read() }
func (r *lexerReader) Close()            { r.lex.Close(); r.read() }
func (r *lexerReader) Abort()            { r.lex.Abort(); r.read() }
func (r *lexerReader) Reset()            { r.lex.Reset(r.config); r.book.reset() }

func (r *lexerReader) read() {
	for toks := r.lex.Tokens(); len(toks) > 0; toks = r.lex.Tokens() {
		for _, t := range toks {
			p := Part{Kind: t.Kind.String(), Start: t.Start, End: t.End, Text: string(r.lex.Slice(t.Start, t.End)), Flags: t.Flags}
			switch t.Kind {
			case lexer.Fault:
				p.Code, p.At = r.lex.Fault()
				if n := len(r.parts); n > 0 && r.parts[n-1].Flags&lexer.Last == 0 {
					// The flags of a malformed string depend on the
					// chunks before the error.
					r.parts[n-1].Flags &= lexer.First | lexer.MemberKey
				}
			case lexer.Text, lexer.Space, lexer.Damage, lexer.Name, lexer.Key, lexer.String:
				if t.Start == t.End {
					r.fail("empty %s at %d", t.Kind, t.Start)
				}
			}
			r.add(p)
		}
	}
}

// parserReader is the parser as a Reader.
type parserReader struct {
	book
	parser parse.Reader
	begun  bool
	input  []byte
	lent   [][2][]byte // what the parser emitted from this chunk, with copies
}

func newParserReader(s Setup) *parserReader {
	p, err := parse.NewReader(s.Catalog, s.parse())
	if err != nil {
		panic(err)
	}
	return &parserReader{parser: p}
}

func (r *parserReader) Feed(chunk []byte) { r.parser.Feed(chunk); r.read() }
func (r *parserReader) Close()            { r.parser.Close(); r.read() }
func (r *parserReader) Abort()            { r.parser.Abort(); r.read() }
func (r *parserReader) Reset() {
	r.parser.Reset()
	r.book.reset()
	r.begun, r.input = false, nil
}

// hold records b, which must not change until the chunk has been read.
func (r *parserReader) hold(b []byte) []byte {
	r.lent = append(r.lent, [2][]byte{b, bytes.Clone(b)})
	return b
}

func (r *parserReader) read() {
	p := r.parser
	for {
		switch p.Next() {
		case parse.NoPart:
			for _, l := range r.lent {
				if !bytes.Equal(l[0], l[1]) {
					r.fail("%q became %q before the chunk was used up", l[1], l[0])
				}
			}
			r.lent = r.lent[:0]
			return
		case parse.TextPart:
			if r.begun {
				r.fail("text inside a call")
			}
			t := r.hold(p.Delta())
			if len(t) == 0 {
				r.fail("empty text")
			}
			r.add(Part{Kind: kindText, Start: r.done, End: r.done + len(t), Text: string(t)})
		case parse.ReasoningStartPart:
			r.reasoning(stream.ReasoningStart)
		case parse.ReasoningPart:
			r.reasoning(stream.ReasoningDelta)
		case parse.ReasoningEndPart:
			r.reasoning(stream.ReasoningEnd)
		case parse.StartPart:
			if s := p.Segment(); r.begun || s.Start != r.done || s.Name == "" {
				r.fail("start of %q at %d after offset %d", s.Name, s.Start, r.done)
			}
			r.begun, r.input = true, r.input[:0]
		case parse.InputPart:
			if !r.begun || len(p.Delta()) == 0 {
				r.fail("input %q, begun %t", p.Delta(), r.begun)
			}
			r.input = append(r.input, r.hold(p.Delta())...)
		case parse.CallPart:
			s := p.Segment()
			if got := string(r.input) + string(r.hold(p.Delta())); r.begun && !s.Mended && got != string(s.Input) {
				r.fail("input %q was given as %q", s.Input, got)
			}
			if !r.begun && !s.Mended {
				r.fail("a call that did not begin")
			}
			r.segment(s, string(r.hold(s.Input)))
		case parse.MalformedPart:
			s := p.Segment()
			r.hold(s.Text)
			r.segment(s, string(r.input))
		}
	}
}

func (r *parserReader) reasoning(t stream.Type) {
	p := Part{Kind: t.String(), Start: r.done, End: r.done + len(r.hold(r.parser.Delta()))}
	if t == stream.ReasoningDelta {
		p.Text = string(r.parser.Delta())
	}
	r.add(p)
}

func (r *parserReader) segment(s *parse.Segment, input string) {
	p := ofSegment(s)
	p.Input, p.Begun = input, r.begun
	r.add(p)
	r.begun, r.input = false, r.input[:0]
}

// ofSegment returns s as a part, without the source text of a call, which only a whole text
// has.
func ofSegment(s *parse.Segment) Part {
	p := Part{
		Kind: s.Kind.String(), Start: s.Start, End: s.End, Text: string(s.Text), Input: string(s.Input), Name: s.Name,
		After: s.AfterMalformed, Mended: s.Mended, Issues: append([]parse.Issue(nil), s.Issues...), Closed: s.Closed, Cut: s.Cut,
	}
	switch s.Kind {
	case parse.Call:
		p.Text = ""
	case parse.Malformed:
		p.Code, p.At = s.Err.Code, s.Err.Offset
		p.Issues = nil
	}
	return p
}

// decoderReader is the decoder as a Reader.
type decoderReader struct {
	book
	dec    *stream.Decoder
	last   stream.Type // the previous event
	any    bool        // there was one
	id     string      // of the open text or call
	ids    map[string]bool
	input  []byte
	ragged bool // a delta was not valid UTF-8
}

func newDecoderReader(s Setup) *decoderReader {
	return &decoderReader{dec: stream.NewDecoder(s.Catalog, s.stream())}
}

func (r *decoderReader) Feed(chunk []byte) { r.read(r.dec.Feed(chunk)) }
func (r *decoderReader) Close()            { r.read(r.dec.Close()); r.closed() }
func (r *decoderReader) Abort()            { r.read(r.dec.Abort()); r.closed() }
func (r *decoderReader) Reset()            { r.dec.Reset(); *r = decoderReader{dec: r.dec} }

// closed checks that nothing is open at the end of the message.
func (r *decoderReader) closed() {
	if r.any && r.last != stream.TextEnd && r.last != stream.ToolCall && r.last != stream.Malformed && r.last != stream.ReasoningEnd {
		r.fail("the message ends after %s", r.last)
	}
}

// follows says which events may directly follow which.
var follows = map[stream.Type][]stream.Type{
	stream.TextStart:      {stream.TextDelta},
	stream.TextDelta:      {stream.TextDelta, stream.TextEnd},
	stream.TextEnd:        {stream.ToolInputStart, stream.Malformed, stream.ReasoningStart},
	stream.ToolInputStart: {stream.ToolInputDelta, stream.Malformed},
	stream.ToolInputDelta: {stream.ToolInputDelta, stream.ToolInputEnd, stream.Malformed},
	stream.ToolInputEnd:   {stream.ToolCall},
	stream.ToolCall:       {stream.TextStart, stream.ToolInputStart, stream.Malformed, stream.ReasoningStart},
	stream.Malformed:      {stream.TextStart, stream.ToolInputStart, stream.Malformed, stream.ReasoningStart},
	stream.ReasoningStart: {stream.ReasoningDelta, stream.ReasoningEnd},
	stream.ReasoningDelta: {stream.ReasoningDelta, stream.ReasoningEnd},
	stream.ReasoningEnd:   {stream.TextStart, stream.ToolInputStart, stream.Malformed, stream.ReasoningStart},
}

func (r *decoderReader) read(events []stream.Event) {
	for _, e := range events {
		r.event(e)
	}
}

func (r *decoderReader) event(e stream.Event) {
	allowed := follows[stream.ReasoningEnd]
	if r.any {
		allowed = follows[r.last]
	}
	ok := false
	for _, t := range allowed {
		ok = ok || t == e.Type
	}
	if !ok {
		r.fail("%s after %s", e.Type, r.last)
	}
	before := r.last
	r.last, r.any = e.Type, true
	r.ragged = r.ragged || !utf8.Valid(e.Delta)
	switch e.Type {
	case stream.TextStart, stream.ToolInputStart, stream.ReasoningStart:
		if r.ids[e.ID] || e.ID == "" {
			r.fail("%s with the id %q", e.Type, e.ID)
		}
		if r.ids == nil {
			r.ids = map[string]bool{}
		}
		r.ids[e.ID] = true
		r.id, r.input = e.ID, r.input[:0]
		if e.Type == stream.ToolInputStart && e.Start != r.done {
			r.fail("%s at %d after offset %d", e.Type, e.Start, r.done)
		}
		if e.Type == stream.ReasoningStart {
			r.add(Part{Kind: e.Type.String(), Start: e.Start, End: e.End})
		}
		return
	case stream.Malformed:
		if before != stream.ToolInputStart && before != stream.ToolInputDelta || !ok {
			r.id, r.input = "", r.input[:0]
		}
	}
	if e.ID != r.id {
		r.fail("%s with the id %q inside %q", e.Type, e.ID, r.id)
	}
	switch e.Type {
	case stream.TextDelta:
		if len(e.Delta) == 0 || e.End-e.Start != len(e.Delta) {
			r.fail("text [%d,%d) of %d bytes", e.Start, e.End, len(e.Delta))
		}
		r.add(Part{Kind: kindText, Start: e.Start, End: e.End, Text: string(e.Delta)})
	case stream.ReasoningDelta, stream.ReasoningEnd:
		if e.Type == stream.ReasoningDelta && e.End-e.Start != len(e.Delta) {
			r.fail("reasoning [%d,%d) of %d bytes", e.Start, e.End, len(e.Delta))
		}
		r.add(Part{Kind: e.Type.String(), Start: e.Start, End: e.End, Text: string(e.Delta)})
	case stream.ToolInputDelta:
		r.input = append(r.input, e.Delta...)
		if len(e.Delta) == 0 || insideEscape(r.input) {
			r.fail("input delta %q", e.Delta)
		}
	case stream.ToolCall:
		if string(r.input) != string(e.Input) {
			r.fail("input %q was given as %q", e.Input, r.input)
		}
		r.add(Part{
			Kind: kindCall, Start: e.Start, End: e.End, Input: string(e.Input), ID: e.ID, Name: e.Name, Begun: true,
			After: e.AfterMalformed, Mended: e.Mended, Issues: append([]parse.Issue(nil), e.Issues...),
		})
	case stream.Malformed:
		r.add(Part{
			Kind: kindMalformed, Start: e.Start, End: e.End, Text: string(e.Text), Input: string(r.input), ID: e.ID, Name: e.Name, Begun: e.ID != "",
			After: e.AfterMalformed, Code: e.Err.Code, At: e.Err.Offset, Closed: e.Closed, Cut: e.Cut,
		})
	}
}

// insideEscape reports whether incomplete JSON text ends inside an escape.
func insideEscape(json []byte) bool {
	n := len(json)
	for back := 1; back <= min(6, n); back++ {
		if json[n-back] != '\\' {
			continue
		}
		run := 0
		for n-back-run > 0 && json[n-back-run-1] == '\\' {
			run++
		}
		if run%2 == 1 {
			return false // the backslash is itself escaped
		}
		return back == 1 || json[n-back+1] == 'u' && back < 6
	}
	return false
}
