package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
)

// givenCall is a call as programs give it.
type givenCall struct {
	name  string
	input []byte // JSON text, which nobody has checked
}

const wantCalls = `write {"name":"…","input":{…}}, or what an API returns`

// readCalls returns the calls in a JSON value: a call with name and input or
// arguments, a message or an answer of OpenAI, Anthropic or the AI SDK with calls
// in it, or an array of these. An error of one call does not keep the others back.
func readCalls(value []byte) (calls []givenCall, errs []error) {
	if len(value) > 0 && value[0] == '[' {
		return readCallList(value)
	}
	if err := checkMembers(value); err != nil {
		return nil, []error{fmt.Errorf("%s: %w; %s", lexer.DuplicateKey, err, wantCalls)}
	}
	var in struct {
		Name      json.RawMessage `json:"name"`
		Role      json.RawMessage `json:"role"`
		Type      string          `json:"type"`
		Function  json.RawMessage `json:"function"`
		Message   json.RawMessage `json:"message"`
		Choices   json.RawMessage `json:"choices"`
		Messages  json.RawMessage `json:"messages"`
		ToolCalls json.RawMessage `json:"tool_calls"`
		Output    json.RawMessage `json:"output"`
	}
	if err := json.Unmarshal(value, &in); err != nil {
		return nil, []error{fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonError(err), wantCalls)}
	}
	switch {
	case in.Name != nil && in.Role == nil:
		call, err := readCall(value)
		if err != nil {
			return nil, []error{err}
		}
		return []givenCall{call}, nil
	case in.Role != nil:
		return readMessageCalls(value)
	}
	for _, inner := range []json.RawMessage{in.Function, in.Message, in.Choices, in.Messages, in.ToolCalls, in.Output} {
		if len(inner) > 0 && (inner[0] == '[' || inner[0] == '{') {
			return readCalls(inner)
		}
	}
	if in.Type != "" {
		return readMessageCalls(value)
	}
	return nil, []error{fmt.Errorf("%s: no name; %s", lexer.BadName, wantCalls)}
}

// readCallList returns the calls of the elements of an array.
func readCallList(value []byte) (calls []givenCall, errs []error) {
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, []error{fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonError(err), wantCalls)}
	}
	for i, element := range list {
		some, wrong := readCalls(element)
		calls = append(calls, some...)
		for _, err := range wrong {
			errs = append(errs, fmt.Errorf("element %d: %w", i+1, err))
		}
	}
	return calls, errs
}

// readMessageCalls returns the calls in a message, which may have none.
func readMessageCalls(value []byte) (calls []givenCall, errs []error) {
	var m manual.Message
	if err := json.Unmarshal(value, &m); err != nil {
		return nil, []error{fmt.Errorf("%s: %w", lexer.InvalidJSON, err)}
	}
	for _, p := range m.Parts {
		if p.Kind != manual.Call {
			continue
		}
		raw, _ := p.Input.(json.RawMessage)
		input, err := inputText(raw)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		calls = append(calls, givenCall{p.Name, input})
	}
	return calls, errs
}

// readCall reads a call with name and input or arguments.
func readCall(value []byte) (givenCall, error) {
	var call struct {
		Name      protocol.Text   `json:"name"`
		Input     json.RawMessage `json:"input"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(value, &call); err != nil {
		return givenCall{}, fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonError(err), wantCalls)
	}
	if call.Input == nil {
		call.Input = call.Arguments
	} else if call.Arguments != nil {
		return givenCall{}, fmt.Errorf("%s: both input and arguments; %s", lexer.DuplicateKey, wantCalls)
	}
	if call.Name == nil {
		return givenCall{}, fmt.Errorf("%s: no name; %s", lexer.BadName, wantCalls)
	}
	input, err := inputText(call.Input)
	return givenCall{string(call.Name), input}, err
}

// inputText returns the JSON text of arguments, which may stand in a string.
func inputText(input json.RawMessage) ([]byte, error) {
	switch {
	case len(input) == 0:
		return nil, fmt.Errorf("%s: no input; %s", lexer.NotAnObject, wantCalls)
	case input[0] != '"':
		return input, nil
	}
	var text protocol.Text
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, fmt.Errorf("%s: input: %w", lexer.InvalidJSON, jsonError(err))
	}
	return text, nil
}

// eachCall calls do for each call in the JSON values of in, and flush after each
// value. It tells on notes what is wrong with a value or a call and goes on, unless
// do returns errFound, which has been told.
func eachCall(in *jsonl.Values, notes io.Writer, do func(givenCall) error, flush func() error) error {
	var result error
	read, found := 0, 0
	for {
		value, number, err := in.Next()
		switch {
		case err == io.EOF:
			if read > 0 && found == 0 {
				complain(notes, fmt.Errorf("no call in the input; %s", wantCalls))
				result = errFound
			}
			return result
		case err != nil && err != jsonl.ErrLong:
			return fmt.Errorf("cannot read on: %w", err)
		case err == nil && len(value) == 0:
			continue
		}
		tell := func(err error) {
			if !errors.Is(err, errFound) {
				complain(notes, fmt.Errorf("line %d: %w", number, err))
			}
			result = errFound
		}
		if err != nil {
			tell(err)
			continue
		}
		calls, errs := readCalls(value)
		read, found = read+1, found+len(calls)+len(errs)
		for _, call := range calls {
			if err := do(call); err != nil {
				tell(err)
			}
		}
		for _, err := range errs {
			tell(err)
		}
		if err := flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}
