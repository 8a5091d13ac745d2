package runner

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// more returns one of the cases that only protocol 2 can ask.
func more(t *testing.T, id string) *corpus.Case {
	t.Helper()
	for _, c := range corpus.MoreCases() {
		if c.ID == id {
			return &c
		}
	}
	t.Fatalf("no case %s", id)
	return nil
}

// TestTagsAreAsked: the tags that are agreed on come with the request, and say what
// text may be held back.
func TestTagsAreAsked(t *testing.T) {
	c := more(t, "tags/other")
	for _, op := range []string{opParse, opStream} {
		line := string(requestsOf(c, op, Ends, op == opStream)[0].appendTo(nil, 1))
		if !strings.Contains(line, `"delims":{"open":"<tool>","close":"</tool>"}`) {
			t.Errorf("%s: %s", op, line)
		}
	}
	f := frameOf(c)
	for text, want := range map[string]int{"a <to": 2, "a <tool> ": 2, "a <ca": 5} {
		if _, may := f.held([]byte(text), 0); may != want {
			t.Errorf("%q may be out up to %d, want %d", text, may, want)
		}
	}
}

// TestLargeTextIsAsked: whole it comes as a rule, and a stream of it in chunks.
func TestLargeTextIsAsked(t *testing.T) {
	c := more(t, "large/bytes")
	line := requestsOf(c, opParse, Ends, false)[0].appendTo(nil, 1)
	if want := `"text":"<call>t a=1</call>","repeat":{"start":7,"end":8,"times":4194288}`; len(line) > 200 || !bytes.Contains(line, []byte(want)) {
		t.Errorf("%.200s, want %s", line, want)
	}
	requests := requestsOf(c, opStream, Full, true)
	f := newFeeding(nil, requests[0])
	if len(requests) != 1 || len(f.chunks) < 60 || !bytes.Equal(bytes.Join(f.chunks, nil), c.Whole()) {
		t.Errorf("%d requests, the first of %d chunks", len(requests), len(f.chunks))
	}
}

// TestProtocol1HasNoMore: what its requests cannot say is skipped.
func TestProtocol1HasNoMore(t *testing.T) {
	r := judged(t, "", []corpus.Case{*more(t, "tags/other"), *more(t, "large/bytes")}, func(c *Config) { c.Protocol = 1 })
	for _, res := range r.Results {
		if res.Status != Skipped {
			t.Errorf("%s: %s", res.Name(), res.Status)
		}
	}
}
