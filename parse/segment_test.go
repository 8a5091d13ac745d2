package parse_test

import (
	"testing"

	"github.com/callwire/callwire/parse"
)

func TestKindNames(t *testing.T) {
	for kind, want := range map[parse.Kind]string{parse.Prose: "text", parse.Call: "tool-call", parse.Malformed: "malformed"} {
		if got := kind.String(); got != want {
			t.Errorf("kind %d is called %s, want %s", kind, got, want)
		}
	}
}

// A clone shares no memory with its segment.
func TestClone(t *testing.T) {
	catalog := schemaCatalog(t, `{"properties":{"n":{"type":"integer"}}}`)
	segs := parse.Text(`text<call>t n="1"</call><call>t(</call>`, catalog)
	want := show(segs)
	var clones []parse.Segment
	texts := ""
	for i := range segs {
		s := &segs[i]
		texts += string(s.Text)
		clones = append(clones, s.Clone())
		clear(s.Text)
		clear(s.Input)
		clear(s.Issues)
		if s.Err != nil {
			s.Err.Code = ""
		}
	}
	got := ""
	for _, s := range clones {
		got += string(s.Text)
	}
	if got != texts || show(clones) != want {
		t.Errorf("got %q, %s, want %q, %s", got, show(clones), texts, want)
	}
}
