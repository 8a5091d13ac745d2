package scripted

import (
	"fmt"
	"testing"
)

// TestRequests: a request is recorded as it came, and shown as the model sees it.
func TestRequests(t *testing.T) {
	m := &Model{Replies: []Reply{{Text: "a"}, {Text: "b"}}}
	post(t, m, "http://model"+openAIPath+"?key=k", `{"messages":[
		{"role":"system","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:"}}]}],"tools":[{},{}]}`)
	post(t, m, "http://model"+responsesPath, `{"stream":true,"input":"Hi"}`)
	got := m.Requests()
	if turns := fmt.Sprint(got[0].Turns(), got[1].Turns()); turns != "[{system Be brief.} {user What is this?\n[image_url]}] [{user Hi}]" {
		t.Error(turns)
	}
	if r := got[0]; r.Method != "POST" || r.Path != openAIPath || r.Query != "key=k" || r.Header.Get("Content-Type") == "" || r.Tools() != 2 || r.Stream() {
		t.Errorf("%+v", r)
	}
	if r := got[1]; r.Tools() != 0 || !r.Stream() {
		t.Errorf("%+v", r)
	}
}
