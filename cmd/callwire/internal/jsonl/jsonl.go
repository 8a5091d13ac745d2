// Package jsonl reads JSON values from a stream, each in a line or over several, and
// writes them in lines.
package jsonl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
)

// WithoutMark returns JSON text without the byte order mark that some editors put
// in front of it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Values reads JSON values, each on one line or over several. Lines that are no value together are
// values of their own.
type Values struct {
	lines *bufio.Reader
	dec   *json.Decoder // reads r
	last  []byte        // the last line that was read
	rest  []byte        // what of it the decoder has not read
	line  int           // its number
	alone [][]byte      // lines that are no value together
	first int           // the number of the first of them
}

// NewValues returns a reader of the values of in.
func NewValues(in io.Reader) *Values {
	r := &Values{lines: bufio.NewReader(in)}
	r.dec = json.NewDecoder((*lineReader)(r))
	return r
}

// Next returns the next value and the number of its first line. The value may be invalid JSON. The
// error is io.EOF, or that of the input.
func (r *Values) Next() (value json.RawMessage, line int, err error) {
	for len(r.alone) > 0 {
		value, line = bytes.TrimSpace(r.alone[0]), r.first
		r.alone, r.first = r.alone[1:], r.first+1
		if len(value) > 0 {
			return value, line, nil
		}
	}
	err = r.dec.Decode(&value)
	var broken *json.SyntaxError
	switch {
	case err == nil:
		return value, r.line - bytes.Count(value, []byte("\n")), nil
	case err != io.ErrUnexpectedEOF && !errors.As(err, &broken):
		return nil, r.line + 1, err
	}
	text, _ := io.ReadAll(r.dec.Buffered()) // a buffer, which gives all it has
	r.alone = bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	last := len(r.alone) - 1
	r.first, r.rest = r.line-last, nil
	if last > 0 && err != io.ErrUnexpectedEOF {
		r.alone, r.rest = r.alone[:last], r.last // which may begin a value
	}
	r.dec = json.NewDecoder((*lineReader)(r))
	return r.Next()
}

// A lineReader reads values line by line, so that the number of the line is known.
type lineReader Values

// Read implements [io.Reader].
func (r *lineReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		line, err := r.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		if r.line == 0 {
			line = WithoutMark(line)
		}
		r.line++
		r.last, r.rest = line, line
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// NewEncoder returns an encoder of JSON Lines that doesn't escape <, > and &, but escapes
// characters that are invisible on a terminal.
func NewEncoder(out io.Writer) *json.Encoder {
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

// jsonKinds are the JSON values that Go types are read from.
var jsonKinds = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a string", reflect.Int: "a whole number",
	reflect.Slice: "an array", reflect.Struct: "an object", reflect.Map: "an object",
}

// embedded matches the name of an embedded struct in the path of a member.
var embedded = regexp.MustCompile(`\b[A-Z]\w*\.`)

// Error words an error of encoding/json for people who write JSON, not Go.
func Error(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	what := fmt.Sprintf("want %s, found %s",
		cmp.Or(jsonKinds[mismatch.Type.Kind()], "a number"), mismatch.Value)
	if mismatch.Field != "" {
		what = embedded.ReplaceAllString(mismatch.Field, "") + ": " + what
	}
	return errors.New(what)
}
