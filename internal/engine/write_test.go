package engine_test

import (
	"errors"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// TestWritingSeveral: several calls are written in one section, and their IDs count on.
func TestWritingSeveral(t *testing.T) {
	calls := []engine.Written{
		{Name: "f", Input: []byte(`{"a":1}`)},
		{Name: "g", Input: []byte(`{}`), ID: "functions.g:7"},
		{Name: "h", Input: []byte(`{}`), ID: "call_x"},
	}
	for _, c := range []struct {
		format *format.Format
		want   string
	}{
		{format.Wire, "<call>f a=1</call>\n<call>g</call>\n<call>h</call>"},
		{format.KimiK2, "<|tool_calls_section_begin|>" +
			"<|tool_call_begin|>functions.f:2" +
			"<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|>" +
			"<|tool_call_begin|>functions.g:7<|tool_call_argument_begin|>{}<|tool_call_end|>" +
			"<|tool_call_begin|>functions.h:4<|tool_call_argument_begin|>{}<|tool_call_end|>" +
			"<|tool_calls_section_end|>"},
		{format.DeepSeekV31, "<｜tool▁calls▁begin｜>" +
			"<｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": 1}<｜tool▁call▁end｜>" +
			"<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜>" +
			"<｜tool▁call▁begin｜>h<｜tool▁sep｜>{}<｜tool▁call▁end｜>" +
			"<｜tool▁calls▁end｜>"},
	} {
		o := &engine.WriteOptions{Format: c.format, Index: 2}
		got, err := engine.AppendCalls([]byte("x"), sig.AnyTool, calls, o)
		if err != nil || string(got) != "x"+c.want {
			t.Errorf("%s: %v\ngot  %s\nwant x%s", c.format.Name, err, got, c.want)
		}
		got, err = engine.AppendCalls([]byte("x"), sig.AnyTool, nil, o)
		if err != nil || string(got) != "x" {
			t.Errorf("%s: no call: %s, %v", c.format.Name, got, err)
		}
		calls := append(calls, engine.Written{Name: "f", Input: []byte("[]")})
		got, err = engine.AppendCalls([]byte("x"), sig.AnyTool, calls, o)
		if err == nil || string(got) != "x" {
			t.Errorf("%s: a call that cannot be written: %s, %v", c.format.Name, got, err)
		}
	}
	if _, err := engine.AppendCalls(nil, sig.AnyTool, calls, &engine.WriteOptions{
		Tags: format.Tags{Open: "x", Close: "y"},
	}); err == nil {
		t.Error("bad tags are no error")
	}
}

// TestRefusalHints: the error for a name that cannot be written is about its own format.
func TestRefusalHints(t *testing.T) {
	calls := []engine.Written{{Name: "a<b c", Input: []byte("{}")}}
	catalog, err := sig.Compile([]byte(`[{"name": "a<b c"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		format   *format.Format
		expected string
	}{
		{format.Wire, ""}, // the table of codes has it
		{format.Qwen3Coder, "the tool's name"},
		{format.MorphXML, "a name that can be that of a tag"},
	} {
		_, err := engine.AppendCalls(nil, catalog, calls, &engine.WriteOptions{Format: c.format})
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != lexer.BadName || e.Expected != c.expected {
			t.Errorf("%s: %v", c.format.Name, err)
		}
	}
}
