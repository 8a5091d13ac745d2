package runner

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
)

// TestKindOf changes the events of a case as a mistake of an implementation would.
func TestKindOf(t *testing.T) {
	c := only(t, "issues/offset-behind-non-ascii")[0]
	typed := only(t, "issues/missing-behind-others")[0]
	for _, x := range []struct {
		c      corpus.Case
		kind   Kind
		change func(e *corpus.Event)
	}{
		{c, wrongUnits, func(e *corpus.Event) {
			moveOffsets(e, c.Text,
				func(b []byte) int { return len([]rune(string(b))) })
		}},
		{c, wrongUnits, func(e *corpus.Event) { moveOffsets(e, c.Text, utf16Len) }},
		{c, "wrong issues", func(e *corpus.Event) { e.Issues = nil }},
		{typed, "wrong issues", func(e *corpus.Event) { e.Issues = e.Issues[1:] }},
		{typed, lostOrder, func(e *corpus.Event) { e.Input = `{"b":"x","z":1}` }},
		{typed, lostDigits, func(e *corpus.Event) { e.Input = `{"z":1.0,"b":"x"}` }},
		{typed, "wrong input", func(e *corpus.Event) { e.Input = `{"z":"1","b":"x"}` }},
		{typed, "wrong afterMalformed, closed", func(e *corpus.Event) {
			e.AfterMalformed, e.Closed = true, true
		}},
		{typed, "duplicate-key where nothing is wrong", func(e *corpus.Event) {
			e.Type,
				e.Code = corpus.MalformedEvent, "duplicate-key"
		}},
		{typed, "text in the place of tool-call",
			func(e *corpus.Event) { e.Type = corpus.TextEvent }},
	} {
		got := slices.Clone(x.c.Want.Events)
		for i := range got {
			got[i].Issues = slices.Clone(got[i].Issues)
			if got[i].Type == corpus.ToolCallEvent || x.kind == wrongUnits {
				x.change(&got[i])
			}
		}
		if kind := kindOf(x.c.Text, x.c.Want.Events, got); kind != x.kind {
			t.Errorf("%s, want %s", kind, x.kind)
		}
	}
}

// TestGroups: a mistake that shows in many checks is reported once, with some of them.
func TestGroups(t *testing.T) {
	r := judged(t, "counts from one", small("recovery"))
	groups := page{r}.Causes()
	if len(groups) == 0 || groups[0].Key != "wrong at" || len(groups[0].Results) < 20 {
		t.Fatalf("%d groups: %.300s", len(groups), markdown(t, r))
	}
	page := markdown(t, r)
	if n := strings.Count(page, "\n## "); n > mostOfAll || !strings.Contains(page,
		"--all shows the rest") {
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
