package runner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A verdict is what is wrong with an answer. The zero value is that of a right
// one.
type verdict struct {
	what      string   // what is wrong; empty if nothing is
	want, got []string // what was expected and what came, an event in a line
}

func wrong(format string, args ...any) verdict {
	return verdict{what: fmt.Sprintf(format, args...)}
}

// judge compares an answer to r with what the case wants.
func judge(c *corpus.Case, r request, line []byte, a *answer) verdict {
	if a.Error != nil && !(r.op == opFormat && c.Want.Error != nil) {
		v := wrong("the request failed: %s: %s", a.Error.Code, a.Error.Message)
		v.want = wanted(c)
		return v
	}
	switch r.op {
	case opFormat:
		return judgeFormat(c, a)
	case opSig:
		if a.Lines == nil {
			return shapeVerdict(line, r)
		}
		return judgeLines(c, a.Lines)
	case opManual:
		if a.Text == nil {
			return shapeVerdict(line, r)
		}
		return judgeLines(c, strings.Split(string(*a.Text), "\n"))
	case opParse:
		if a.Events == nil {
			return shapeVerdict(line, r)
		}
		return judgeEvents(c.Want.Events, a.Events)
	}
	if len(a.Batches) != len(r.cuts)+2 {
		return shapeVerdict(line, r)
	}
	return judgeStream(c, r.cuts, a.Batches)
}

// shapeVerdict is the verdict on an answer that has not the shape of one.
func shapeVerdict(line []byte, r request) verdict {
	if faults := shapeOfAnswer(line, r); len(faults) > 0 {
		return wrong("%s", faults[0])
	}
	return wrong("the answer cannot be understood: %s", excerpt(string(line), 200))
}

func judgeFormat(c *corpus.Case, a *answer) verdict {
	v := verdict{want: wanted(c)}
	switch {
	case a.Error != nil:
		v.got = []string{"error " + a.Error.Code}
		if a.Error.Code != c.Want.Error.Code {
			v.what = "another code"
		}
	case a.Text == nil:
		return wrong("the answer has neither text nor error")
	default:
		v.got = []string{string(*a.Text)}
		switch {
		case c.Want.Error != nil:
			v.what = "written, and should be refused"
		case string(*a.Text) != c.Want.Text:
			v.what = "another writing"
		}
	}
	if v.what == "" {
		return verdict{}
	}
	return v
}

// judgeLines compares signatures, or the lines of a manual.
func judgeLines(c *corpus.Case, got []string) verdict {
	want := wanted(c)
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return verdict{fmt.Sprintf("line %d is missing", i), want, got}
		case i >= len(want):
			return verdict{fmt.Sprintf("line %d is one too many", i), want, got}
		case want[i] != got[i]:
			return verdict{fmt.Sprintf("line %d differs", i), want, got}
		}
	}
	return verdict{}
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

// judgeEvents compares events with those that are wanted.
func judgeEvents(want, got []corpus.Event) verdict {
	what := ""
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			what = fmt.Sprintf("event %d is missing", i)
		case i >= len(want):
			what = fmt.Sprintf("event %d is one too many", i)
		default:
			if member := difference(&want[i], &got[i]); member != "" {
				what = fmt.Sprintf("event %d differs in %s", i, member)
			}
		}
		if what != "" {
			return verdict{what, lines(want), lines(got)}
		}
	}
	return verdict{}
}

// difference returns the first member in which two events differ, if any.
func difference(want, got *corpus.Event) string {
	switch {
	case want.Type != got.Type:
		return "type"
	case want.Start != got.Start:
		return "start"
	case want.End != got.End:
		return "end"
	}
	switch want.Type {
	case corpus.TextEvent:
		if string(want.Text) != string(got.Text) {
			return "text"
		}
	case corpus.ToolCallEvent:
		switch {
		case want.Name != got.Name:
			return "name"
		case !sameJSON(want.Input, got.Input):
			return "input"
		case want.AfterMalformed != got.AfterMalformed:
			return "afterMalformed"
		}
		if len(want.Issues) != len(got.Issues) {
			return "issues"
		}
		for i := range want.Issues {
			if want.Issues[i] != got.Issues[i] {
				return fmt.Sprintf("issues[%d]", i)
			}
		}
	case corpus.MalformedEvent:
		switch {
		case want.Code != got.Code:
			return "code"
		case want.At != got.At:
			return "at"
		case want.Closed != got.Closed:
			return "closed"
		}
	}
	return ""
}

// lines returns events as JSON, one in a line, with the members that count.
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
	case corpus.TextEvent:
		if data, err := e.Text.MarshalJSON(); err == nil && data[0] != '"' {
			return head + " " + string(data)
		}
		return head + " " + quote(string(e.Text))
	case corpus.ToolCallEvent:
		head += " " + e.Name + " " + e.Input
		if e.AfterMalformed {
			head += ", after malformed"
		}
		for _, issue := range e.Issues {
			head += fmt.Sprintf(", %s %s at %d", issue.Code, issue.Path, issue.At)
		}
		return head
	case corpus.MalformedEvent:
		head += fmt.Sprintf(" %s at %d", e.Code, e.At)
		if e.Closed {
			return head + ", closed"
		}
		return head + ", not closed"
	}
	data, _ := json.Marshal(e)
	return string(data)
}
