package relaxed

import (
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// DefaultDepth is how deep arrays and objects may nest where the options do not say.
const DefaultDepth = 1000

// Options say how to read. The zero value reads RFC 8259.
type Options struct {
	Allow Allow
	Depth int // how deep arrays and objects may nest; 0 is DefaultDepth
}

// Tolerated is a deviation that was read.
type Tolerated struct {
	What Allow // one of them
	At   int   // offset of the token with which, or in front of which, it was met
}

// Parse returns text, one JSON value with any deviation of [All], as RFC 8259 JSON
// without whitespace. It is [Options.Parse] with these options.
func Parse(text []byte) ([]byte, error) {
	json, _, err := Options{Allow: All}.Parse(text)
	return json, err
}

// Parse returns text, one JSON value, as RFC 8259 JSON without whitespace, and what was
// tolerated, in the order of the text. Digits, and the order of keys and members, stay
// as they are, a repeated key too. The error is a [*lexer.Error]. Time and memory are
// linear in text.
func (o Options) Parse(text []byte) (json []byte, tolerated []Tolerated, err error) {
	d := NewDecoder(o)
	json, err = d.Feed(text)
	if err == nil {
		var rest []byte
		rest, err = d.Close()
		json = append(json, rest...)
	}
	if err != nil {
		json = nil
	}
	return json, d.Tolerated(), err
}

// Decoder is [Options.Parse] for a text that comes in chunks. A string is given out
// while it is read.
//
//	decoding = { Feed } Close
type Decoder struct {
	scan      Scanner
	buf       []byte // still to be read
	base      int    // offset of buf
	at        int    // offset of the token being read
	after     byte   // as in the scanner, of what was written
	out       []byte
	text      []byte
	tolerated []Tolerated
	err       error
}

// NewDecoder returns a Decoder.
func NewDecoder(o Options) *Decoder {
	if o.Depth <= 0 {
		o.Depth = DefaultDepth
	}
	return &Decoder{scan: Scanner{Allow: o.Allow, Depth: o.Depth, Pieces: true}}
}

// Feed reads the next chunk, and returns the JSON that it has made final, until the
// next call. All that is returned, one after the other, is the value. An error stands.
func (d *Decoder) Feed(chunk []byte) ([]byte, error) {
	d.out = d.out[:0]
	if d.err != nil {
		return nil, d.err
	}
	d.buf = append(d.buf, chunk...)
	d.read()
	return d.out, d.err
}

// Close says that the text has ended, and returns what is left. A value that is not
// complete is an error at the length of the text.
func (d *Decoder) Close() ([]byte, error) {
	d.out = d.out[:0]
	if d.err != nil {
		return nil, d.err
	}
	d.scan.Last = true
	d.read()
	if d.err == nil && !d.scan.Done() {
		d.fail(lexer.InvalidJSON, len(d.buf))
	}
	return d.out, d.err
}

// Tolerated returns what was tolerated so far, in the order of the text.
func (d *Decoder) Tolerated() []Tolerated { return d.tolerated }

// Steps returns how many bytes were looked at. It is linear in the text plus the number
// of chunks.
func (d *Decoder) Steps() int { return d.scan.Steps }

func (d *Decoder) read() {
	s := &d.scan
	pos := 0
	for {
		t, next := s.Next(d.buf, pos)
		if t.Kind == 0 {
			pos = next
			break
		}
		d.note(t)
		d.write(t)
		pos = next
	}
	if code, at := s.Fault(); code != "" {
		d.fail(code, at)
	} else if s.Done() {
		pos = lexeme.SkipSpace(d.buf, pos)
		if pos < len(d.buf) && !d.comment(&pos) {
			d.fail(lexer.InvalidJSON, pos)
		}
	}
	if pos > 0 {
		d.base += pos
		d.buf = append(d.buf[:0], d.buf[pos:]...)
	}
}

// comment reads comments after the value.
func (d *Decoder) comment(pos *int) bool {
	s := &d.scan
	for *pos < len(d.buf) {
		if s.look == 0 && (s.Allow&Comments == 0 || d.buf[*pos] != '/') {
			return false
		}
		end, more := s.comment(d.buf, *pos)
		if s.code != "" {
			return false
		}
		if more {
			return !s.Last
		}
		d.tolerated = append(d.tolerated, Tolerated{Comments, d.base + *pos})
		*pos = lexeme.SkipSpace(d.buf, end)
	}
	return true
}

// note notes what was tolerated with t, of a string at its end, so that its pieces do
// not matter.
func (d *Decoder) note(t Token) {
	what := d.scan.Tolerated
	if t.Kind != 's' || t.First {
		d.at = d.base + t.Start
	}
	if what == 0 || d.scan.Quote() != 0 {
		return
	}
	d.scan.Tolerated = 0
	for bit := Allow(1); bit <= what; bit <<= 1 {
		if what&bit != 0 {
			d.tolerated = append(d.tolerated, Tolerated{bit, d.at})
		}
	}
}

// fail records the error, at buf[at].
func (d *Decoder) fail(code lexer.Code, at int) {
	d.err = &lexer.Error{Code: code, Offset: d.base + at, Found: lexer.Excerpt(d.buf[min(at, len(d.buf)):])}
}

// write writes a token.
func (d *Decoder) write(t Token) {
	closing := t.Kind == '}' || t.Kind == ']'
	if d.after == 'v' && !closing && (t.Kind != 's' || t.First) {
		d.out = append(d.out, ',')
	}
	d.after = 'v'
	switch t.Kind {
	case 'l':
		d.out = append(d.out, t.Literal(d.buf)...)
		return
	case 'k', 's':
	default:
		if !closing {
			d.after = t.Kind
		}
		d.out = append(d.out, t.Kind)
		return
	}
	if t.Kind == 'k' || t.First {
		d.out = append(d.out, '"')
	}
	if t.Escaped {
		d.text = t.AppendText(d.text[:0], d.buf)
		d.out = lexeme.AppendText(d.out, d.text)
	} else {
		d.out = lexeme.AppendText(d.out, d.buf[t.Start:t.End])
	}
	if t.Kind == 'k' || t.Last {
		d.out = append(d.out, '"')
	}
	if t.Kind == 'k' {
		d.out = append(d.out, ':')
		d.after = ':'
	}
}
