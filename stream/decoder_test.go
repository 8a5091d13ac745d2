package stream_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// The life of a message, event by event, where it comes in one chunk; joined, the
// events of every other division are the same.
func TestLife(t *testing.T) {
	for _, c := range []struct{ name, schema, text, want string }{
		{"nothing", "", "", ""},
		{"text", "", "hi", "text-start#text-1 text-delta#text-1(hi)[0:2] text-end#text-1"},
		{"text with a bracket", "", "a < b", "text-start#text-1 text-delta#text-1(a < b)[0:5] text-end#text-1"},
		{"half an opener is text in the end", "", "a <ca", "text-start#text-1 text-delta#text-1(a )[0:2] text-delta#text-1(<ca)[2:5] text-end#text-1"},
		{"a call without arguments", "", "<call>t</call>", "tool-input-start#call-1 t[0] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[0:14]"},
		{"a call", "", "<call>t a=1</call>", `tool-input-start#call-1 t[0] tool-input-delta#call-1({"a":1}) tool-input-end#call-1 tool-call#call-1 t({"a":1})[0:18]`},
		{"text, call, text", "", "a<call>t</call>b", "text-start#text-1 text-delta#text-1(a)[0:1] text-end#text-1 tool-input-start#call-1 t[1] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[1:15] text-start#text-2 text-delta#text-2(b)[15:16] text-end#text-2"},
		{"two calls", "", "<call>t</call><call>u</call>", "tool-input-start#call-1 t[0] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 t({})[0:14] tool-input-start#call-2 u[14] tool-input-delta#call-2({}) tool-input-end#call-2 tool-call#call-2 u({})[14:28]"},
		{"a call that is malformed before it begins has no id", "", "a<call>t(</call>", "text-start#text-1 text-delta#text-1(a)[0:1] text-end#text-1 malformed bad-name@8(<call>t(</call>)[1:16]"},
		{"one that has begun keeps its id", "", "<call>t a=x y</call>", `tool-input-start#call-1 t[0] tool-input-delta#call-1({"a":"x") malformed#call-1 t expected-equals@13(<call>t a=x y</call>)[0:20]`},
		{"a call that never ends", "", "<call>t a=1", `tool-input-start#call-1 t[0] tool-input-delta#call-1({"a":) malformed#call-1 t unterminated-call@11(<call>t a=1)[0:11] open`},
		{"an unknown tool never begins", `{}`, "<call>u a=1</call>", `malformed u unknown-tool@6(<call>u a=1</call>)[0:18]`},
		{"calls behind damage are marked", "", "<call>t(</call><call>u</call>", "malformed bad-name@7(<call>t(</call>)[0:15] tool-input-start#call-1 u[15] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 u({})[15:29] after"},
		{"damage that the next call cuts", "", "<call>t(<call>u</call>", "malformed bad-name@7(<call>t()[0:8] open tool-input-start#call-1 u[8] tool-input-delta#call-1({}) tool-input-end#call-1 tool-call#call-1 u({})[8:22] after"},
		{"issues", `{"properties":{"n":{"type":"integer"}}}`, `<call>t n="1" k=2</call>`, `tool-input-start#call-1 t[0] tool-input-delta#call-1({"n":1,"k":2}) tool-input-end#call-1 tool-call#call-1 t({"n":1,"k":2})[0:24] coerced@10 unknown-argument@14`},
		{"runes", "", "é<call>t a=é</call>€", `text-start#text-1 text-delta#text-1(é)[0:2] text-end#text-1 tool-input-start#call-1 t[2] tool-input-delta#call-1({"a":"é"}) tool-input-end#call-1 tool-call#call-1 t({"a":"é"})[2:21] text-start#text-2 text-delta#text-2(€)[21:24] text-end#text-2`},
		{"text that is no UTF-8", "", "a\xffb\xc3", "text-start#text-1 text-delta#text-1(a\xffb)[0:3] text-delta#text-1(\xc3)[3:4] text-end#text-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			catalog := catalogOf(t, c.schema)
			whole := decodeChunks(stream.NewDecoder(catalog, stream.Options{}), c.text)
			if got := showAll(whole); got != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
			}
			want := showAll(joined(whole))
			everySplit(c.text, func(chunks ...string) {
				got := showAll(joined(decodeChunks(stream.NewDecoder(catalog, stream.Options{}), chunks...)))
				if got != want {
					t.Errorf("chunks %q\ngot  %s\nwant %s", chunks, got, want)
				}
			})
		})
	}
}

