package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

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
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	seen := make(map[string]bool)
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil
		}
		if folded := strings.ToLower(name); seen[folded] {
			return fmt.Errorf("the member %q occurs twice; write each once", name)
		} else {
			seen[folded] = true
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
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
