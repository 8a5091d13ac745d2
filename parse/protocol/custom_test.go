package protocol_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/relaxed"
)

// A format of one's own is a value: that of another model with other words.
func ExampleProtocol() {
	own := protocol.Hermes
	own.Name = "own"
	own.Frame = protocol.Frame{Open: "[[call", Close: "]]"}
	own.Envelope = protocol.Envelope{NameKeys: []string{"tool"}, ArgumentKeys: []string{"input"}}

	text, err := parse.FormatOptions{Protocol: own}.Format(nil, "now", []byte(`{"zone":"UTC"}`))
	fmt.Println(text, err)
	for _, call := range protocol.Extract(own, nil, "So: "+text) {
		fmt.Println(call.Name, string(call.Input))
	}
	// Output:
	// [[call
	// {"tool": "now", "input": {"zone": "UTC"}}
	// ]] <nil>
	// now {"zone":"UTC"}
}

// Names and keys may be in attributes: the marks hold the quotes.
func ExampleMarks() {
	own := protocol.Qwen3Coder
	own.Name = "attributes"
	own.Frame = protocol.Frame{Open: "<calls>", Close: "</calls>"}
	own.Envelope = protocol.Envelope{
		Function:  protocol.Marks{Open: `<invoke name="`, End: `">`, Close: "</invoke>"},
		Parameter: protocol.Marks{Open: `<parameter name="`, End: `">`, Close: "</parameter>"},
	}
	text, err := parse.FormatOptions{Protocol: own}.Format(nil, "now", []byte(`{"zone":"a \"b\""}`))
	fmt.Println(text, err)
	for _, call := range protocol.Extract(own, nil, "So: "+text) {
		fmt.Println(call.Name, string(call.Input))
	}
	// Output:
	// <calls>
	// <invoke name="now">
	// <parameter name="zone">
	// a "b"
	// </parameter>
	// </invoke>
	// </calls> <nil>
	// now {"zone":"a \"b\""}
}

// What cannot be a protocol is refused, and to a reader of it all is text.
func TestIllegalProtocols(t *testing.T) {
	frame := func(open, close string) protocol.Protocol {
		p := protocol.Hermes
		p.Frame = protocol.Frame{Open: open, Close: close}
		return p
	}
	noMarks, noKeys, badEnd := protocol.Qwen3Coder, protocol.Hermes, protocol.Qwen3Coder
	noMarks.Envelope, noKeys.Envelope = protocol.Envelope{}, protocol.Envelope{}
	badEnd.Envelope.Function.End = "x"
	for _, p := range []protocol.Protocol{{}, {Body: protocol.Parameters}, noMarks, noKeys, badEnd, frame("", ""), frame("<", ">>"), frame("<a b>", "</a>"), frame("<<", "<<"), frame("</a>x", "a>"), frame("<a>\xff", "</a>"), frame("{{", "}}")} {
		_, err := parse.FormatOptions{Protocol: p}.Format(nil, "t", []byte("{}"))
		var e *protocol.FrameError
		if !errors.As(err, &e) {
			t.Errorf("%+v is written: %v", p, err)
		}
		if _, err := parse.NewReader(nil, parse.Options{Protocol: p}); !errors.As(err, &e) {
			t.Errorf("%+v is read: %v", p, err)
		}
		if segs := (parse.Options{Protocol: p}).Text("<a>{}</a>", nil); len(segs) != 1 || segs[0].Kind != parse.Prose {
			t.Errorf("%+v: %+v", p, segs)
		}
	}
}

