package conversation

import (
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// WantCalls describes what calls are read from.
const WantCalls = `write {"name":"…","input":{…}}, or what an API returns`

// ReadCalls returns the calls in a JSON value: a call with name and input or
// arguments, a message or an answer of OpenAI, Anthropic or the AI SDK with calls
// in it, or an array of these. Their input is unchecked JSON text. It returns the other calls even
// if one has an error.
func ReadCalls(value []byte) (calls []parse.Call, errs []error) {
	fail := func(code lexer.Code, what any) ([]parse.Call, []error) {
		return nil, []error{fmt.Errorf("%s: %v; %s", code, what, WantCalls)}
	}
	for i, element := range rawjson.ParseArray(value) {
		some, wrong := ReadCalls(element)
		calls = append(calls, some...)
		for _, err := range wrong {
			errs = append(errs, fmt.Errorf("element %d: %w", i+1, err))
		}
	}
	if rawjson.IsArray(value) {
		return calls, errs
	}
	if err := jsonl.CheckMembers(value); err != nil {
		return fail(lexer.DuplicateKey, err)
	}
	var in struct {
		Name             corpus.Bytes
		Input, Arguments json.RawMessage
	}
	o := rawjson.ParseObject(value)
	hasRole := o.Get("role") != nil
	if o.Get("name") != nil && !hasRole || o == nil {
		switch err := json.Unmarshal(value, &in); {
		case err != nil:
			return fail(lexer.InvalidJSON, jsonl.Error(err))
		case in.Name == nil:
			return fail(lexer.BadName, "no name")
		case in.Input != nil && in.Arguments != nil:
			return fail(lexer.DuplicateKey, "both input and arguments")
		}
		call := manual.Part{Kind: manual.Call, Name: string(in.Name), Input: in.Input}
		if in.Input == nil {
			call.Input = in.Arguments
		}
		return callsOf([]manual.Part{call})
	}
	inner := o.First("function", "message", "choices", "messages", "tool_calls", "output")
	if !hasRole && len(inner) > 0 && (inner[0] == '[' || inner[0] == '{') {
		return ReadCalls(inner)
	} else if !hasRole && o.Text("type") == "" {
		return fail(lexer.BadName, "no name")
	}
	m, err := manual.API("").ParseMessage(value)
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %w", lexer.InvalidJSON, err)}
	}
	return callsOf(m.Parts)
}

// callsOf returns the calls among parts.
func callsOf(parts []manual.Part) (calls []parse.Call, errs []error) {
	for _, p := range parts {
		input := corpus.Bytes(p.Input)
		switch {
		case p.Kind != manual.Call:
			continue
		case len(p.Input) == 0:
			errs = append(errs, fmt.Errorf("%s: no input; %s", lexer.NotAnObject, WantCalls))
			continue
		case rawjson.IsString(p.Input):
			if err := json.Unmarshal(p.Input, &input); err != nil {
				err = fmt.Errorf("%s: input: %w", lexer.InvalidJSON, jsonl.Error(err))
				errs = append(errs, err)
				continue
			}
		}
		calls = append(calls, parse.Call{Name: p.Name, Input: json.RawMessage(input)})
	}
	return calls, errs
}
