package conversation

import (
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
)

// Call is a call as programs give it.
type Call struct {
	Name  string
	Input []byte // JSON text, unchecked
}

// WantCalls describes what calls are read from.
const WantCalls = `write {"name":"…","input":{…}}, or what an API returns`

// ReadCalls returns the calls in a JSON value: a call with name and input or
// arguments, a message or an answer of OpenAI, Anthropic or the AI SDK with calls
// in it, or an array of these. It returns the other calls even if one has an error.
func ReadCalls(value []byte) (calls []Call, errs []error) {
	if len(value) > 0 && value[0] == '[' {
		return readCallList(value)
	}
	if err := jsonl.CheckMembers(value); err != nil {
		return nil, []error{fmt.Errorf("%s: %w; %s", lexer.DuplicateKey, err, WantCalls)}
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
		err = fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonl.Error(err), WantCalls)
		return nil, []error{err}
	}
	switch {
	case in.Name != nil && in.Role == nil:
		call, err := readCall(value)
		if err != nil {
			return nil, []error{err}
		}
		return []Call{call}, nil
	case in.Role != nil:
		return readMessageCalls(value)
	}
	for _, inner := range []json.RawMessage{
		in.Function, in.Message, in.Choices, in.Messages, in.ToolCalls, in.Output,
	} {
		if len(inner) > 0 && (inner[0] == '[' || inner[0] == '{') {
			return ReadCalls(inner)
		}
	}
	if in.Type != "" {
		return readMessageCalls(value)
	}
	return nil, []error{fmt.Errorf("%s: no name; %s", lexer.BadName, WantCalls)}
}

// readCallList returns the calls of the elements of an array.
func readCallList(value []byte) (calls []Call, errs []error) {
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil {
		err = fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonl.Error(err), WantCalls)
		return nil, []error{err}
	}
	for i, element := range list {
		some, wrong := ReadCalls(element)
		calls = append(calls, some...)
		for _, err := range wrong {
			errs = append(errs, fmt.Errorf("element %d: %w", i+1, err))
		}
	}
	return calls, errs
}

// readMessageCalls returns the calls in a message, which may have none.
func readMessageCalls(value []byte) (calls []Call, errs []error) {
	var m manual.Message
	if err := json.Unmarshal(value, &m); err != nil {
		return nil, []error{fmt.Errorf("%s: %w", lexer.InvalidJSON, err)}
	}
	for _, p := range m.Parts {
		if p.Kind != manual.Call {
			continue
		}
		input, err := inputText(p.Input)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		calls = append(calls, Call{p.Name, input})
	}
	return calls, errs
}

// readCall reads a call with name and input or arguments.
func readCall(value []byte) (Call, error) {
	var call struct {
		Name      corpus.Bytes    `json:"name"`
		Input     json.RawMessage `json:"input"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(value, &call); err != nil {
		return Call{}, fmt.Errorf("%s: %w; %s", lexer.InvalidJSON, jsonl.Error(err), WantCalls)
	}
	if call.Input == nil {
		call.Input = call.Arguments
	} else if call.Arguments != nil {
		return Call{}, fmt.Errorf("%s: both input and arguments; %s", lexer.DuplicateKey, WantCalls)
	}
	if call.Name == nil {
		return Call{}, fmt.Errorf("%s: no name; %s", lexer.BadName, WantCalls)
	}
	input, err := inputText(call.Input)
	return Call{string(call.Name), input}, err
}

// inputText returns the JSON text of arguments, which may be in a string.
func inputText(input json.RawMessage) ([]byte, error) {
	switch {
	case len(input) == 0:
		return nil, fmt.Errorf("%s: no input; %s", lexer.NotAnObject, WantCalls)
	case input[0] != '"':
		return input, nil
	}
	var text corpus.Bytes
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, fmt.Errorf("%s: input: %w", lexer.InvalidJSON, jsonl.Error(err))
	}
	return text, nil
}