// Ids count calls and runs of text, and begin anew with each message.
func TestIDsOfAMessage(t *testing.T) {
	d := stream.NewDecoder(nil, stream.Options{})
	for range 2 {
		n, texts := 0, 0
		for range 100 {
			for _, e := range d.Feed([]byte("x<call>t a=1</call>")) {
				switch e.Type {
				case stream.TextStart:
					texts++
				case stream.ToolInputStart:
					n++
				case stream.TextDelta, stream.TextEnd:
					if want := fmt.Sprintf("text-%d", texts); e.ID != want {
						t.Errorf("%s has the id %s, want %s", e.Type, e.ID, want)
					}
				default:
					if want := fmt.Sprintf("call-%d", n); e.ID != want {
						t.Errorf("%s has the id %s, want %s", e.Type, e.ID, want)
					}
				}
			}
		}
		if d.Close(); n != 100 || texts != 100 {
			t.Errorf("%d calls and %d texts", n, texts)
		}
		d.Reset()
	}
}

// The zero Decoder decodes.
func TestZeroDecoder(t *testing.T) {
	var d stream.Decoder
	if got := showAll(decodeChunks(&d, "<ca", "ll>t</call>")); !strings.HasSuffix(got, "tool-call#call-1 t({})[0:14]") {
		t.Errorf("got %s", got)
	}
	if err := d.Err(); err != nil {
		t.Error(err)
	}
}

// After Close there is nothing, and after Reset everything begins anew.
func TestCloseAndReset(t *testing.T) {
	const first, second = "<think>a</think>bc<call>t(", "b<think>c</think><call>t a=1</call>c"
	o := stream.Options{Options: parse.Options{Reasoning: true}}
	want := showAll(decodeChunks(stream.NewDecoder(nil, o), second))
	for _, end := range []struct {
		name string
		of   func(*stream.Decoder) []stream.Event
	}{{"Close", (*stream.Decoder).Close}, {"Abort", (*stream.Decoder).Abort}, {"nothing", func(d *stream.Decoder) []stream.Event { return nil }}} {
		t.Run(end.name, func(t *testing.T) {
			d := stream.NewDecoder(nil, o)
			for i := range len(first) + 1 {
				d.Reset()
				for j := range i {
					d.FeedString(first[j : j+1])
				}
				end.of(d)
				if end.name != "nothing" {
					for _, more := range [][]stream.Event{d.FeedString("text"), d.Feed([]byte(second)), d.FeedString(second), d.Close(), d.Abort(), d.Close()} {
						if len(more) > 0 {
							t.Fatalf("after %s of %q: %s", end.name, first[:i], showAll(more))
						}
					}
				}
				d.Reset()
				if got := showAll(decodeChunks(d, second)); got != want {
					t.Fatalf("behind %q: got %s, want %s", first[:i], got, want)
				}
			}
		})
	}
}

// Close and Abort give out what is held; only Close takes a complete call without
// its close tag.
func TestCloseAndAbort(t *testing.T) {
	for _, c := range []struct{ name, text, closed, aborted string }{
		{"nothing", "", "", ""},
		{"half an opener", "a<ca", "text-delta#text-1(<ca)[1:4] text-end#text-1", "text-delta#text-1(<ca)[1:4] text-end#text-1"},
		{"half a rune", "a\xc3", "text-delta#text-1(\xc3)[1:2] text-end#text-1", "text-delta#text-1(\xc3)[1:2] text-end#text-1"},
		{"half a rune alone", "\xe2\x82", "text-start#text-1 text-delta#text-1(\xe2\x82)[0:2] text-end#text-1", "text-start#text-1 text-delta#text-1(\xe2\x82)[0:2] text-end#text-1"},
		{"a complete call", "<call>t a=1", `tool-input-delta#call-1(1}) tool-input-end#call-1 tool-call#call-1 t({"a":1})[0:11]`, "malformed#call-1 t unterminated-call@11(<call>t a=1)[0:11] open"},
		{"half a call", `<call>t a="x`, `malformed#call-1 t unterminated-call@12(<call>t a="x)[0:12] open`, `malformed#call-1 t unterminated-call@12(<call>t a="x)[0:12] open`},
		{"behind a call", "<call>t</call>", "", ""},
	} {
		for _, abort := range []bool{false, true} {
			d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{AcceptAtEnd: true}})
			d.FeedString(c.text)
			got, want := "", c.closed
			if abort {
				got, want = showAll(d.Abort()), c.aborted
			} else {
				got = showAll(d.Close())
			}
			if got != want {
				t.Errorf("%s, aborted %v: got %s, want %s", c.name, abort, got, want)
			}
		}
	}
}

