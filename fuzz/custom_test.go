package fuzz

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// lineCalls is a user-defined protocol that is not data: a call is a line with "!", a
// name and the arguments as JSON.
//
//	!getWeather {"location":"Paris"}
//
// If hasty, it looks for calls in each chunk separately, the usual mistake.
type lineCalls struct{ hasty bool }

func (lineCalls) String() string { return "lines" }

func (p lineCalls) NewReader(catalog *sig.Catalog, o parse.Options) (parse.Reader, error) {
	r := &lineReader{hasty: p.hasty}
	r.Assembler = parse.NewAssembler(catalog, o, r.source)
	r.limit = o.Limits.OrDefault().Bytes
	return r, nil
}

func (p lineCalls) AppendCall(dst []byte, catalog *sig.Catalog, name string, input []byte, o parse.FormatOptions) ([]byte, error) {
	args, err := o.Arguments(catalog, name, input)
	if err != nil {
		return dst, err
	}
	text := "!" + name + " " + string(args) + "\n"
	segs := parse.Options{Protocol: p, Limits: o.Limits}.Text(text, catalog)
	if len(segs) != 1 || segs[0].Kind != parse.Call || segs[0].Name != name {
		return dst, &lexer.Error{Code: lexer.BadName, Tool: name}
	}
	return append(dst, text...), nil
}

// lineReader buffers a line until it ends.
type lineReader struct {
	*parse.Assembler
	hasty  bool
	limit  int
	line   []byte // not emitted yet
	base   int    // its offset
	parts  []func() parse.Part
	ready  []byte
	steps  int
	closed bool
}

func (r *lineReader) Opening() byte                      { return '!' }
func (r *lineReader) Steps() int                         { return r.steps + r.Assembler.Steps() }
func (r *lineReader) source(from, to int) ([]byte, bool) { return r.ready, false }

func (r *lineReader) Reset() {
	r.Assembler.Reset()
	r.line, r.base, r.parts, r.steps, r.closed = nil, 0, nil, 0, false
}

func (r *lineReader) Skip(n int, text []byte) bool {
	if len(r.line)+len(r.parts) > 0 || bytes.IndexByte(text, '!') >= 0 {
		return false
	}
	r.base += n
	return true
}

func (r *lineReader) Feed(chunk []byte) {
	if r.closed {
		return
	}
	r.Assembler.Feed()
	r.line = append(r.line, chunk...)
	r.steps += len(chunk)
	for len(r.line) > 0 {
		i := bytes.IndexByte(r.line, '!')
		switch n := bytes.IndexByte(r.line, '\n'); {
		case i < 0:
			i = len(r.line)
			fallthrough
		case i > 0:
			r.text(i)
		case n >= 0:
			r.call(n + 1)
		case r.hasty:
			r.text(len(r.line))
		default:
			return
		}
	}
}

// take returns the first n bytes of the buffer.
func (r *lineReader) take(n int) (text []byte, start int) {
	text, start = r.line[:n:n], r.base
	r.line, r.base = r.line[n:], r.base+n
	return text, start
}

func (r *lineReader) text(n int) {
	text, _ := r.take(n)
	r.parts = append(r.parts, func() parse.Part { return r.Text(text) })
}

// call reads a line that may be a call.
func (r *lineReader) call(n int) {
	name, args, found := strings.Cut(string(r.line[1:n-1]), " ")
	json, _, err := relaxed.Options{Depth: r.Limits().Depth + 1}.Parse([]byte(args))
	if !found || name == "" || err != nil || json[0] != '{' {
		r.text(1)
		return
	}
	line, start := r.take(n)
	var part parse.Part
	r.parts = append(r.parts, func() parse.Part {
		r.ready = line[:min(len(line), r.limit)]
		r.Begin(start, true)
		if len(line) > r.limit {
			part = r.Fail(lexer.CallTooLong, start+r.limit)
		} else if part = r.Name([]byte(name), start+1); !r.Dead() {
			r.write(json, start+len(name)+2)
		}
		return part
	}, func() parse.Part {
		part, _ := r.Failed()
		return part
	}, func() parse.Part { return r.Finish(start+len(line)-1, start+len(line)) })
}

// write writes JSON in compact form.
func (r *lineReader) write(json []byte, at int) {
	s := relaxed.Scanner{Depth: len(json), Last: true}
	for t, i := s.Next(json, 0); t.Kind != 0 && !r.Broken(); t, i = s.Next(json, i) {
		switch t.Kind {
		case '{', '[':
			r.Open(t.Kind == '{', at)
		case '}', ']':
			r.Assembler.Close(at)
		case 'k':
			r.Key(t.AppendText(nil, json), at)
		case 's':
			r.String(t.AppendText(nil, json), at)
		case 'l':
			r.Literal(t.Literal(json), at)
		}
	}
}

func (r *lineReader) Close() {
	r.closed = true
	if n := len(r.line); n > 0 {
		r.text(n)
	}
}

func (r *lineReader) Abort() { r.Close() }

func (r *lineReader) Next() parse.Part {
	if part := r.Pending(); part != parse.NoPart {
		return part
	}
	for len(r.parts) > 0 {
		next := r.parts[0]
		r.parts = r.parts[1:]
		if part := next(); part != parse.NoPart {
			return part
		}
	}
	return r.More()
}

// TestCustomProtocol: a protocol as a Go type passes every check, and one that reads
// each chunk separately does not.
func TestCustomProtocol(t *testing.T) {
	t.Run("lines", func(t *testing.T) { CheckProtocol(t, lineCalls{}, "!now {}\n! \n!t {\"a\":1,\"a\":2}\n") })
	if wrong := CheckReading(lineCalls{hasty: true}, []byte("a !now {}\n"), []byte{4, 1}); wrong == "" {
		t.Error("the bug of the hasty reader is not found")
	}
}
