// Package jsonl reads JSON values from a stream, each in a line or over several, and
// writes them in lines.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
)

// maxLine bounds a line, in bytes.
const maxLine = 64 << 20

// ErrLong is the error for a line that was skipped because of its length.
var ErrLong = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// Lines reads lines.
type Lines struct {
	Max int // bytes in a line; longer ones are skipped

	in      *bufio.Reader
	buf     []byte
	started bool // a line was read, so a byte order mark can no longer come
}

// NewLines returns a reader of the lines of in, of up to 64 MiB each.
func NewLines(in io.Reader) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, 64<<10), Max: maxLine}
}

// Next returns the next line without the whitespace around it. The line is valid until the next
// call. After ErrLong, Next continues with the next line.
func (r *Lines) Next() ([]byte, error) {
	r.buf = r.buf[:0]
	long := false
	for {
		piece, err := r.in.ReadSlice('\n')
		long = long || len(r.buf)+len(piece) > r.Max
		if !long {
			r.buf = append(r.buf, piece...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(r.buf) == 0 && !long):
			return nil, err
		case long:
			return nil, ErrLong
		}
		line := r.buf
		if !r.started {
			line, r.started = WithoutMark(line), true
		}
		return bytes.TrimSpace(line), nil
	}
}

// WithoutMark returns JSON text without the byte order mark that some editors put
// in front of it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Values reads JSON values, each on one line or pretty-printed over several. After a broken line
// it continues with the next one.
type Values struct {
	lines *Lines
	taken int      // lines
	queue []string // lines that were read ahead; each is a value then
	ahead error    // of the line reader, after those lines
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
	var first []byte
	err, r.ahead = r.ahead, nil
	if err == nil {
		first, err = r.lines.Next()
	}
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
			r.queue, r.ahead = ahead[1:], err
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

// NewEncoder returns an encoder of JSON Lines that doesn't escape <, > and &, but escapes
// characters that are invisible on a terminal. Its errors are sticky: check Flush.
func NewEncoder(out *bufio.Writer) *json.Encoder {
	enc := json.NewEncoder(terminal.Lines{Out: out})
	enc.SetEscapeHTML(false)
	return enc
}

// CheckMembers only reports members that an object has twice, because encoding/json would silently
// use the last one. Like encoding/json, it ignores the case of names.
func CheckMembers(object []byte) error {
	seen := make(map[string]bool)
	for _, m := range rawjson.ParseObject(object) {
		folded := strings.ToLower(m.Key)
		if seen[folded] {
			return fmt.Errorf("the member %q occurs twice; write each once", m.Key)
		}
		seen[folded] = true
	}
	return nil
}

// Error words an error of encoding/json for people who write JSON, not Go.
func Error(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	want := map[reflect.Kind]string{
		reflect.String: "a string",
		reflect.Bool:   "true or false",
		reflect.Int:    "an integer",
		reflect.Slice:  "an array",
	}[mismatch.Type.Kind()]
	if want == "" {
		want = "an object"
	}
	if mismatch.Field == "" {
		return fmt.Errorf("want %s, found %s", want, mismatch.Value)
	}
	return fmt.Errorf("%s: want %s, found %s", mismatch.Field, want, mismatch.Value)
}
