package middleware

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSkeleton: what has the bones of the event before it, and is more than a text,
// is read.
func TestSkeleton(t *testing.T) {
	var s skeleton
	scan := func(stream string) *block {
		sc := &scanner{buf: []byte(stream)}
		b := new(block)
		if !sc.next(b) {
			t.Fatalf("no event in %q", stream)
		}
		return b
	}
	b := scan("data: {\"id\":\"x\",\"a\":{\"content\":\"x\"}}\n\n")
	s.learn(b, readObject(nil, b.data).object("a").get("content"))
	for text, want := range map[string]string{
		"some words": "some words", "é 😀": "é 😀", `a\n`: "a\n", `\"\\`: `"\`, `\u0041`: "", `a\`: "", `","b":"`: "", "": "",
	} {
		if got := string(s.text(scan("data: {\"id\":\"x\",\"a\":{\"content\":\"" + text + "\"}}\n\n"))); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, other := range []string{"data: {\"id\":\"y\",\"a\":{\"content\":\"x\"}}\n\n", "data: {\"id\":\"x\",\"a\":{\"content\":\"x\"}}\r\n\r\n", "data: {\"id\":\"x\"}\n\n", ": x\n\n"} {
		if got := s.text(scan(other)); got != nil {
			t.Errorf("%q: %q", other, got)
		}
	}
	padded := func(text, pad string) *block {
		return scan("data: {\"a\":{\"content\":\"" + text + "\"},\"obfuscation\":\"" + pad + "\"}\n\n")
	}
	b = padded("x", "abc")
	s.learn(b, readObject(nil, b.data).object("a").get("content"))
	if got := string(s.text(padded("some words", "d"))); got != "some words" {
		t.Errorf("with another padding: %q", got)
	}
	if got := s.text(padded("some words", `d","e":"f`)); got != nil {
		t.Errorf("with another member: %q", got)
	}
	b = padded("y", "defgh")
	if s.learn(b, readObject(nil, b.data).object("a").get("content")) {
		t.Error("padding is taken for bones")
	}
	b = scan("data: {\"a\":{\"content\":\ndata: \"x\"}}\n\n")
	if s.learn(b, readObject(nil, b.data).object("a").get("content")); s.head != nil {
		t.Error("bones of an event of two lines")
	}
}

// TestSkeletonOfStreams: a stream whose events differ in their text alone is read as
// any other, calls, reasoning and ends among them.
func TestSkeletonOfStreams(t *testing.T) {
	pieces := []string{"Let", " me", " see", ". <", "call", ">getWeather ", "location=", "Rome", "</call>", " and", " <", "b> ", "<thi", "nk>", rome, "</think>", "so", " [", "x", "] ", "<tool-", "result>", rome}
	want := "Let me see.  and <b> <think>" + rome + "</think>so [x] "
	got := read(t, Options{}, weatherRequest, chunks("stop", pieces...))
	if got.Text != want || len(got.Calls) != 1 || got.Finish != "tool_calls" {
		t.Errorf("%+v", got)
	}
	u := &upstream{replies: []string{events("end_turn", pieces)}}
	message := readMessage(t, u.post(t, Options{}, messages, weatherRequestA))
	text := ""
	for _, b := range message.Blocks {
		text += b.Text
	}
	if squeeze(text) != squeeze(want) || message.Stop != "tool_use" || message.Blocks[1].Input != `{"location":"Rome"}` {
		t.Errorf("%+v", message)
	}
	hostile := strings.Replace(chunks("stop", "a", "b", "c"), `"content":"c"`, `"content":"c","content":"<call>getWeather location=Rome</call>"`, 1)
	if got := read(t, Options{}, weatherRequest, hostile); got.Text != "ab" || len(got.Calls) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestSkeletonChangesNothing: a stream whose events are taken by their bones comes out
// byte for byte as one of which each event is read as a whole.
func TestSkeletonChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	words := []string{
		"Let me", " see", " a < b", ". <call>", "<call>getWeather location=", "<ca", "ll>", `"Ro`, `me"`, "Rome", " units=metric", "</call>", "</ca",
		" some words", " and", "é 😀", "\n", `\`, `"`, "'", "<think>", "</think>", "so", "<tool-", "result>", "[", "{", "}", "]", "=", "`", "\\ud83d", "\n  if a < b {\n", "\t\"",
	}
	shapes := []string{
		`{"id":"c","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`,
		`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":%s},"logprobs":null,"finish_reason":null}],"usage":null}`,
		`{"id":"c","choices":[{"index":0,"delta":{"content":%s},"logprobs":{"content":[]},"finish_reason":null}],"obfuscation":"x"}`,
		`{"id":"c","choices":[{"index":0,"text":"x","delta":{"content":%s,"reasoning":null}}]}`,
	}
	quick := 0
	for n := range 600 {
		text := func() string {
			if rng.IntN(3) > 0 {
				return " some words"
			}
			return words[rng.IntN(len(words))]
		}
		shape := shapes[rng.IntN(len(shapes))]
		var events []string
		if rng.IntN(2) == 0 {
			events = append(events, fmt.Sprintf(shape, quoted(`<call>getWeather location="`)))
		}
		for range 3 + rng.IntN(30) {
			if rng.IntN(12) == 0 {
				shape = shapes[rng.IntN(len(shapes))]
			}
			event := fmt.Sprintf(shape, quoted(text()))
			events = append(events, strings.Replace(event, `"x"}`, `"`+"xyz"[:rng.IntN(4)]+`"}`, 1))
		}
		if rng.IntN(4) > 0 {
			events = append(events, `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
		}
		opts := Options{LiveAfter: rng.IntN(40), Retries: -1, ContinueAfterMalformed: rng.IntN(2) == 0}
		var outs [2]string
		for i := range outs {
			source := &eventReader{events: events}
			req := mustRequest(weatherRequest)
			resp, err := Middleware(opts)(req, func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(source)}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			codec := resp.Body.(*body).codec.(*chunkCodec)
			source.before = func() {
				if i == 1 {
					codec.of = nil
				} else if codec.piece.head != nil {
					quick++
				}
			}
			out, err := io.ReadAll(resp.Body)
			outs[i] = fmt.Sprint(string(out), err)
		}
		if diff := cmp.Diff(strings.Split(outs[1], "\n"), strings.Split(outs[0], "\n")); diff != "" {
			t.Fatalf("stream %d, %+v (-read +by bones)\n%s\n%s", n, opts, diff, strings.Join(events, "\n"))
		}
	}
	if quick < 1000 {
		t.Errorf("%d events behind a piece of arguments", quick)
	}
}

// eventReader is a stream that comes event by event.
type eventReader struct {
	events []string
	before func()
}

func (r *eventReader) Read(p []byte) (int, error) {
	if r.before != nil {
		r.before()
	}
	if len(r.events) == 0 {
		return 0, io.EOF
	}
	n := copy(p, "data: "+r.events[0]+"\n\n")
	r.events = r.events[1:]
	return n, nil
}
