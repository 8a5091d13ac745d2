package runner

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestEventCause changes the events of a case as a fault of an implementation
// would.
func TestEventCause(t *testing.T) {
	c := only(t, "issues/offset-behind-non-ascii")[0]
	typed := only(t, "issues/missing-behind-others")[0]
	for _, x := range []struct {
		c      corpus.Case
		cause  string
		change func(e *corpus.Event)
	}{
		{c, "offsets count characters or UTF-16 units, and should count bytes", func(e *corpus.Event) { moveOffsets(e, c.Text, func(b []byte) int { return len([]rune(string(b))) }) }},
		{c, "offsets count characters or UTF-16 units, and should count bytes", func(e *corpus.Event) { moveOffsets(e, c.Text, utf16Len) }},
		{c, "issues are missing", func(e *corpus.Event) { e.Issues = nil }},
		{c, "offsets of issues", func(e *corpus.Event) {
			for i := range e.Issues {
				e.Issues[i].At++
			}
		}},
		{typed, "issues are in another order", func(e *corpus.Event) { e.Issues[0], e.Issues[1] = e.Issues[1], e.Issues[0] }},
		{typed, "issues differ", func(e *corpus.Event) { e.Issues = e.Issues[1:] }},
		{typed, "the order of keys is lost", func(e *corpus.Event) { e.Input = `{"b":"x","z":1}` }},
		{typed, "numbers lose their digits", func(e *corpus.Event) { e.Input = `{"z":1.0,"b":"x"}` }},
		{typed, "values are typed otherwise", func(e *corpus.Event) { e.Input = `{"z":"1","b":"x"}` }},
		{typed, "the mark afterMalformed", func(e *corpus.Event) { e.AfterMalformed = true }},
		{typed, "duplicate-key where nothing is wrong", func(e *corpus.Event) { e.Type, e.Code = corpus.MalformedEvent, "duplicate-key" }},
		{typed, "text in the place of tool-call", func(e *corpus.Event) { e.Type = corpus.TextEvent }},
	} {
		got := append([]corpus.Event{}, x.c.Want.Events...)
		for i := range got {
			got[i].Issues = append([]corpus.Issue{}, got[i].Issues...)
			if got[i].Type == corpus.ToolCallEvent || strings.HasPrefix(x.cause, "offsets count") {
				x.change(&got[i])
			}
		}
		if cause := eventCause(x.c.Text, x.c.Want.Events, got); cause != x.cause {
			t.Errorf("%s, want %s", cause, x.cause)
		}
	}
}

// TestRefusals: requests that fail are one cause, whatever their messages say.
func TestRefusals(t *testing.T) {
	r := judged(t, "refuses", small("recovery"))
	if groups := r.groups(); len(groups) != 1 || groups[0].cause != "requests that fail" {
		t.Errorf("%.300s", markdown(t, r))
	}
}

// TestGroups: a fault that shows in many checks is told once, with some of them.
func TestGroups(t *testing.T) {
	r := judged(t, "counts from one", small("recovery"))
	groups := r.groups()
	if len(groups) == 0 || groups[0].cause != "the offset of a fault" || len(groups[0].results) < 20 {
		t.Fatalf("%d groups: %.300s", len(groups), markdown(t, r))
	}
	page := markdown(t, r)
	if n := strings.Count(page, "\n## "); n > mostOfAll || !strings.Contains(page, "--all shows the rest") {
		t.Errorf("%d failures are shown", n)
	}
	if !strings.Contains(page, "\n[error.nested-call]: https://") {
		t.Error("the rule error.nested-call has no link")
	}
	r.MaxFailures = 2
	if n := strings.Count(markdown(t, r), "\n## "); n != 2 {
		t.Errorf("%d failures are shown, not 2", n)
	}
	r.All = true
	if n := strings.Count(markdown(t, r), "\n## "); n != r.Count()[Fail] {
		t.Errorf("%d failures are shown of %d", n, r.Count()[Fail])
	}
}
