package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A verdict is what is wrong with an answer. The zero value is that of a right one.
type verdict struct {
	kind      Kind
	what      string   // what is wrong; empty if nothing is
	more      []string // what else is
	want, got []string // what was expected and what came, an event in each line
}

// mostFaults bounds the faults that are reported of one check.
const mostFaults = 20

// fault adds something that is wrong. The first fault decides the kind.
func (v *verdict) fault(kind Kind, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	switch {
	case v.what == "":
		v.kind, v.what = kind, what
	case len(v.more) < mostFaults:
		v.more = append(v.more, what)
	}
}

// misshapen is the verdict on an answer that doesn't have the shape of one.
func misshapen(faults []string) (v verdict) {
	for _, fault := range faults {
		v.fault(wrongShape, "%s", fault)
	}
	return v
}

// judge compares an answer to a request that is no stream with what the case wants.
func judge(c *corpus.Case, a *corpus.Answer) verdict {
	if a.Error != nil && (c.Op != corpus.Format || c.Want.Error == nil) {
		return failed(c, a.Error)
	}
	switch c.Op {
	case corpus.Format:
		return judgeFormat(c, a)
	case corpus.Sig:
		return judgeLines(c, a.Lines)
	case corpus.Manual:
		return judgeLines(c, strings.Split(string(a.Text), "\n"))
	}
	return judgeEvents(c, a.Events)
}

// failed is the verdict on a request that failed. Its message is shown in one line.
func failed(c *corpus.Case, e *corpus.Refusal) verdict {
	v := verdict{want: wanted(c)}
	v.fault(requestFails, "the request failed: %s: %s", e.Code, strings.Join(strings.Fields(e.Message), " "))
	return v
}

func judgeFormat(c *corpus.Case, a *corpus.Answer) verdict {
	v := verdict{want: wanted(c), got: []string{string(a.Text)}}
	switch {
	case a.Error != nil && a.Error.Code != c.Want.Error.Code:
		v.got = []string{"error " + a.Error.Code}
		v.fault(wrongRefusal, "another code")
	case a.Error != nil:
	case c.Want.Error != nil:
		v.fault(notRefused, "written, and should be refused")
	case string(a.Text) != c.Want.Text:
		v.fault(wrongWriting, "another writing")
	}
	if v.what == "" {
		return verdict{}
	}
	return v
}

// judgeLines compares signatures, or the lines of a manual.
func judgeLines(c *corpus.Case, got []string) verdict {
	v := verdict{want: wanted(c), got: got}
	for i := range max(len(v.want), len(got)) {
		switch {
		case i >= len(got):
			v.fault(wrongLines, "line %d is missing", i)
		case i >= len(v.want):
			v.fault(wrongLines, "line %d is one too many", i)
		case v.want[i] != got[i]:
			v.fault(wrongLines, "line %d differs", i)
		default:
			continue
		}
		v.more = nil
		return v
	}
	return verdict{}
}

// judgeEvents compares the events of a whole text with those that are wanted.
func judgeEvents(c *corpus.Case, got []corpus.Event) verdict {
	var v verdict
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
	if v.what != "" {
		v.kind = kindOf(c.Text, want, got)
		v.want, v.got = lines(want), lines(got)
	}
	return v
}

// differences returns the members in which two events differ.
func differences(want, got *corpus.Event) (members []string) {
	if want.Type != got.Type {
		return []string{"type"}
	}
	differ := func(member string, differs bool) {
		if differs {
			members = append(members, member)
		}
	}
	differ("start", want.Start != got.Start)
	differ("end", want.End != got.End)
	switch want.Type {
	case corpus.TextEvent, corpus.ReasoningEvent:
		differ("text", string(want.Text) != string(got.Text))
	case corpus.ToolCallEvent:
		differ("id", want.ID != "" && want.ID != got.ID)
		differ("name", want.Name != got.Name)
		differ("input", !sameJSON(want.Input, got.Input))
		differ("afterMalformed", want.AfterMalformed != got.AfterMalformed)
		differ("issues", !slices.Equal(want.Issues, got.Issues))
	case corpus.MalformedEvent:
		differ("code", want.Code != got.Code)
		differ("at", want.At != got.At)
		differ("closed", want.Closed != got.Closed)
	}
	return members
}

// wanted returns what a case wants, for people.
func wanted(c *corpus.Case) []string {
	switch {
	case c.Op == corpus.Sig:
		return c.Want.Lines
	case c.Op == corpus.Manual:
		return strings.Split(c.Want.Text, "\n")
	case c.Op == corpus.Parse:
		return lines(c.Want.Events)
	case c.Want.Error != nil:
		return []string{"error " + c.Want.Error.Code}
	}
	return []string{c.Want.Text}
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
	}
	return head
}

// quoteBytes returns text as JSON.
func quoteBytes(text []byte) string {
	data, err := corpus.Bytes(text).MarshalJSON()
	if err != nil {
		panic("runner: " + err.Error()) // bytes can always be encoded
	}
	return string(data)
}

// excerpt returns s, or its beginning if it is longer than n bytes.
func excerpt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
