// Package bench has what the benchmarks share: the tools and calls that are measured, pages of
// tables, and the benchmarks of speed and memory with the reader of their output.
//
//   - tokens counts what calls and prompts cost a model.
//   - live asks models to call tools, and judges what they call.
//   - report puts that into tables and a chart.
//
// The published benchmark is 13 everyday tools in catalog.json and 19 calls of them in calls.json.
// As native JSON these calls are 762 tokens of o200k_base.
package bench

import (
	"bytes"
	_ "embed" // of the published benchmark
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// Suite is tools, and calls of them.
type Suite struct {
	Catalog *sig.Catalog
	Calls   []Call
}

var (
	//go:embed catalog.json
	publishedTools []byte
	//go:embed calls.json
	publishedCalls []byte
)

// Published returns the published benchmark.
func Published() (Suite, error) {
	catalog, err := sig.Compile(publishedTools)
	if err != nil {
		return Suite{}, err
	}
	calls, err := ReadCalls(publishedCalls)
	return Suite{catalog, calls}, err
}

// Call is one call of a tool.
type Call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"` // without whitespace; digits and order are kept
}

// Declared returns a tool as OpenAI's chat completions declare it, or Anthropic.
func Declared(api manual.API, t *sig.Tool) []byte {
	schema := []byte(t.Schema)
	if len(schema) == 0 {
		schema = []byte(`{"type":"object","properties":{}}`)
	}
	tool := rawjson.Make("name", t.Name)
	if t.Description != "" {
		tool = tool.With("description", t.Description)
	}
	if api == manual.Anthropic {
		return tool.With("input_schema", schema).Append(nil)
	}
	tool = tool.With("parameters", schema)
	return rawjson.Make("type", "function", "function", tool).Append(nil)
}

// ReadCalls reads calls from JSON values, or arrays of them. A call is
//
//	{"name":"getWeather","input":{"location":"Austin"}}
//
// or what an API returns. The error names the value, counted from 1.
func ReadCalls(data []byte) (calls []Call, err error) {
	values, err := ReadValues[json.RawMessage](data)
	if err != nil {
		return nil, fmt.Errorf("call %w; %s", err, conversation.WantCalls)
	}
	for i, value := range values {
		read, errs := conversation.ReadCalls(value)
		for _, err := range errs {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		for _, c := range read {
			calls = append(calls, Call{c.Name, rawjson.Compact(c.Input)})
		}
	}
	if len(calls) == 0 {
		return nil, errors.New("no calls; " + conversation.WantCalls)
	}
	return calls, nil
}

// ReadValues decodes consecutive JSON values, or arrays of them, and keeps the digits of numbers.
// Unknown members are an error. The error begins with the number of the value.
func ReadValues[T any](data []byte) (all []T, err error) {
	for d := json.NewDecoder(bytes.NewReader(jsonl.WithoutMark(data))); ; {
		var text json.RawMessage
		err := d.Decode(&text)
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%d: invalid JSON: %w", len(all)+1, err)
		}
		texts := [][]byte{text}
		if rawjson.IsArray(text) {
			texts = rawjson.ParseArray(text)
		}
		for _, text := range texts {
			var value T
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			d.DisallowUnknownFields()
			if err := d.Decode(&value); err != nil {
				return nil, fmt.Errorf("%d: %w", len(all)+1, jsonl.Error(err))
			}
			all = append(all, value)
		}
	}
}

// JSON returns v as JSON without whitespace and without HTML escapes, which models don't write. It
// is for values that always have a form in JSON.
func JSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
