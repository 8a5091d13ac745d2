package protocol_test

import (
	"reflect"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/stream"
)

func TestByName(t *testing.T) {
	for _, name := range protocol.Names() {
		if p := protocol.ByName(name); p == nil || p.String() != name {
			t.Errorf("ByName(%q) = %v", name, p)
		}
	}
	more := protocol.Hermes
	more.Name = "mine"
	if p := protocol.ByName("mine", more); p == nil || p.String() != "mine" || protocol.ByName("mine") != nil {
		t.Errorf("ByName(mine) = %v", p)
	}
	if names := protocol.Names(more); names[0] != "wire" || names[len(names)-1] != "mine" || len(names) != len(protocol.Names())+1 {
		t.Errorf("Names() = %v", names)
	}
	if p := protocol.ByName("none", more); p != nil {
		t.Errorf("ByName(none) = %v", p)
	}
}

func TestWire(t *testing.T) {
	const text = "a <call>t a=1 b.c=x</call> b <call>t a=</call> <call>t (</call>"
	want := parse.Text(text, nil)
	got := parse.Options{Protocol: protocol.Wire}.Text(text, nil)
	if !reflect.DeepEqual(want, got) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Protocol: protocol.Wire}})
	n := 0
	for _, e := range append(d.FeedString(text), d.Close()...) {
		if e.Type == stream.ToolCall || e.Type == stream.Malformed {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
	o := parse.FormatOptions{Protocol: protocol.Wire, Delims: lexer.Delims{Open: "<c>", Close: "</c>"}}
	if s, err := o.Format(nil, "t", []byte(`{"a":"b"}`)); s != "<c>t a=b</c>" || err != nil {
		t.Errorf("written %q, %v", s, err)
	}
}

func TestIllegalTags(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Protocol: protocol.Wire, Delims: lexer.Delims{Open: "a", Close: "b"}}})
	if events := d.FeedString("a<call>t</call>b"); d.Err() == nil || len(events) != 2 {
		t.Errorf("%v, %+v", d.Err(), events)
	}
}

// Several protocols have the names of all.
func TestNameOfSeveral(t *testing.T) {
	if got := protocol.Any(nil, protocol.Hermes, protocol.MorphXML).String(); got != "wire,hermes,morph-xml" {
		t.Error(got)
	}
}