// No delta of text ends inside a rune, and none is empty.
func TestRunesOfText(t *testing.T) {
	const text = "aé€😀\xff\xc3(\xf0\x9f\x98"
	everySplit(text, func(chunks ...string) {
		all := ""
		for _, e := range decodeChunks(stream.NewDecoder(nil, stream.Options{}), chunks...) {
			if e.Type != stream.TextDelta {
				continue
			}
			if len(e.Delta) == 0 || e.End-e.Start != len(e.Delta) || e.Start != len(all) {
				t.Errorf("chunks %q: %s", chunks, show(e))
			}
			all += string(e.Delta)
			for _, whole := range []string{"é", "€", "😀"} {
				at := strings.Index(text, whole)
				if at < len(all) && len(all) < at+len(whole) {
					t.Errorf("chunks %q: a delta ends in %s", chunks, whole)
				}
			}
		}
		if all != text {
			t.Errorf("chunks %q: %q came out", chunks, all)
		}
	})
}

// Text is given out with the chunk that it comes in, unless it may begin a call.
func TestTextIsPrompt(t *testing.T) {
	for _, c := range []struct{ name, text, held string }{
		{"text", "some text", ""},
		{"a bracket", "a < b", ""},
		{"a bracket at the end", "a <", "<"},
		{"half an opener", "a <call", "<call"},
		{"an opener", "a <call>", "<call>"},
		{"an opener and whitespace", "a <call> \n", "<call> \n"},
		{"an opener without a call", "a <call>1", ""},
		{"half a rune", "a\xe2\x82", "\xe2\x82"},
		{"behind a call", "<call>t</call>text", ""},
	} {
		everySplit(c.text, func(chunks ...string) {
			d := stream.NewDecoder(nil, stream.Options{})
			end := 0
			for _, chunk := range chunks {
				for _, e := range d.Feed([]byte(chunk)) {
					end = max(end, e.End)
				}
			}
			if held := c.text[end:]; held != c.held {
				t.Errorf("%s, chunks %q: %q is held, want %q", c.name, chunks, held, c.held)
			}
		})
	}
}

// A call is delivered on its last byte, and its long strings as they come.
func TestCallIsPrompt(t *testing.T) {
	const text = `<call>t a="long string" b.c=1 d=2</call>`
	d := stream.NewDecoder(nil, stream.Options{})
	input := ""
	for i := range len(text) {
		for _, e := range d.Feed([]byte{text[i]}) {
			if e.Type == stream.ToolInputDelta {
				input += string(e.Delta)
			}
			if called := e.Type == stream.ToolCall; called != (i == len(text)-1 && e.Type == stream.ToolCall) {
				t.Errorf("the call comes at byte %d", i)
			}
		}
		if from := strings.Index(text, "long"); i >= from && i < from+len("long string") {
			if want := `{"a":"` + text[from:i+1]; input != want {
				t.Errorf("at byte %d the input is %q, want %q", i, input, want)
			}
		}
	}
	if want := `{"a":"long string","b":{"c":1},"d":2}`; input != want {
		t.Errorf("the input is %s", input)
	}
}

// What may still change is not said: a word that may become a number, a string
// where JSON is wanted, what stands behind a group of paths that was left.
func TestInputStalls(t *testing.T) {
	const schema = `{"properties":{"n":{"type":["integer","string"]},"o":{"type":"object"},"s":{"type":"string"}}}`
	for _, c := range []struct{ name, text, input string }{
		{"a bare word", `<call>t s=wor`, `{"s":`},
		{"a bare word and whitespace", `<call>t s=wor `, `{"s":"wor"`},
		{"a number that goes on", `<call>t n=12`, `{"n":`},
		{"a string", `<call>t s="wor`, `{"s":"wor`},
		{"half an escape", `<call>t s="wor\u00`, `{"s":"wor`},
		{"half a pair of surrogates", `<call>t s="wor\ud83d`, `{"s":"wor`},
		{"a string where an object is wanted", `<call>t o="{x`, `{"o":`},
		{"a group of paths", `<call>t k.a=1 `, `{"k":{"a":1`},
		{"behind a group that was left", `<call>t k.a=1 s="wor`, `{"k":{"a":1`},
	} {
		everySplit(c.text, func(chunks ...string) {
			d := stream.NewDecoder(catalogOf(t, schema), stream.Options{})
			input := ""
			for _, chunk := range chunks {
				for _, e := range d.Feed([]byte(chunk)) {
					if e.Type == stream.ToolInputDelta {
						input += string(e.Delta)
					}
				}
			}
			if input != c.input {
				t.Errorf("%s, chunks %q: %s, want %s", c.name, chunks, input, c.input)
			}
		})
	}
	reopened := showAll(decodeChunks(stream.NewDecoder(nil, stream.Options{}), "<call>t a.x=1 b=2 a.y=3</call>"))
	if want := `tool-call#call-1 t({"a":{"x":1,"y":3},"b":2})[0:30]`; !strings.HasSuffix(reopened, want) {
		t.Errorf("got %s, want %s", reopened, want)
	}
}