// With Repair, arguments are typed by the schema, wherever they stand; with Allow, JSON
// may be relaxed.
func TestRepairedArguments(t *testing.T) {
	p := protocol.Hermes
	p.Repair = true
	p.Allow = relaxed.All
	for _, tt := range []struct{ in, want string }{
		{`{"name":"get_weather","arguments":{"city":5,"days":"3","tags":"x","at":"{\"lat\":1}"}}`,
			lines(`call get_weather {"city":"5","days":3,"tags":["x"],"at":{"lat":1}} coerced(city)@53 coerced(days)@62 coerced(tags)@73 coerced(at)@82`)},
		{`{"arguments":{"city":["a"],"days":"x"},"name":"get_weather"}`, lines(`call get_weather {"city":"[\"a\"]","days":"x"} coerced(city)@32 type-mismatch(days)@45`)},
		{`{"name":"get_weather","arguments":"{\"city\":true}"}`, lines(`call get_weather {"city":"true"} coerced()@45 coerced(city)@45`)},
		{`{'name':'get_weather','arguments':{city:'x', live: True,},} `, lines(`call get_weather {"city":"x","live":true} repaired(single-quotes)@12 repaired(bare-keys)@46 repaired(python-literals)@62 repaired(trailing-commas)@67`)},
	} {
		if got := show(parse.Options{Protocol: p}.Text("<tool_call>"+tt.in+"</tool_call>", weather)); got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
	}
}

// Under Salvage, JSON is read as models write it, and a closer may be missing where
// another call begins or the message ends; each repair is told.
func TestSalvage(t *testing.T) {
	const o, c = "<tool_call>", "</tool_call>"
	for _, tt := range []struct{ in, want string }{
		{o + `{"name":"now","arguments":{"a":1,}}` + c, lines(`call now {"a":1} repaired(trailing-commas)@44`)},
		{o + `{"name":"now"}` + "\n" + o + `{"name":"now"}` + c, lines(`call now {} repaired(missing-close)@26`, `call now {}`)},
		{o + `{"name":"now"}` + "\n", lines(`call now {} repaired(missing-close)@26`)},
		{o + `{'name':'now','arguments':{'a':'` + c + o + `{"name":"now"}` + c + `'}}` + c, lines(`call now {"a":"</tool_call><tool_call>{\"name\":\"now\"}</tool_call>"} repaired(single-quotes)@12`)},
		{o + `{'name':'now','arguments':{'a' '` + c + o + `{"name":"now"}` + c + `'}}` + c,
			lines(`malformed "<tool_call>{'name':'now','arguments':{'a' '</tool_call><tool_call>{\"name\":\"now\"}</tool_call>'}}</tool_call>" expected-colon@42 true`)},
		{o + `{"name":"now"`, lines(`malformed "<tool_call>{\"name\":\"now\"" unterminated-call@24 false`)},
		{o + `{"name":"now"} x` + c, lines(`malformed "<tool_call>{\"name\":\"now\"} x</tool_call>" expected-close@26 true`)},
	} {
		if got := show(parse.Options{Protocol: protocol.Hermes, Salvage: true}.Text(tt.in, weather)); got != tt.want {
			t.Errorf("%s\ngot  %swant %s", tt.in, got, tt.want)
		}
		for _, s := range (parse.Options{Protocol: protocol.Hermes, Salvage: true, Strict: true}).Text(tt.in, weather)[:1] {
			if s.Kind != parse.Malformed {
				t.Errorf("%s is read under strict", tt.in)
			}
		}
	}
	r, err := parse.NewReader(weather, parse.Options{Protocol: protocol.Hermes, Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Feed([]byte(o + `{"name":"now"}`))
	r.Abort()
	for part := r.Next(); part != parse.NoPart; part = r.Next() {
		if part == parse.CallPart {
			t.Error("a call is read at the end of a message that broke off")
		}
	}
}

// Tags of the wire format that are not legal mean nothing to another one, after Reset either.
func TestIllegalTagsOfAnother(t *testing.T) {
	r, err := parse.NewReader(weather, parse.Options{Protocol: protocol.Hermes, Delims: lexer.Delims{Open: "<"}})
	if err != nil {
		t.Fatal(err)
	}
	message := []byte(`<tool_call>{"name":"now"}</tool_call>`)
	for round := range 2 {
		if drain(r, message, 4) != 1 {
			t.Errorf("no call in round %d", round)
		}
	}
}
