package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
)

// Call is one call of a tool.
type Call struct {
	Name  string
	Input json.RawMessage // one JSON object without whitespace; digits and order are kept
}

// ReadCalls reads calls from JSON values, or arrays of them. A call is
//
//	{"name":"getWeather","input":{"location":"Austin"}}
//
// or what an API returns. The error names the value, counted from 1.
func ReadCalls(data []byte) (calls []Call, err error) {
	texts, err := split(data)
	if err != nil {
		return nil, fmt.Errorf("call %d: invalid JSON: %w", len(texts)+1, err)
	}
	for i, text := range texts {
		read, errs := conversation.ReadCalls(text)
		for _, c := range read {
			var input bytes.Buffer
			err := json.Compact(&input, c.Input)
			if err != nil {
				err = fmt.Errorf("its input is not JSON: %w", err)
			} else if !bytes.HasPrefix(input.Bytes(), []byte("{")) {
				err = errors.New("its input is not an object")
			}
			errs = append(errs, err)
			calls = append(calls, Call{c.Name, input.Bytes()})
		}
		if err := errors.Join(errs...); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			return nil, fmt.Errorf("call %d: %s", i+1, first)
		}
	}
	if len(calls) == 0 {
		return nil, fmt.Errorf("call none; %s", conversation.WantCalls)
	}
	return calls, nil
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