// Without legal tags no text holds a call.
func TestIllegalTags(t *testing.T) {
	for _, delims := range []lexer.Delims{{Open: "x", Close: "y"}, {Close: "</call>"}, {Open: "<call>"}} {
		d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Delims: delims}})
		got := showAll(joined(decodeChunks(d, "a<call>t", "</call>b")))
		if want := "text-start#text-1 text-delta#text-1(a<call>t</call>b)[0:16] text-end#text-1"; got != want {
			t.Errorf("%v: got %s", delims, got)
		}
		if d.Err() == nil {
			t.Errorf("%v: no error", delims)
		}
	}
}

// A function of the options that panics leaves a Decoder that says nothing more
// until it is Reset, and nothing but the truth then.
func TestDecoderAfterAPanic(t *testing.T) {
	const text = `a <call>t x="y"</call> b <call>t x=1 x=2</call> c <call>t x=3</call> d`
	for _, name := range []string{"id", "mend", "logger"} {
		sound := true
		bad := func() {
			if !sound {
				panic(name)
			}
		}
		opts := stream.Options{}
		switch name {
		case "id":
			opts.NewID = func(n int) string { bad(); return "call-" + strconv.Itoa(n) }
		case "mend":
			opts.Mend = func(parse.Segment) (string, bool) { bad(); return "", false }
		case "logger":
			opts.Logger = slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) { bad(); return len(p), nil }), &slog.HandlerOptions{Level: slog.LevelDebug}))
		}
		want := showAll(decodeChunks(stream.NewDecoder(nil, opts), text))
		for size := 1; size <= len(text); size++ {
			d := stream.NewDecoder(nil, opts)
			sound = false
			from := 0
			for ; from < len(text) && !panics(func() { d.FeedString(text[from:min(len(text), from+size)]) }); from += size {
			}
			sound = true
			if from >= len(text) {
				t.Fatalf("%s, chunks of %d: no panic", name, size)
			}
			for _, events := range [][]stream.Event{d.FeedString("more"), d.FeedString(text), d.Close(), d.Close()} {
				if len(events) > 0 {
					t.Errorf("%s, chunks of %d: after the panic %s", name, size, showAll(events))
				}
			}
			d.Reset()
			if got := showAll(decodeChunks(d, text)); got != want {
				t.Errorf("%s, chunks of %d: after Reset\ngot  %s\nwant %s", name, size, got, want)
			}
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A message that begins inside reasoning does so in small chunks, too, in which a decoder
// waits without a parser.
func TestDecoderInReasoning(t *testing.T) {
	const message = "no <call>t a=1</call></think>so<call>t a=2</call>"
	d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{InReasoning: true}})
	for size := 1; size <= len(message); size++ {
		d.Reset()
		var types []stream.Type
		var reasoning, text, input string
		note := func(events []stream.Event) {
			for _, e := range events {
				switch e.Type {
				case stream.ReasoningDelta:
					reasoning += string(e.Delta)
				case stream.TextDelta:
					text += string(e.Delta)
				case stream.ToolCall:
					input += string(e.Input)
				case stream.ReasoningStart, stream.ReasoningEnd, stream.Malformed:
					types = append(types, e.Type)
				}
			}
		}
		for i := 0; i < len(message); i += size {
			note(d.Feed([]byte(message[i:min(len(message), i+size)])))
		}
		note(d.Close())
		if reasoning != "no <call>t a=1</call>" || text != "so" || input != `{"a":2}` || !slices.Equal(types, []stream.Type{stream.ReasoningStart, stream.ReasoningEnd}) {
			t.Fatalf("by %d: %v, reasoning %q, text %q, input %q", size, types, reasoning, text, input)
		}
	}
}
