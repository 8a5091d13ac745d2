package stream_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// What a consumer does to an event changes no later one: not what is compared
// with it, nor what shares a span with it.
func TestEventsMayBeWrittenTo(t *testing.T) {
	const schema = `{"properties":{"a":{"type":"object"},"b":{"type":"integer"}}}`
	mend := func(parse.Segment) (string, bool) { return `<call>t b=x</call>`, true }
	for _, c := range []struct {
		name, text string
		opts       stream.Options
	}{
		{"a repeated key", `<call>t a={"kk":1,"kk":2}</call>`, stream.Options{}},
		{"a repeated key of a JSON body", `<call>t {"a":{},"a":{}}</call>`, stream.Options{}},
		{"the input of a call", `<call>t a={"k":"value"} b=1</call>`, stream.Options{}},
		{"issues of calls side by side", `<call>t b=x</call><call>t b=y c=1</call><call>t b=z</call>`, stream.Options{}},
		{"a malformed span that is text too", `<call>t b=1(</call><call>t b)</call>`, stream.Options{MalformedAsText: true}},
		{"calls that were mended", `<call>t b=1 b=2</call><call>t b=(x)(</call>`, stream.Options{Options: parse.Options{Mend: mend}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size := 1; size <= len(c.text); size++ {
				read := func(spoil bool) (all string) {
					d := stream.NewDecoder(catalogOf(t, schema), c.opts)
					take := func(events []stream.Event) {
						for i := range events {
							all += show(events[i]) + "\n"
							if spoil {
								overwrite(&events[i])
							}
						}
					}
					for i := 0; i < len(c.text); i += size {
						take(d.Feed([]byte(c.text[i:min(len(c.text), i+size)])))
					}
					take(d.Close())
					return all
				}
				if want, got := read(false), read(true); got != want {
					t.Fatalf("chunks of %d\ngot\n%swant\n%s", size, got, want)
				}
			}
		})
	}
}

// Decoders share the memory of their parsers, one after the other, and no event shows
// it: what one has returned stands while others decode.
func TestDecodersDoNotShareEvents(t *testing.T) {
	const text = "one <cat> <call>t a=x b=\"y\"</call> é<ca <call>u {\"k\":[1]}</call><call>t c=</call>!<c"
	for size := 1; size <= len(text); size++ {
		d := stream.NewDecoder(nil, stream.Options{})
		check := func(events []stream.Event) {
			want := showAll(events)
			other := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Strict: true}})
			for i := 0; i < len(text); i++ {
				other.FeedString(strings.ToUpper(text[i : i+1]))
			}
			decodeChunks(other, "#########<call>###</call><call>zzz zz=zzzzzzzzz</call>")
			if got := showAll(events); got != want {
				t.Fatalf("chunks of %d\ngot  %s\nwant %s", size, got, want)
			}
		}
		for i := 0; i < len(text); i += size {
			check(d.Feed([]byte(text[i:min(len(text), i+size)])))
		}
		check(d.Close())
	}
}

// overwrite writes to all that e leads to.
func overwrite(e *stream.Event) {
	fill := func(b []byte) {
		clear(b)
		_ = append(b, bytes.Repeat([]byte{'#'}, 64)...)
	}
	fill(e.Delta)
	if o := e.Segment; o != nil {
		fill(o.Input)
		fill(o.Text)
		clear(o.Issues)
		_ = append(o.Issues, parse.Issue{Code: "#"}, parse.Issue{Code: "#"})
		if o.Err != nil {
			o.Err.Code = "#"
		}
		*o = parse.Segment{}
	}
	*e = stream.Event{}
}
