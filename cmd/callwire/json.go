package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// newEncoder returns an encoder of JSON Lines that leaves < > & as they are.
// What it writes to has sticky errors, which Flush returns, so that nobody need
// look at those of Encode.
func newEncoder(out *bufio.Writer) *json.Encoder {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc
}

// jsonError words an error of encoding/json for people who write JSON, not Go.
func jsonError(err error) error {
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
