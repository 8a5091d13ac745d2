package stream_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// A decoder that is new, and so has no parser yet, and one that has decoded a
// message say the same of text in which openers begin and do not go on.
func TestNewAndUsedDecoders(t *testing.T) {
	for _, text := range []string{
		"", "<", "<<<", "a<call", "a<cal<call>t</call>", "<c<ca<cal<call>t a=1</call>", "<call", "<call>", "<call> ", "<call><call>t",
		"<call>1 <call>{", "é<\xc3<ca\xe2\x82<call>t</call>", "</call><call>t</call>",
	} {
		for _, opts := range []stream.Options{{}, {StripText: stream.StripLeading}, {Options: parse.Options{Limits: lexer.Limits{Bytes: 5}}}, {Options: parse.Options{Delims: lexer.Delims{Open: "<<call>", Close: "</call>"}}}, {Options: parse.Options{Delims: lexer.Delims{Open: "@c", Close: "@/c"}}}} {
			used := stream.NewDecoder(nil, opts)
			decodeChunks(used, "<call>t</call>", opts.Delims.Open)
			everySplit(text, func(chunks ...string) {
				used.Reset()
				got := showAll(joined(decodeChunks(stream.NewDecoder(nil, opts), chunks...)))
				want := showAll(joined(decodeChunks(used, chunks...)))
				if got != want {
					t.Errorf("%+v, chunks %q\nnew  %s\nused %s", opts, chunks, got, want)
				}
			})
		}
	}
}

// Under a limit that no call can keep nothing is held back.
func TestNothingIsHeldUnderATinyLimit(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Limits: lexer.Limits{Bytes: 6}}})
	if got := showAll(joined(d.FeedString("a<"))); got != "text-start#text-1 text-delta#text-1(a<)[0:2]" {
		t.Errorf("got %s", got)
	}
}
