package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Call is one call of a tool.
type Call struct {
	Name  string
	Input json.RawMessage // one JSON object without whitespace; digits and order are kept
}

// ReadCalls reads calls from a JSON array or JSON Lines. A call is
//
//	{"name":"getWeather","input":{"location":"Austin"}}
//
// where "arguments" works in place of "input", and both may be JSON text in a string. Other members
// are ignored, so calls work as providers return them, a function of OpenAI included. The error
// names the call, counted from 1.
func ReadCalls(data []byte) ([]Call, error) {
	const form = `want {"name":"…","input":{…}}, in an array or one after another`
	type members struct {
		Name      *string         `json:"name"`
		Input     json.RawMessage `json:"input"`
		Arguments json.RawMessage `json:"arguments"`
	}
	type file struct {
		members
		Function *members `json:"function"`
	}
	files, err := ReadValues[file](data, false)
	if err != nil {
		return nil, fmt.Errorf("call %w; %s", err, form)
	}
	calls := make([]Call, len(files))
	for i, f := range files {
		if f.Name == nil && f.Function != nil {
			f.members = *f.Function
		}
		if f.Input == nil {
			f.Input = f.Arguments
		}
		input, err := objectOf(f.Input)
		if f.Name == nil {
			err = errors.New("it has no name")
		}
		if err != nil {
			return nil, fmt.Errorf("call %d: %w; %s", i+1, err, form)
		}
		calls[i] = Call{*f.Name, input}
	}
	return calls, nil
}

// objectOf returns the object that input is, or that its text is.
func objectOf(input json.RawMessage) (json.RawMessage, error) {
	if input == nil {
		return nil, errors.New("it has no input")
	}
	var text string
	if json.Unmarshal(input, &text) == nil {
		input = json.RawMessage(text)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, input); err != nil {
		return nil, fmt.Errorf("its input is not JSON: %w", err)
	}
	if !bytes.HasPrefix(b.Bytes(), []byte("{")) {
		return nil, errors.New("its input is not an object")
	}
	return b.Bytes(), nil
}

// ReadValues decodes consecutive JSON values, or arrays of them, and keeps the digits of numbers.
// If isStrict, unknown members are an error. The error begins with the number of the value if it
// has one.
func ReadValues[T any](data []byte, isStrict bool) ([]T, error) {
	texts, err := split(data)
	if err != nil {
		return nil, fmt.Errorf("%d: invalid JSON: %w", len(texts)+1, err)
	}
	if len(texts) == 0 {
		return nil, errors.New("none")
	}
	all := make([]T, len(texts))
	for i, text := range texts {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if isStrict {
			d.DisallowUnknownFields()
		}
		if err := d.Decode(&all[i]); err != nil {
			return nil, fmt.Errorf("%d: %s", i+1, strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	return all, nil
}

// split returns the values, and the elements of arrays.
func split(data []byte) (texts []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	for {
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF {
			return texts, nil
		}
		if err != nil {
			return texts, err
		}
		elements := []json.RawMessage{value}
		if value[0] == '[' {
			if err := json.Unmarshal(value, &elements); err != nil {
				return texts, err
			}
		}
		texts = append(texts, elements...)
	}
}

// JSON returns v as JSON without whitespace and without HTML escapes, which models don't write.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
