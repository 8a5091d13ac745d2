package stream_test

import (
	"testing"

	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// What a stream yields can be handed to manual.Feedback: it says what it says of the
// whole text, but for excerpts of calls, whose text a stream does not keep.
func TestFeedback(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := manual.New(catalog, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"<call>t(n=1)</call>", "a <call>t n=\"1</call> b", "<call>t n=1\n<call>t n=2</call>", "x <call>t m=1</call>", "<call>u</call>"} {
		var want, got []string
		for _, s := range parse.Text(text, catalog) {
			if s.Kind == parse.Call {
				s.Text = nil
			}
			if f := m.Feedback(bridge.Segment(s)); f != "" {
				want = append(want, f)
			}
		}
		d := stream.NewDecoder(catalog, stream.Options{})
		for i := range len(text) {
			for _, e := range d.Feed([]byte{text[i]}) {
				got = appendFeedback(got, m, e)
			}
		}
		for _, e := range d.Close() {
			got = appendFeedback(got, m, e)
		}
		if len(got) == 0 || len(got) != len(want) {
			t.Fatalf("%s: %q, want %q", text, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s:\n got %s\nwant %s", text, got[i], want[i])
			}
		}
	}
}

func appendFeedback(list []string, m *manual.Manual, e stream.Event) []string {
	if e.Segment == nil {
		return list
	}
	if f := m.Feedback(bridge.Segment(*e.Segment)); f != "" {
		list = append(list, f)
	}
	return list
}
