package protocol_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// What is not legal has no hints, as it has no calls.
func TestHintOfNoProtocol(t *testing.T) {
	for _, p := range []protocol.Protocol{{}, {Frame: protocol.Frame{Open: "<<", Close: ">>"}}, {Body: protocol.Parameters}, {Body: protocol.YAML}, {Body: 99}} {
		for _, info := range lexer.Codes() {
			if expected, fix := p.Hint(info.Code); expected != "" || fix != "" {
				t.Errorf("%+v, %s: %q, %q", p, info.Code, expected, fix)
			}
		}
	}
}

// No protocol is the wire format among several, as it is in options, and has no name.
func TestNoProtocol(t *testing.T) {
	if p := protocol.ByName("none", nil); p != nil {
		t.Errorf("ByName: %v", p)
	}
	if got, want := len(protocol.Names(nil)), len(protocol.Names()); got != want {
		t.Errorf("%d names, want %d", got, want)
	}
	for _, p := range []parse.Protocol{protocol.Any(nil), protocol.Any(protocol.Hermes, nil)} {
		segs := parse.Options{Protocol: p}.Text("<call>t a=1</call>", nil)
		if len(segs) != 1 || segs[0].Kind != parse.Call {
			t.Errorf("%v reads %+v", p, segs)
		}
	}
}

// A function of the options may reset the reader that calls it: the message is gone then.
func TestAnyResetWithin(t *testing.T) {
	for _, text := range []string{"a<call>t =</call>b", "<tool_call>{]</tool_call>b", "<call>t ="} {
		var r parse.Reader
		r, err := parse.NewReader(nil, parse.Options{Protocol: protocol.Any(protocol.Wire, protocol.Hermes), OnMalformed: func(parse.Segment) { r.Reset() }})
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			r.Feed([]byte(text[i : i+1]))
			for r.Next() != parse.NoPart {
			}
		}
		r.Close()
		for r.Next() != parse.NoPart {
		}
		r.Reset()
		r.Feed([]byte("<call>t</call>"))
		for part := r.Next(); part != parse.CallPart; part = r.Next() {
			if part == parse.NoPart {
				t.Fatalf("after %q no call is read", text)
			}
		}
	}
}

// Of formats that begin with the same tag the one that is named first reads a call,
// though another is sure sooner that there is one.
func TestAnyNamedFirst(t *testing.T) {
	const text = "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>"
	for _, tt := range []struct{ in, want string }{
		{text, lines(`call get_weather {"city":"Oslo"}`)},
		{text[:len("<tool_call>\n<func")], "malformed \"<tool_call>\\n<func\" wrong-opener@0 false\n"},
	} {
		got := show(parse.Options{Protocol: protocol.Any(protocol.Qwen3Coder, protocol.Wire), Salvage: true, StopAfterMalformed: true}.Text(tt.in, weather))
		if got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
	}
}

// Tags that are too short to be legal are none, and nothing is listed wrong by them.
func TestAppendToolsOfShortTags(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t"}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := string(protocol.MorphXML.AppendTools(nil, catalog))
	for _, frame := range []protocol.Frame{{Open: "t"}, {Close: "t"}, {Open: "<", Close: "n"}} {
		p := protocol.MorphXML
		p.Frame = frame
		if got := string(p.AppendTools(nil, catalog)); got != want {
			t.Errorf("%q: %s, want %s", frame, got, want)
		}
	}
}
