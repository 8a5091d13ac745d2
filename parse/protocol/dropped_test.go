package protocol_test

import (
	"fmt"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/stream"
)

// In every format a dropped call is told once, with the reason, and its markup is text
// only where that is asked for.
func TestDropped(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML) {
		p := protocol.ByName(name, yaml.XML)
		call := string(written(t, p, weather, "get_weather", `{"city":"x","days":3}`))
		in := "a " + call[:len(call)-9]
		for _, asText := range []bool{false, true} {
			var reasons []lexer.Code
			o := stream.Options{Options: parse.Options{Protocol: p, OnMalformed: func(s parse.Segment) { reasons = append(reasons, s.Err.Code) }}, MalformedAsText: asText}
			d := stream.NewDecoder(weather, o)
			text := ""
			for i := range len(in) {
				for _, e := range d.FeedString(in[i : i+1]) {
					if e.Type == stream.TextDelta {
						text += string(e.Delta)
					}
				}
			}
			for _, e := range d.Close() {
				if e.Type == stream.TextDelta {
					text += string(e.Delta)
				}
			}
			want := "a "
			if asText {
				want = in
			}
			if text != want || len(reasons) != 1 || reasons[0] != lexer.Unterminated {
				t.Errorf("%s, as text %t: %q, dropped for %v", name, asText, text, reasons)
			}
		}
	}
}

// Extract returns the calls of a text as they stand in it.
func ExampleExtract() {
	text := `One: <tool_call>{"name": "now"}</tool_call>, and one that is cut: <tool_call>{"name": "now"`
	for _, s := range protocol.Extract(protocol.Hermes, nil, text) {
		fmt.Println(string(s.Text))
	}
	// Output:
	// <tool_call>{"name": "now"}</tool_call>
}
