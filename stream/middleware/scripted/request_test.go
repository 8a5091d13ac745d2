package scripted

import (
	"fmt"
	"testing"
)

func TestRequests(t *testing.T) {
	m := &Model{Replies: []Reply{{Text: "a"}, {Text: "b"}, {Text: "c"}, {Text: "d"}}}
	post(t, m, "http://model"+openAIPath+"?key=k", `{"messages":[
		{"role":"system","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:"}}]},
		{"role":"assistant","content":null}],"tools":[{},{}]}`)
	post(t, m, "http://model"+anthropicPath, `{"stream":true,"system":[{"type":"text","text":"Be"},{"type":"text","text":"brief."}],
		"messages":[{"role":"user","content":"<b>"}]}`)
	post(t, m, "http://model"+responsesPath, `{"instructions":"Be brief.","input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]},{"type":"reasoning"}]}`)
	post(t, m, "http://model"+responsesPath, `{"input":"Hi"}`)
	got := m.Requests()
	if len(got) != 4 {
		t.Fatalf("%d requests", len(got))
	}
	for i, want := range []string{
		"[{system Be brief.} {user What is this?\n[image_url]} {assistant }]",
		"[{system Be\nbrief.} {user <b>}]",
		"[{system Be brief.} {user Hi} {reasoning [reasoning]}]",
		"[{user Hi}]",
	} {
		if turns := fmt.Sprint(got[i].Turns()); turns != want {
			t.Errorf("%s, want %s", turns, want)
		}
	}
	if r := got[0]; r.Method != "POST" || r.Path != openAIPath || r.Query != "key=k" || r.Header.Get("Content-Type") == "" || r.Tools() != 2 || r.Stream() {
		t.Errorf("%+v", r)
	}
	if r := got[1]; r.Tools() != 0 || !r.Stream() {
		t.Errorf("%+v", r)
	}
	if turns := (Request{Body: []byte("no JSON")}).Turns(); turns != nil {
		t.Errorf("%q", turns)
	}
	r := Request{Path: geminiPath, Body: []byte(`{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"Yes"}]}]}`)}
	if got := fmt.Sprint(r.Turns()); got != "[{system Be brief.} {user Hi} {assistant Yes}]" {
		t.Error(got)
	}
}
