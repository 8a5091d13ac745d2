package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// mostFaults bounds the faults that are reported of one answer.
const mostFaults = 20

// fault adds something that is wrong. The first fault decides the kind.
func (f *Failure) fault(kind Kind, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if f.What == "" {
		f.Kind, f.What = kind, what
	} else if len(f.More) < mostFaults {
		f.More = append(f.More, what)
	}
}

// judge compares the answer to a request outside streams with what the case wants.
func judge(c *corpus.Case, a *corpus.Answer) (v Failure) {
	switch {
	case a.Error != nil && c.Want.Error == nil:
		return refused(c, a.Error)
	case c.Op == corpus.Parse:
		return judgeEvents(c, a.Events)
	}
	v.Want, v.Got = wanted(c), linesOf(c.Op, string(a.Text), a.Lines, a.Error)
	switch {
	case slices.Equal(v.Want, v.Got):
		return Failure{}
	case c.Want.Error != nil && a.Error == nil:
		v.fault("what should be refused is written", "written, and should be refused")
	case c.Want.Error != nil:
		v.fault("another code of a refusal", "another code")
	case c.Op == corpus.Format:
		v.fault("another writing", "another writing")
	default:
		i := 0
		for at(v.Want, i) == at(v.Got, i) && i < min(len(v.Want), len(v.Got)) {
			i++
		}
		v.fault("lines differ", "line %d differs", i)
	}
	return v
}

// refused is the failure of a request that the implementation refuses. The message is shown in
// one line.
func refused(c *corpus.Case, e *corpus.Refusal) Failure {
	v := Failure{Want: wanted(c)}
	v.fault("requests that fail", "the request failed: %s: %s", e.Code,
		strings.Join(strings.Fields(e.Message), " "))
	return v
}

// judgeEvents compares the events of a whole text with those that are wanted.
func judgeEvents(c *corpus.Case, got []corpus.Event) Failure {
	var v Failure
	want := c.Want.Events
	for i := range min(len(want), len(got)) {
		differing := differences(&want[i], &got[i])
		for _, member := range differing {
			v.fault("", "event %d differs in %s", i, member)
		}
		if len(differing) > 0 && len(want) != len(got) {
			break // the following events may be the same, one place further
		}
	}
	switch {
	case len(got) < len(want):
		v.fault("", "event %d is missing", len(got))
	case len(got) > len(want):
		v.fault("", "event %d is one too many", len(want))
	}
	if v.What != "" {
		v.Kind = kindOf(c.Text, want, got)
		v.Want, v.Got = lines(want), lines(got)
	}
	return v
}

// differences returns the members in which two events differ.
func differences(want, got *corpus.Event) (members []string) {
	if want.Type != got.Type {
		return []string{"type"}
	}
	isCall := want.Type == corpus.ToolCallEvent // the others may have an id and a name
	for _, member := range []struct {
		name    string
		differs bool
	}{
		{"start", want.Start != got.Start},
		{"end", want.End != got.End},
		{"text", string(want.Text) != string(got.Text)},
		{"input", !corpus.SameJSON(want.Input, got.Input)},
		{"afterMalformed", want.AfterMalformed != got.AfterMalformed},
		{"issues", !slices.Equal(want.Issues, got.Issues)},
		{"code", want.Code != got.Code},
		{"at", want.At != got.At},
		{"closed", want.Closed != got.Closed},
		{"id", isCall && want.ID != "" && want.ID != got.ID},
		{"name", isCall && want.Name != got.Name},
	} {
		if member.differs {
			members = append(members, member.name)
		}
	}
	return members
}

// wanted returns what a case wants, for people.
func wanted(c *corpus.Case) []string {
	if c.Op == corpus.Parse {
		return lines(c.Want.Events)
	}
	return linesOf(c.Op, c.Want.Text, c.Want.Lines, c.Want.Error)
}

// linesOf returns the answer to a request for op, which has no events, for people.
func linesOf(op, text string, lines []string, err *corpus.Refusal) []string {
	switch {
	case err != nil:
		return []string{"error " + err.Code}
	case op == corpus.Sig:
		return lines
	case op == corpus.Manual:
		return strings.Split(text, "\n")
	}
	return []string{text}
}

// lines returns events for people, one in each line.
func lines(events []corpus.Event) []string {
	all := make([]string, len(events))
	for i := range events {
		all[i] = eventLine(&events[i])
	}
	return all
}

func eventLine(e *corpus.Event) string {
	head := fmt.Sprintf("%d-%d %s", e.Start, e.End, e.Type)
	switch e.Type {
	case corpus.TextEvent, corpus.ReasoningEvent:
		return head + " " + quoteBytes(e.Text)
	case corpus.TextDelta, corpus.ReasoningDelta:
		return e.Type + " " + quoteBytes(e.Text)
	case corpus.ToolInputDelta:
		return e.Type + " " + quoteBytes([]byte(e.Delta))
	case corpus.ToolCallEvent:
		head += " " + e.Name + " " + e.Input
		if e.AfterMalformed {
			head += ", after malformed"
		}
		for _, issue := range e.Issues {
			head += fmt.Sprintf(", %s %s at %d", issue.Code, issue.Path, issue.At)
		}
	case corpus.MalformedEvent:
		head += fmt.Sprintf(" %s at %d, ", e.Code, e.At)
		if !e.Closed {
			head += "not "
		}
		head += "closed"
	default:
		return strings.TrimSpace(e.Type + " " + e.Name)
	}
	return head
}

// quoteBytes returns text as JSON.
func quoteBytes(text []byte) string {
	data, _ := corpus.Bytes(text).MarshalJSON() // it always can
	return string(data)
}

// excerpt returns s, or its beginning if it is longer than n bytes.
func excerpt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
