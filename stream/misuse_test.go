package stream_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Whatever is fed after Close, the decoder is silent, and Reset makes it new.
func TestDecoderAfterClose(t *testing.T) {
	const text = "a <call>t x=1</call> b"
	want := showAll(decodeChunks(stream.NewDecoder(nil, stream.Options{}), text))
	for _, before := range []string{"", "a", "<ca", "<call>t a=\"x", "<call>t</call>", "<call>t(", "é"[:1]} {
		for _, end := range []func(*stream.Decoder) []stream.Event{(*stream.Decoder).Close, (*stream.Decoder).Abort} {
			var d stream.Decoder
			d.FeedString(before)
			end(&d)
			for _, c := range []string{"more", "", "ll>", "<call>t a=1</call>", "\"", " "} {
				if events := d.FeedString(c); len(events) > 0 {
					t.Errorf("behind %q and the end, %q gives %s", before, c, showAll(events))
				}
			}
			if events := append(d.Close(), d.Abort()...); len(events) > 0 {
				t.Errorf("behind %q, a second end gives %s", before, showAll(events))
			}
			d.Reset()
			if got := showAll(decodeChunks(&d, text)); got != want {
				t.Errorf("behind %q, Reset\ngot  %s\nwant %s", before, got, want)
			}
		}
	}
}

// The catalog and the tags may be asked for at any time, and negative limits are
// the default ones.
func TestDecoderOfOddOptions(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: -1, Depth: -1, Arguments: -1, Name: -1}}, StripText: 77})
	if err := d.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := showAll(decodeChunks(d, "<call>t a.b=1 c=2</call>")), showAll(decodeChunks(new(stream.Decoder), "<call>t a.b=1 c=2</call>")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Under tags that are not legal all is text, under Salvage, too, and in small chunks.
func TestDecoderOfIllegalTags(t *testing.T) {
	for _, tags := range []lexer.Delims{{Open: "<x>"}, {Close: "</x>"}, {Open: "<", Close: "x"}, {Open: "x", Close: "y"}} {
		d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Delims: tags, Salvage: true}})
		var text []byte
		for _, chunk := range []string{"a ", "<call", ">t</", "call><x>", "t</x>"} {
			for _, e := range d.FeedString(chunk) {
				text = append(text, e.Delta...)
			}
		}
		if d.Close(); string(text) != "a <call>t</call><x>t</x>" || d.Err() == nil {
			t.Errorf("%+v: %q, %v", tags, text, d.Err())
		}
	}
}

// The zero Writer is closed.
func TestZeroWriter(t *testing.T) {
	var w stream.Writer
	if n, err := w.WriteString("a"); n != 0 || err != stream.ErrClosed {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A type that there is not has a name.
func TestTypeThatThereIsNot(t *testing.T) {
	if got := stream.Type(11).String(); got != "Type(11)" {
		t.Error(got)
	}
}
