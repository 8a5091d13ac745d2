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
	Input json.RawMessage // one JSON object without whitespace; digits and order as they were given
}

// wantCall is how calls are to be given.
const wantCall = `want {"name":"…","input":{…}}`

// ReadCalls reads calls: a JSON array of them, or one after another, as in JSON
// Lines. A call is
//
//	{"name":"getWeather","input":{"location":"Austin"}}
//
// where "arguments" is understood for "input", either may be the JSON text of
// the object in a string, and members that it has besides are left out: so the
// calls that providers' APIs return can be given as they are, the function of an
// OpenAI call included. The error names the call, counted from 1.
func ReadCalls(data []byte) ([]Call, error) {
	given, err := readList(data)
	if err != nil {
		return nil, fmt.Errorf("%w; %s, in an array or one after another", err, wantCall)
	}
	if len(given) == 0 {
		return nil, fmt.Errorf("no call; %s, in an array or one after another", wantCall)
	}
	calls := make([]Call, len(given))
	for i, text := range given {
		if calls[i], err = readCall(text); err != nil {
			return nil, fmt.Errorf("call %d: %w; %s", i+1, err, wantCall)
		}
	}
	return calls, nil
}

// readList returns the elements of an array, or the values that follow each
// other.
func readList(data []byte) ([]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	var list []json.RawMessage
	for {
		var value json.RawMessage
		switch err := dec.Decode(&value); {
		case err == io.EOF:
			return list, nil
		case err == io.ErrUnexpectedEOF:
			return nil, errors.New("no JSON: it ends too early")
		case err != nil:
			return nil, fmt.Errorf("no JSON after %d bytes: %w", dec.InputOffset(), err)
		}
		if value[0] != '[' {
			list = append(list, value)
			continue
		}
		var elements []json.RawMessage
		if err := json.Unmarshal(value, &elements); err != nil {
			return nil, err
		}
		list = append(list, elements...)
	}
}

// readCall reads one call.
func readCall(text []byte) (Call, error) {
	if text[0] != '{' {
		return Call{}, errors.New("it is no object")
	}
	type members struct {
		Name      *string         `json:"name"`
		Input     json.RawMessage `json:"input"`
		Arguments json.RawMessage `json:"arguments"`
	}
	var call struct {
		members
		Function *members `json:"function"`
	}
	if err := json.Unmarshal(text, &call); err != nil {
		return Call{}, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if call.Name == nil && call.Function != nil {
		call.members = *call.Function
	}
	input := call.Input
	if input == nil {
		input = call.Arguments
	}
	switch {
	case call.Name == nil:
		return Call{}, errors.New("it has no name")
	case input == nil:
		return Call{}, errors.New("it has no input")
	}
	input, err := objectOf(input)
	return Call{*call.Name, input}, err
}

// objectOf returns the object that input is, or is the text of.
func objectOf(input json.RawMessage) (json.RawMessage, error) {
	if input[0] == '"' {
		var text string
		if err := json.Unmarshal(input, &text); err != nil {
			return nil, err
		}
		input = json.RawMessage(text)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, input); err != nil {
		return nil, fmt.Errorf("its input is no JSON: %w", err)
	}
	if b.Len() == 0 || b.Bytes()[0] != '{' {
		return nil, errors.New("its input is no object")
	}
	return b.Bytes(), nil
}
