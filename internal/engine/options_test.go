package engine_test

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// TestNewIDIsNotKept: the catalog remembers the Config, but not what NewID refers to.
func TestNewIDIsNotKept(t *testing.T) {
	o := &engine.Options{NewID: func(int) string { return "x" }}
	c, err := engine.Compile(sig.AnyTool, o, 0)
	if err != nil || c.NewID != nil || o.NewID == nil {
		t.Errorf("NewID is kept, or no longer in the options: %v", err)
	}
}

// TestTagsOfSeveralFormats: other tags replace those of all formats that are read, so that no call
// of a known format runs beside them.
func TestTagsOfSeveralFormats(t *testing.T) {
	o := &engine.Options{
		Format: format.Any(format.Hermes, format.Qwen3Coder),
		Tags:   format.Tags{Open: "<x7>", Close: "</x7>"},
	}
	catalog, err := sig.Compile([]byte(`[{"name": "t"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]bool{
		`<tool_call>{"name": "t", "arguments": {}}</tool_call>`: false,
		`<x7>{"name": "t", "arguments": {}}</x7>`:               true,
		`<call>t</call>`:                         false,
		"<x7>\n<function=t>\n</function>\n</x7>": true,
		"Elsewhere: <tool_call>\n<function=t>\n</function>\n</tool_call>": false,
		"<function=t>\n</function>":                                       false,
	} {
		for _, repairs := range []bool{false, true} {
			o.Repair = repairs
			p, err := engine.NewParser(catalog, o, 0)
			if err != nil {
				t.Fatal(err)
			}
			events := slices.Clone(p.Feed([]byte(message)))
			calls := 0
			for _, e := range append(events, p.Close()...) {
				if e.Kind == engine.Call {
					calls++
				}
			}
			if want != (calls == 1) {
				t.Errorf("%s: %d calls, repairs: %v", message, calls, repairs)
			}
		}
	}
	o.Format = format.Any(format.Wire, format.MorphXML)
	if _, err := engine.NewParser(catalog, o, 0); err == nil {
		t.Error("want an error: calls of morph-xml have no other tags")
	}
}

// TestLimitBelowOpener: a byte that begins an opener longer than a call may be is text at once.
func TestLimitBelowOpener(t *testing.T) {
	for bytes, want := range map[int]string{5: "x<", 7: "x"} {
		p := newParser(t, sig.AnyTool, &engine.Options{Limits: lexer.Limits{Bytes: bytes}})
		read := ""
		for _, e := range p.Feed([]byte("x<")) {
			read += string(e.Bytes)
		}
		if read != want {
			t.Errorf("limit %d: %q is read, want %q", bytes, read, want)
		}
	}
}

// TestShortFunction: one byte can open a function, also where a call has no opener.
func TestShortFunction(t *testing.T) {
	f := *format.Qwen3Coder
	f.Function.Open = "@"
	catalog, err := sig.Compile([]byte(`[{"name": "t"}]`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.NewParser(catalog, &engine.Options{Format: &f, Repair: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	const call = "<tool_call>\n@t>\n</function>\n</tool_call>"
	events := slices.Clone(p.Feed([]byte("@me " + call)))
	isCall := func(e engine.Event) bool { return e.Kind == engine.Call }
	if !slices.ContainsFunc(append(events, p.Close()...), isCall) {
		t.Errorf("no call: %v", events)
	}
}
