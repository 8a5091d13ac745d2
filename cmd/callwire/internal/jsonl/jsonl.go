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

// Lines reads lines of up to 64 MiB.
type Lines struct {
	in  *bufio.Reader
	max int
}

// NewLines returns a reader of the lines of in.
func NewLines(in io.Reader) *Lines { return &Lines{bufio.NewReader(in), maxLine} }

// Next returns the next line without a byte order mark and the whitespace around it. After ErrLong
// it continues with the next line.
func (l *Lines) Next() ([]byte, error) {
	var line []byte
	size := 0
	for {
		piece, err := l.in.ReadSlice('\n')
		size += len(piece)
		if size <= l.max {
			line = append(line, piece...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && (err != io.EOF || size == 0):
			return nil, err
		case size > l.max:
			return nil, ErrLong
		default:
			return bytes.TrimSpace(WithoutMark(line)), nil
		}
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
	ahead []string // lines that were read and not taken
	err   error    // of the line after them
	alone int      // how many of them are values of their own, because they are none together
}

// NewValues returns a reader of the values of in.
func NewValues(in io.Reader) *Values { return &Values{lines: NewLines(in)} }

// Next returns the next value and the number of its first line. The value may be invalid JSON. The
// error is ErrLong, io.EOF, or that of the input.
func (r *Values) Next() (value []byte, line int, err error) {
	for len(r.ahead) > 0 || r.more() {
		n := 1
		if r.alone == 0 {
			n = r.wholeLines()
		}
		if n == 0 {
			n, r.alone = 1, len(r.ahead)
		}
		line = r.taken + 1
		value = []byte(strings.Join(r.ahead[:n], "\n"))
		r.ahead, r.taken, r.alone = r.ahead[n:], r.taken+n, max(r.alone-1, 0)
		if len(value) > 0 {
			return value, line, nil
		}
	}
	line, err = r.taken+1, r.err
	if err == ErrLong {
		r.taken, r.err = line, nil
	}
	return nil, line, err
}

// more reads another line ahead.
func (r *Values) more() bool {
	var line []byte
	if r.err == nil {
		line, r.err = r.lines.Next()
	}
	if r.err != nil {
		return false
	}
	r.ahead = append(r.ahead, string(line))
	return true
}

// wholeLines returns how many lines the next value takes, or 0 if it is broken.
func (r *Values) wholeLines() int {
	if first := r.ahead[0]; first == "" || rawjson.Valid([]byte(first)) { // most are
		return 1
	}
	in := reading{Values: r}
	var value json.RawMessage
	if err := json.NewDecoder(&in).Decode(&value); err != nil {
		return 0
	}
	return in.lines
}

// reading reads the lines of a value, one at a time.
type reading struct {
	*Values
	lines int    // that were read
	rest  string // of the last one
}

// Read implements [io.Reader].
func (r *reading) Read(p []byte) (n int, err error) {
	if r.rest == "" {
		if r.lines == len(r.ahead) && !r.more() {
			return 0, io.EOF
		}
		r.rest = r.ahead[r.lines] + "\n"
		r.lines++
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
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
