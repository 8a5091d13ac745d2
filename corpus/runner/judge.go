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
	more      []string // what else is
	want, got []string // what was expected and what came, an event in a line
	events    string   // the probable cause, where events differ
}

// mostFaults bounds the faults that are told of one answer.
const mostFaults = 20

// wasReset begins what is said of a stream that had been reset.
const wasReset = " (the stream had been fed "

// anywhere is what a fault says without the place in the stream.
func anywhere(fault string) string {
	fault, _, _ = strings.Cut(fault, wasReset)
	if rest, ok := strings.CutPrefix(fault, "batches["); ok {
		if _, said, ok := strings.Cut(rest, "]: "); ok {
			return said
		}
	}
	return fault
}

// tell adds what is wrong.
func (v *verdict) tell(format string, args ...any) {
	fault := fmt.Sprintf(format, args...)
	switch {
	case v.what == "":
		v.what = fault
	case len(v.more) < mostFaults:
		v.more = append(v.more, fault)
	}
}

func wrong(format string, args ...any) verdict {
	return verdict{what: fmt.Sprintf(format, args...)}
}

// refused is what a request that failed is judged as. Messages may have several lines,
// as those of Perl end in one; what is said of a failure has one.
func refused(c *corpus.Case, a *answer) verdict {
	v := wrong("the request failed: %s: %s", a.Error.Code, strings.Join(strings.Fields(a.Error.Message), " "))
	v.want = wanted(c)
	return v
}

// judge compares an answer to r with what the case wants.
func judge(c *corpus.Case, r request, line []byte, a *answer) verdict {
	if a.Error != nil && !(r.op == opFormat && c.Want.Error != nil) {
		return refused(c, a)
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
		if !settle(a.Events) {
			return shapeVerdict(line, r)
		}
		return judgeEvents(c, eventsOf(a.Events))
	}
	if len(a.Batches) != len(r.cuts)+2 {
		return shapeVerdict(line, r)
	}
	for _, batch := range a.Batches {
		if !settle(batch) {
			return shapeVerdict(line, r)
		}
	}
	return judgeStream(c, r.cuts, a.Batches)
}

// shapeVerdict is the verdict on an answer that has not the shape of one.
func shapeVerdict(line []byte, r request) verdict {
	if faults := shapeOfAnswer(line, r); len(faults) > 0 {
		var v verdict
		for _, fault := range faults {
			v.tell("%s", fault)
		}
		return v
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
			return verdict{what: fmt.Sprintf("line %d is missing", i), want: want, got: got}
		case i >= len(want):
			return verdict{what: fmt.Sprintf("line %d is one too many", i), want: want, got: got}
		case want[i] != got[i]:
			return verdict{what: fmt.Sprintf("line %d differs", i), want: want, got: got}
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
func judgeEvents(c *corpus.Case, got []corpus.Event) verdict {
	var v verdict
	want := c.Want.Events
	for i := range min(len(want), len(got)) {
		differing := differences(&want[i], &got[i])
		for _, member := range differing {
			v.tell("event %d differs in %s", i, member)
		}
		if len(differing) > 0 && len(want) != len(got) {
			break // what follows may be the same, and stand elsewhere
		}
	}
	switch {
	case len(got) < len(want):
		v.tell("event %d is missing", len(got))
	case len(got) > len(want):
		v.tell("event %d is one too many", len(want))
	}
	if v.what != "" {
		v.want, v.got = lines(want), lines(got)
		v.events = eventCause(c.Text, want, got)
	}
	return v
}

// differences returns the members in which two events differ.
func differences(want, got *corpus.Event) (members []string) {
	if want.Type != got.Type {
		return []string{"type"}
	}
	differ := func(member string, are bool) {
		if are {
			members = append(members, member)
		}
	}
	differ("start", want.Start != got.Start)
	differ("end", want.End != got.End)
	switch want.Type {
	case corpus.TextEvent, corpus.ReasoningEvent:
		differ("text", string(want.Text) != string(got.Text))
	case corpus.ToolCallEvent:
		differ("name", want.Name != got.Name)
		differ("input", !sameJSON(want.Input, got.Input))
		differ("afterMalformed", want.AfterMalformed != got.AfterMalformed)
		if len(want.Issues) != len(got.Issues) {
			return append(members, "issues")
		}
		for i := range want.Issues {
			differ(fmt.Sprintf("issues[%d]", i), want.Issues[i] != got.Issues[i])
		}
	case corpus.MalformedEvent:
		differ("code", want.Code != got.Code)
		differ("at", want.At != got.At)
		differ("closed", want.Closed != got.Closed)
	}
	return members
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
	case corpus.TextEvent, corpus.ReasoningEvent:
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
