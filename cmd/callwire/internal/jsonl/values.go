package jsonl

import (
	"bytes"
	"io"
)

// Values reads JSON values, each on one line or pretty-printed over several. After a broken line
// it goes on with the next one.
type Values struct {
	lines *Lines
	taken int      // lines
	queue []string // lines that were read ahead; each is a value then
}

// NewValues returns a reader of the values of in.
func NewValues(in io.Reader) *Values { return &Values{lines: NewLines(in)} }

// Next returns the next value, the number of its first line, and the error of the
// line reader. The value may be invalid JSON. It is valid until the next call.
func (r *Values) Next() (value []byte, line int, err error) {
	if len(r.queue) > 0 {
		value, r.queue = []byte(r.queue[0]), r.queue[1:]
		return value, r.taken - len(r.queue), nil
	}
	first, err := r.lines.Next()
	r.taken++
	if err != nil {
		return nil, r.taken, err
	}
	var b brackets
	b.scan(first)
	if len(b.open) == 0 {
		return first, r.taken, nil
	}
	line = r.taken
	all := bytes.Clone(first)
	ahead := []string{string(first)}
	for len(b.open) > 0 {
		more, err := r.lines.Next()
		if err == nil {
			r.taken++
			ahead = append(ahead, string(more))
		}
		if err != nil || len(all)+len(more) >= r.lines.Max || !b.takes(more) {
			r.queue = ahead[1:]
			return []byte(ahead[0]), line, nil
		}
		b.scan(more)
		all = append(append(all, '\n'), more...)
	}
	return all, line, nil
}

// brackets follows the brackets of JSON, line by line.
type brackets struct {
	open []byte // [ and {
	last byte   // outside strings and whitespace; a quote for a string
}

// scan reads a line. Strings end with it.
func (b *brackets) scan(line []byte) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			b.open = append(b.open, c)
		case ']', '}':
			if len(b.open) > 0 {
				b.open = b.open[:len(b.open)-1]
			}
		}
		if i < len(line) {
			b.last = line[i]
		}
	}
}

// takes reports whether the line can continue the value. An array or object only begins where a
// value can.
func (b *brackets) takes(line []byte) bool {
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
		return true
	}
	return b.last == ':' || b.open[len(b.open)-1] == '[' && (b.last == '[' || b.last == ',')
}
