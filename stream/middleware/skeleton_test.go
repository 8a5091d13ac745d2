package middleware

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSkeleton: what has the bones of the event before it, and is more than a text,
// is read.
func TestSkeleton(t *testing.T) {
	var s skeleton
	loose := []string{"number", "padding"}
	scan := func(stream string) *block {
		sc := &scanner{buf: []byte(stream)}
		b := new(block)
		if !sc.next(b) {
			t.Fatalf("no event in %q", stream)
		}
		return b
	}
	learn := func(b *block) bool { return s.learn(b, readObject(nil, b.data).object("a").get("content"), loose) }
	match := func(b *block) string {
		event, in := s.match(append(bytes.Clone(b.raw), "data"...))
		for n := range b.raw {
			if part, _ := s.match(b.raw[:n]); part != nil {
				t.Errorf("%q is an event", part)
			}
		}
		if event == nil {
			return ""
		}
		if data := s.data(event); !bytes.Equal(event, b.raw) || !bytes.Equal(data, b.data) {
			t.Errorf("%q, with the data %q, not %q", event, data, b.raw)
		}
		if again := s.appendTo(nil, &in); !bytes.Equal(again, b.raw) {
			t.Errorf("%q becomes %q", b.raw, again)
		}
		return string(s.spelled(in[ofText]))
	}
	learn(scan("data: {\"id\":\"x\",\"a\":{\"content\":\"x\"}}\n\n"))
	for text, want := range map[string]string{
		"some words": "some words", "é 😀": "é 😀", `a\n`: "a\n", `\"\\`: `"\`, `\u0041`: "", `a\`: "", `","b":"`: "", "": "",
	} {
		if got := match(scan("data: {\"id\":\"x\",\"a\":{\"content\":\"" + text + "\"}}\n\n")); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, other := range []string{"data: {\"id\":\"y\",\"a\":{\"content\":\"x\"}}\n\n", "data: {\"id\":\"x\",\"a\":{\"content\":\"x\"}}\r\n\r\n", "data: {\"id\":\"x\"}\n\n", ": x\n\n"} {
		if got := match(scan(other)); got != "" {
			t.Errorf("%q: %q", other, got)
		}
	}
	for _, form := range []string{
		"data: {\"a\":{\"content\":\"%s\"},\"padding\":\"%s\",\"number\":%s}\n\n",
		"data: {\"number\":%[3]s,\"a\":{\"content\":\"%[1]s\"},\"padding\":\"%[2]s\"}\n\n",
		"data: {\"padding\":\"%[2]s\",\"number\":%[3]s,\"a\":{\"content\":\"%[1]s\"}}\n\n",
	} {
		event := func(text, pad, number string) *block { return scan(fmt.Sprintf(form, text, pad, number)) }
		learn(event("x", "abc", "9"))
		for _, c := range []struct{ text, pad, number, want string }{
			{"some words", "d", "10", "some words"},
			{"x", "", "0", "x"},
			{"x", `d","e":"f`, "9", ""},
			{"x", `\u0041`, "9", ""},
			{"x", "d", "", ""},
			{"x", "d", "007", ""},
			{"x", "d", "-1", ""},
			{"x", "d", "1.5", ""},
			{"x", "d", `1,"a":{}`, ""},
		} {
			if got := match(event(c.text, c.pad, c.number)); got != c.want {
				t.Errorf("%v: %q", c, got)
			}
		}
		if learn(event("y", "defgh", "123")) {
			t.Error("what varies is taken for bones")
		}
		if !learn(scan(strings.Replace(string(event("y", "d", "1").raw), `"a"`, `"b":1,"a"`, 1))) {
			t.Error("other bones are the same")
		}
	}
	learn(scan("data: {\"a\":{\"content\":\"x\"},\"number\":1.5}\n\n"))
	if got := match(scan("data: {\"a\":{\"content\":\"x\"},\"number\":2.5}\n\n")); got != "" {
		t.Errorf("a number that does not count: %q", got)
	}
	learn(scan("data: {\"a\":{\"content\":\ndata: \"x\"}}\n\n"))
	if s.known() {
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

// streamForms are events of each API: the beginning of a message, forms of an event with a
// text and a number, the end.
var streamForms = []struct {
	api, request string
	head         []string
	forms        []string
	end          []string
}{
	{chat, weatherRequest, nil, []string{
		`{"id":"c","choices":[{"index":0,"delta":{"content":$TEXT},"finish_reason":null}]}`,
		`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":$TEXT},"logprobs":null,"finish_reason":null}],"usage":null}`,
		`{"id":"c","choices":[{"index":0,"delta":{"content":$TEXT},"logprobs":{"content":[]},"finish_reason":null}],"obfuscation":"$PAD"}`,
		`{"id":"c","choices":[{"index":0,"text":"x","delta":{"content":$TEXT,"reasoning":null}}]}`,
	}, []string{`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`}},
	{messages, weatherRequestA, []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	}, []string{
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":$TEXT}}`,
		`{"index":0,"type":"content_block_delta","delta":{"text":$TEXT,"type":"text_delta"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":$TEXT},"other":"text"}`,
	}, []string{
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}`,
		`{"type":"message_stop"}`,
	}},
	{"/responses", weatherRequestR, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
		`{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
	}, []string{
		`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":$TEXT,"logprobs":[],"sequence_number":$N,"obfuscation":"$PAD"}`,
		`{"type":"response.output_text.delta","sequence_number":$N,"item_id":"m","output_index":0,"content_index":0,"delta":$TEXT}`,
		`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":$TEXT}`,
	}, []string{
		`{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"x"}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
		`{"type":"response.completed","response":{"id":"r","output":[]}}`,
	}},
	{ollamaPath, weatherRequest, nil, []string{
		`{"model":"m","created_at":"2026-01-02T03:04:05.$NZ","message":{"role":"assistant","content":$TEXT},"done":false}`,
	}, []string{
		`{"model":"m","created_at":"2026-01-02T03:04:06Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":3}`,
	}},
}

// event returns an event of an API with that data; Ollama's are lines.
func event(api, data string) string {
	if api == ollamaPath {
		return data + "\n"
	}
	return "data: " + data + "\n\n"
}

// TestSkeletonChangesNothing: a stream whose events are taken by their bones comes out
// byte for byte as one of which each event is read as a whole, in every API, and in
// whatever chunks it comes.
func TestSkeletonChangesNothing(t *testing.T) {
	for _, f := range streamForms {
		t.Run(strings.Trim(f.api, "/"), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 10))
			pieces, texts := 0, 0
			for n := range often(600) {
				var events []string
				add := func(form, text string) {
					data := strings.NewReplacer("$TEXT", string(quoted(text)), "$N", fmt.Sprint(len(events)), "$PAD", "xyz"[:rng.IntN(4)]).Replace(form)
					events = append(events, event(f.api, data))
				}
				for _, form := range f.head {
					add(form, "")
				}
				form := f.forms[rng.IntN(len(f.forms))]
				if rng.IntN(2) == 0 {
					add(form, `<call>getWeather location="`)
				}
				for range 3 + rng.IntN(30) {
					if rng.IntN(12) == 0 {
						form = f.forms[rng.IntN(len(f.forms))]
					}
					text := " some words"
					if rng.IntN(3) == 0 {
						text = streamWords[rng.IntN(len(streamWords))]
					}
					add(form, text)
				}
				if rng.IntN(4) > 0 {
					for _, form := range f.end {
						add(form, "")
					}
				}
				opts := Options{LiveAfter: rng.IntN(40), Retries: -1, ContinueAfterMalformed: rng.IntN(2) == 0}
				var outs [2]string
				for i := range outs {
					source := &eventReader{events: events}
					resp := respondTo(t, opts, f.api, f.request, source)
					source.before = func() {
						in, piece := bonesOf(resp.codec)
						if i == 1 {
							in.forget()
						} else if in.known() {
							if texts++; piece.known() {
								pieces++
							}
						}
					}
					out, err := io.ReadAll(resp)
					outs[i] = fmt.Sprint(string(out), err)
				}
				if diff := cmp.Diff(strings.Split(outs[1], "\n"), strings.Split(outs[0], "\n")); diff != "" {
					t.Fatalf("stream %d, %+v (-read +by bones)\n%s\n%s", n, opts, diff, strings.Join(events, "\n"))
				}
				var cut []string // of any size, so that the bones of an event come before its end, and after the event before it
				for rest := strings.Join(events, ""); rest != ""; {
					size := min(len(rest), 1+rng.IntN(600))
					cut, rest = append(cut, rest[:size]), rest[size:]
				}
				out, err := io.ReadAll(respondTo(t, opts, f.api, f.request, &eventReader{events: cut}))
				if diff := cmp.Diff(outs[0], fmt.Sprint(string(out), err)); diff != "" {
					t.Fatalf("stream %d, %+v (-by event +cut)\n%s\n%q", n, opts, diff, cut)
				}
			}
			if texts < often(4000) || pieces < often(1000) && f.api != ollamaPath {
				t.Errorf("%d events after one with text, %d after a piece of arguments", texts, pieces)
			}
		})
	}
}

// streamWords are pieces of what a model writes that may change how it is read.
var streamWords = []string{
	"Let me", " see", " a < b", ". <call>", "<call>getWeather location=", "<ca", "ll>", `"Ro`, `me"`, "Rome", " units=metric", "</call>", "</ca",
	" some words", " and", "é 😀", "\n", `\`, `"`, "'", "<think>", "</think>", "so", "<tool-", "result>", "[", "{", "}", "]", "=", "`", "\\ud83d", "\n  if a < b {\n", "\t\"", "   ",
}

// bonesOf returns what a codec knows of the last event with text, and of the last piece
// of arguments.
func bonesOf(c codec) (in, piece *skeleton) {
	switch c := c.(type) {
	case *chunkCodec:
		return &c.bones, &c.piece
	case *anthropicCodec:
		return &c.bones, &c.pieces
	}
	r := c.(*responsesCodec)
	return &r.bones, &r.pieces
}

// respondTo returns what a Middleware makes of a stream.
func respondTo(t *testing.T, opts Options, api, request string, stream io.Reader) *body {
	t.Helper()
	return answer(t, opts, api, request, stream).(*body)
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
	n := copy(p, r.events[0])
	r.events = r.events[1:]
	return n, nil
}
