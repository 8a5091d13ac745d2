package middleware

import (
	"strings"
	"testing"
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
		"some words": "some words", "é 😀": "é 😀", `a\n`: "", `","b":"`: "", "": "",
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
